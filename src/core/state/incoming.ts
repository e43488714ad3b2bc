// The order that is being placed. There is one at a time, so one object serves them all and takes
// it from step to step; what will be remembered of it stands in its row when it is done.

import type { Book } from '../book/book.ts'
import { orderField } from '../memory/layout.ts'
import type { Exchange } from './exchange.ts'

// V8 folds a constant of the module itself, but reads an imported one anew at each use.
const field = orderField

export class Incoming {
  /** Its row. */
  order = -1
  serial = 0
  isSell = false
  /** 0 for a MARKET order. */
  limit = 0
  shares = 0
  /** 0 for the usual; as options.ts packs them. */
  options = 0
  /** Before it came: of an order that is amended. */
  filledBefore = 0
  remaining = 0
  /** What its fills came to so far, in micro-units, and how many trades it made now. */
  cost = 0
  tradeCount = 0
  /** Its player's position in that outcome, or -1 while there is none. */
  position = -1
  feeRate = 0

  /** Takes over an order that stands in its row. */
  prepare({ memory, orders }: Exchange, order: number): void {
    const { reals, words } = memory
    this.order = order
    this.serial = reals[(order + field.serial) >>> 1]!
    this.isSell = orders.isSell(order)
    this.limit = words[(order + field.price) | 0]!
    this.shares = words[(order + field.shares) | 0]!
    this.options = orders.options(order)
    this.filledBefore = words[(order + field.filled) | 0]!
    this.remaining = this.shares - this.filledBefore
    this.cost = reals[(order + field.cost) >>> 1]!
    this.position = words[(order + field.position) | 0]!
  }

  /** It is about to trade. */
  begin(exchange: Exchange): void {
    const player = exchange.memory.words[(this.order + field.player) | 0]!
    this.feeRate = exchange.feeRateOf(exchange.players.at(player).operator)
    this.tradeCount = 0
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
