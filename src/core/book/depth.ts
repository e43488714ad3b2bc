// The depth of a book: its best levels, in steps.

import type { BookSide } from '../memory/ladders.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book } from '../state/market.ts'

export type DepthLevel = {
  readonly price: number
  readonly shares: number
  readonly orderCount: number
  /** Set on a level that complete sets would offer: no order rests there. */
  readonly isImplied?: true
}

export type Depth = { readonly bids: readonly DepthLevel[]; readonly asks: readonly DepthLevel[] }

/** At most that many levels of each side, best first. */
export function depthOf(exchange: Exchange, book: Book, levelsMax: number): Depth {
  return {
    bids: [...levelsOf(exchange, book.bids).take(levelsMax)],
    asks: [...levelsOf(exchange, book.asks).take(levelsMax)],
  }
}

/** The levels of one side, best first. */
export function* levelsOf({ ladders, levels }: Exchange, side: BookSide): Generator<DepthLevel> {
  for (let depth = 0; depth < side.length; depth += 1) {
    const level = ladders.at(side, depth)
    yield {
      price: levels.price(level),
      shares: levels.shares(level),
      orderCount: levels.orderCount(level),
    }
  }
}
