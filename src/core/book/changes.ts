// The facts of a book that has changed.

import { assert } from '../assert.ts'
import type { BookSide } from '../memory/ladders.ts'
import type { LevelRow } from '../memory/memory.ts'
import { noPrice } from '../money.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book } from '../state/market.ts'

/** Writes the fact of a level as it is now. */
export function writeLevel({ journal, levels }: Exchange, side: BookSide, level: LevelRow): void {
  journal.add({
    kind: 'LEVEL',
    side,
    price: levels.price(level),
    shares: levels.shares(level),
    orderCount: levels.orderCount(level),
  })
}

/** Writes the fact of a book that the command has changed and is done with. */
export function writeBook({ journal }: Exchange, book: Book): void {
  const bestBid = book.bids.bestPrice
  const bestAsk = book.asks.bestPrice
  assert(bestAsk === noPrice || bestBid < bestAsk, 'a book is never crossed')
  journal.add({ kind: 'BOOK', book, bestBid, bestAsk, lastPrice: book.lastPrice })
}
