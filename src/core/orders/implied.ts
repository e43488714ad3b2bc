// What complete sets add to the depth of a book: the levels at which an incoming order would match
// by minting or merging, as deep as the other books go, within a limit.

import { type Depth, type DepthLevel, depthOf, levelsOf } from '../book/depth.ts'
import { noPrice } from '../money.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book } from '../state/market.ts'
import { offered, syntheticPrice } from './synthetic.ts'

/**
 * Levels of the other books that are visited for one side at most. A step visits the best of each
 * book. It makes a level of its own, except where the others pay more than one unit: then all steps
 * are at the lowest price, however many there are.
 */
const visitsMax = 32_000

/** The best levels of both sides, best first; at equal prices those of orders come first. */
export function depthWithImplied(exchange: Exchange, book: Book, levelsMax: number): Depth {
  const { bids, asks } = depthOf(exchange, book, levelsMax)
  const merged = (direct: readonly DepthLevel[], isSell: boolean) => {
    const levels = [...direct, ...impliedLevels(exchange, book, levelsMax, isSell)]
    const worseFor = isSell ? -1 : 1
    return levels.sort((a, b) => worseFor * (a.price - b.price)).slice(0, levelsMax)
  }
  return { bids: merged(bids, true), asks: merged(asks, false) }
}

// The levels with which an incoming SELL, or an incoming BUY, would match.
function impliedLevels(
  exchange: Exchange,
  book: Book,
  levelsMax: number,
  isSell: boolean,
): DepthLevel[] {
  const implied: { price: number; shares: number; orderCount: 0; isImplied: true }[] = []
  if (syntheticPrice(book, isSell) === noPrice) return implied
  const others = book.others.map(
    (other) => new LevelQueue(levelsOf(exchange, other.sideOf(isSell))),
  )
  const stepsMax = Math.ceil(visitsMax / others.length)
  exchange.visits += others.length
  for (let step = 0; step < stepsMax; step += 1) {
    const price = offered(others, isSell)
    const last = implied.at(-1)
    if (price === noPrice) break
    if (implied.length === levelsMax && last?.price !== price) break
    exchange.visits += others.length
    const shares = fewestShares(others)
    for (const level of others) level.consume(shares)
    if (last?.price === price) last.shares += shares
    else implied.push({ price, shares, orderCount: 0, isImplied: true })
  }
  return implied
}

function fewestShares(levels: readonly LevelQueue[]): number {
  let fewest = Infinity
  for (const { shares } of levels) if (shares < fewest) fewest = shares
  return fewest
}

/** The levels of a side, best first, and what is left of the best. */
class LevelQueue {
  /** Of the best level; noPrice and 0 where none is left. */
  price: number = noPrice
  shares = 0
  private readonly levels: Iterator<DepthLevel>

  constructor(levels: Iterator<DepthLevel>) {
    this.levels = levels
    this.advance()
  }

  consume(shares: number): void {
    this.shares -= shares
    if (this.shares === 0) this.advance()
  }

  private advance(): void {
    const next = this.levels.next()
    this.price = next.done === true ? noPrice : next.value.price
    this.shares = next.done === true ? 0 : next.value.shares
  }
}
