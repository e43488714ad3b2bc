// A book as it is shown: levels with the shares up to each. Pure.

import type { Level } from '../wire.ts'

export type Book = {
  readonly version: number
  /** Best first. */
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
}

export type Row = Level & {
  /** Shares up to and with this level, from the best one on. */
  readonly total: number
}

/** Columns of a chart. Totals are null where a side has nothing. */
export type Depth = {
  /** From low to high. */
  readonly prices: number[]
  readonly bids: (number | null)[]
  readonly asks: (number | null)[]
}

/** In price, beyond the last level of each side. */
const roomLeast = 0.02

export function withTotals(levels: readonly Level[], depth: number): readonly Row[] {
  let total = 0
  return levels.slice(0, depth).map((level) => {
    total += level.shares
    return { ...level, total }
  })
}

/** Each side goes on beyond its last level, so that a single one is seen too. */
export function depthOf(book: Book, depth: number): Depth {
  const bids = withTotals(book.bids, depth).toReversed()
  const asks = withTotals(book.asks, depth)
  const levels = [...bids, ...asks]
  const [low, high] = [levels[0]?.price, levels.at(-1)?.price]
  if (low === undefined || high === undefined) return { prices: [], bids: [], asks: [] }
  const section = Math.max(roomLeast, (high - low) * 0.05)
  const none = (count: number) => Array<null>(count).fill(null)
  return {
    prices: [
      Math.max(0, low - section),
      ...levels.map(({ price }) => price),
      Math.min(1, high + section),
    ],
    bids: [bids[0]?.total ?? null, ...bids.map(({ total }) => total), ...none(asks.length + 1)],
    asks: [...none(bids.length + 1), ...asks.map(({ total }) => total), asks.at(-1)?.total ?? null],
  }
}
