// The order that is being matched. There is one at a time, so one object serves them all; what
// will be remembered of it stands in its row.

import type { Book } from './book.ts'
import type { Exchange } from './exchange.ts'
import type { Player } from './operator.ts'

export class Incoming {
  book!: Book
  player!: Player
  /** Its row. */
  order = -1
  isSell = false
  remaining = 0
  /** Its player's position in that outcome, or -1 while there is none. */
  position = -1
  feeRate = 0

  prepare(exchange: Exchange, order: number, book: Book): void {
    const { orders } = exchange
    this.book = book
    this.player = exchange.players.at(orders.player(order))
    this.order = order
    this.isSell = orders.isSell(order)
    this.remaining = orders.remaining(order)
    this.position = orders.position(order)
    this.feeRate = exchange.feeRateOf(this.player.operator)
  }
}
