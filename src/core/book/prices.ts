// What a book shows: its best prices and its depth.

import { type BookSide, levelAt, priceOf } from '../memory/ladders.ts'
import { orderCountOf, rankOf, sharesOf } from '../memory/levels.ts'
import { none } from '../memory/memory.ts'
import { decimals, numberOf } from '../money.ts'
import type { Exchange } from '../state/exchange.ts'
import { type Book, noPrice } from './book.ts'

/** The prices of an outcome as JSON numbers; null where there is none. */
export type Prices = {
  readonly bestBid: number | null
  readonly bestAsk: number | null
  readonly lastPrice: number | null
  readonly midPrice: number | null
  readonly spread: number | null
}

/** From ticks, with noPrice where there is none. */
export function pricesOf(bestBid: number, bestAsk: number, lastPrice: number): Prices {
  const hasBoth = bestBid !== noPrice && bestAsk !== noPrice
  return {
    bestBid: priceNumber(bestBid),
    bestAsk: priceNumber(bestAsk),
    lastPrice: priceNumber(lastPrice),
    // Half a tick is the finest a midpoint can be: five decimals show it exactly.
    midPrice: hasBoth ? numberOf((bestBid + bestAsk) * 5, decimals.price + 1) : null,
    spread: hasBoth ? numberOf(bestAsk - bestBid, decimals.price) : null,
  }
}

function priceNumber(ticks: number): number | null {
  return ticks === noPrice ? null : numberOf(ticks, decimals.price)
}

/** A level in steps. */
export type DepthLevel = {
  readonly price: number
  readonly shares: number
  readonly orderCount: number
  /** What complete sets would offer: no order rests there. */
  readonly isImplied?: true
}

export type Depth = { readonly bids: readonly DepthLevel[]; readonly asks: readonly DepthLevel[] }

/** The best levels of both sides, best first. */
export function depthOf(exchange: Exchange, book: Book, depth: number): Depth {
  return { bids: levelsOf(exchange, book.bids, depth), asks: levelsOf(exchange, book.asks, depth) }
}

function levelsOf(exchange: Exchange, side: BookSide, depth: number): DepthLevel[] {
  const { memory } = exchange
  const shown: DepthLevel[] = []
  for (let at = 0; at < depth; at += 1) {
    const level = levelAt(memory, side, at)
    if (level === none) break
    shown.push({
      price: priceOf(rankOf(memory, level)),
      shares: sharesOf(memory, level),
      orderCount: orderCountOf(memory, level),
    })
  }
  return shown
}
