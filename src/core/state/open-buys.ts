// What the open BUY orders of a player still want to buy, by outcome. It is kept only for a player
// that has a limit: without it, each of its orders would need a search of all books.

import type { BookHandle } from '../memory/slots.ts'
import { Sum } from '../memory/sum.ts'

type OpenBuy = { shares: number; readonly cost: Sum }

export class OpenBuys {
  /** Without outcomes of which it wants none. */
  private readonly byBook = new Map<BookHandle, OpenBuy>()

  /** Counts what an open order wants, in hundredths; negative for what it wants no more. */
  count(book: BookHandle, { shares, price }: { shares: number; price: number }): void {
    if (shares === 0) return
    const known = this.byBook.get(book)
    const counted = known ?? { shares: 0, cost: new Sum() }
    counted.shares += shares
    counted.cost.add(shares * price)
    if (counted.shares === 0) this.byBook.delete(book)
    else if (known === undefined) this.byBook.set(book, counted)
  }

  /** In hundredths. */
  shares(book: BookHandle): number {
    return this.byBook.get(book)?.shares ?? 0
  }

  /** At the limits of the orders, in micro-units. */
  cost(book: BookHandle): bigint {
    return this.byBook.get(book)?.cost.exact ?? 0n
  }

  get books(): readonly BookHandle[] {
    return [...this.byBook.keys()]
  }
}
