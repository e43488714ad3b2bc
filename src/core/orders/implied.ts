// What complete sets add to the depth of a book: the levels at which an incoming order would match
// by minting or merging, as deep as the other books go.

import type { Book } from '../book/book.ts'
import { type Depth, type DepthLevel, depthOf } from '../book/prices.ts'
import { type BookSide, levelAt, priceOf } from '../memory/ladders.ts'
import { rankOf, sharesOf } from '../memory/levels.ts'
import { none } from '../memory/memory.ts'
import type { Exchange } from '../state/exchange.ts'
import { offered, syntheticPrice } from './synthetic.ts'

/** The best levels of both sides, best first; at equal prices the orders come first. */
export function depthWithImplied(exchange: Exchange, book: Book, depth: number): Depth {
  const { bids, asks } = depthOf(exchange, book, depth)
  const merged = (real: readonly DepthLevel[], isSell: boolean) => {
    const levels = [...real, ...impliedLevels(exchange, book, depth, isSell)]
    const worseFor = isSell ? -1 : 1
    return levels.sort((a, b) => worseFor * (a.price - b.price)).slice(0, depth)
  }
  return { bids: merged(bids, true), asks: merged(asks, false) }
}

// Those that an incoming SELL, or an incoming BUY, would meet.
function impliedLevels(
  exchange: Exchange,
  book: Book,
  depth: number,
  isSell: boolean,
): DepthLevel[] {
  const shown: { price: number; shares: number; orderCount: 0; isImplied: true }[] = []
  if (syntheticPrice(book, isSell) === 0) return shown
  const others = book.market.books
    .filter((other) => other !== book)
    .map((other) => new Levels(exchange, isSell ? other.asks : other.bids))
  for (;;) {
    const price = offered(others, isSell)
    const last = shown.at(-1)
    if (price === 0 || (shown.length === depth && last?.price !== price)) return shown
    const shares = Math.min(...others.map((level) => level.shares))
    for (const level of others) level.take(shares)
    if (last?.price === price) last.shares += shares
    else shown.push({ price, shares, orderCount: 0, isImplied: true })
  }
}

/** The levels of a side, best first, and what is left of the best. */
class Levels {
  price = 0
  shares = 0
  private readonly exchange: Exchange
  private readonly side: BookSide
  private depth = 0

  constructor(exchange: Exchange, side: BookSide) {
    this.exchange = exchange
    this.side = side
    this.look()
  }

  take(shares: number): void {
    this.shares -= shares
    if (this.shares > 0) return
    this.depth += 1
    this.look()
  }

  private look(): void {
    const { memory } = this.exchange
    const level = levelAt(memory, this.side, this.depth)
    this.price = level === none ? 0 : priceOf(rankOf(memory, level))
    this.shares = level === none ? 0 : sharesOf(memory, level)
  }
}
