// The order that is being matched. There is one at a time, so one object serves them all; what
// will be remembered of it stands in its row when it is done.

import type { Book } from './book.ts'
import type { Exchange } from './exchange.ts'
import { orderField } from './layout.ts'
import type { Player } from './operator.ts'

// V8 folds a constant of the module itself, but reads an imported one anew at each use.
const field = orderField

export class Incoming {
  book!: Book
  player!: Player
  /** Its row. */
  order = -1
  isSell = false
  shares = 0
  remaining = 0
  /** What its trades came to so far, in micro-units, and how many they were. */
  cost = 0
  tradeCount = 0
  /** Its player's position in that outcome, or -1 while there is none. */
  position = -1
  feeRate = 0

  prepare(exchange: Exchange, order: number, book: Book): void {
    const { orders } = exchange
    this.book = book
    this.player = exchange.players.at(orders.player(order))
    this.order = order
    this.isSell = orders.isSell(order)
    this.shares = orders.shares(order)
    this.remaining = this.shares
    this.cost = 0
    this.tradeCount = 0
    this.position = orders.position(order)
    this.feeRate = exchange.feeRateOf(this.player.operator)
  }

  /** It has traded as far as it could. */
  finish(exchange: Exchange): void {
    const { book, order } = this
    const { reals, words } = exchange.memory
    const traded = this.shares - this.remaining
    words[(order + field.filled) | 0] = traded
    words[(order + field.position) | 0] = this.position
    reals[(order + field.cost) >>> 1] = this.cost
    book.volume.add(exchange.now, traded)
    book.market.volume.add(traded)
    book.market.tradeCount += this.tradeCount
    exchange.positions.write(this.position, exchange.journal)
  }
}
