// A book as displayed: levels with cumulative shares. Pure.

import type { Level } from '../wire.ts'

export type Book = {
  readonly version: number
  /** Best first. */
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
}

export type Row = Level & {
  /** Cumulative shares from the best level to this one. */
  readonly total: number
}

/** Columns of a chart. Totals are null outside of a side. */
export type Depth = {
  /** From low to high. */
  readonly prices: number[]
  readonly bids: (number | null)[]
  readonly asks: (number | null)[]
}

/** How far, in price, the chart extends beyond the last level at least. */
const marginMin = 0.02

export function withTotals(levels: readonly Level[], depth: number): readonly Row[] {
  let total = 0
  return levels.slice(0, depth).map((level) => {
    total += level.shares
    return { ...level, total }
  })
}

/** Each side extends beyond its last level, so that a single level is visible. */
export function depthOf(book: Book, depth: number): Depth {
  const bids = withTotals(book.bids, depth).toReversed()
  const asks = withTotals(book.asks, depth)
  const levels = [...bids, ...asks]
  const [low, high] = [levels[0]?.price, levels.at(-1)?.price]
  if (low === undefined || high === undefined) return { prices: [], bids: [], asks: [] }
  const margin = Math.max(marginMin, (high - low) * 0.05)
  const none = (count: number) => Array<null>(count).fill(null)
  return {
    prices: [
      Math.max(0, low - margin),
      ...levels.map(({ price }) => price),
      Math.min(1, high + margin),
    ],
    bids: [bids[0]?.total ?? null, ...bids.map(({ total }) => total), ...none(asks.length + 1)],
    asks: [...none(bids.length + 1), ...asks.map(({ total }) => total), asks.at(-1)?.total ?? null],
  }
}
