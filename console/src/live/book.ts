// A book as displayed: levels, perhaps grouped, with cumulative shares. Pure.

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
    total = Math.round((total + level.shares) * 100) / 100
    return { ...level, total }
  })
}

const ticksPerUnit = 10_000

/**
 * Levels joined into groups of so many ticks. The price of a group is its worst one, so that an
 * order at it reaches the whole group.
 */
export function grouping(levels: readonly Level[], side: 'bid' | 'ask', ticks: number) {
  if (ticks === 1) return levels
  const round = side === 'bid' ? Math.floor : Math.ceil
  const groups = new Map<number, Level>()
  for (const level of levels) {
    const at = round(Math.round(level.price * ticksPerUnit) / ticks)
    const group = groups.get(at)
    const price = Math.min(1, (at * ticks) / ticksPerUnit)
    groups.set(at, group === undefined ? { ...level, price } : joined(group, level))
  }
  return [...groups.values()]
}

function joined(group: Level, level: Level): Level {
  return {
    ...group,
    shares: Math.round((group.shares + level.shares) * 100) / 100,
    orderCount: group.orderCount + level.orderCount,
    ...(level.implied === true ? { implied: true } : {}),
  }
}

/** Sums of prices, exact to the tick; null for an empty list. */
export function totalOfPrices(prices: readonly number[]): number | null {
  if (prices.length === 0) return null
  return prices.reduce((sum, price) => sum + Math.round(price * ticksPerUnit), 0) / ticksPerUnit
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
