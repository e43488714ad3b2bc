// The order that is being matched. There is one at a time, so one object serves them all; what
// will be remembered of it stands in its row when it is done.

import type { Book } from './book.ts'
import type { Exchange } from './exchange.ts'
import { orderField } from './layout.ts'

// V8 folds a constant of the module itself, but reads an imported one anew at each use.
const field = orderField

export class Incoming {
  /** Its row. */
  order = -1
  isSell = false
  shares = 0
  /** Before it came: of an order that is amended. */
  filledBefore = 0
  remaining = 0
  /** What its fills came to so far, in micro-units, and how many trades it made now. */
  cost = 0
  tradeCount = 0
  /** Its player's position in that outcome, or -1 while there is none. */
  position = -1
  feeRate = 0

  prepare(exchange: Exchange, order: number): void {
    const { orders, players } = exchange
    this.order = order
    this.isSell = orders.isSell(order)
    this.shares = orders.shares(order)
    this.filledBefore = orders.filled(order)
    this.remaining = this.shares - this.filledBefore
    this.cost = orders.cost(order)
    this.tradeCount = 0
    this.position = orders.position(order)
    this.feeRate = exchange.feeRateOf(players.at(orders.player(order)).operator)
  }

  /** It has traded as far as it could. */
  finish(exchange: Exchange, book: Book): void {
    const { order } = this
    const { reals, words } = exchange.memory
    const filled = this.shares - this.remaining
    const traded = filled - this.filledBefore
    words[(order + field.filled) | 0] = filled
    words[(order + field.position) | 0] = this.position
    reals[(order + field.cost) >>> 1] = this.cost
    book.volume.add(exchange.now, traded)
    book.market.volume.add(traded)
    book.market.tradeCount += this.tradeCount
    exchange.positions.write(this.position, exchange.journal)
  }
}
