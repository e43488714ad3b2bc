// A book kept up to date: a snapshot, then changes by version. Pure.

import type { Level } from '../wire.ts'

export type Book = {
  readonly version: number
  /** Best first. */
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
}

export type BookChange = Book

/** The book after a change; the same one for a change it has; null where one is missing. */
export function changed(book: Book, change: BookChange): Book | null {
  if (change.version <= book.version) return book
  if (change.version !== book.version + 1) return null
  return {
    version: change.version,
    bids: merged(book.bids, change.bids, (a, b) => b.price - a.price),
    asks: merged(book.asks, change.asks, (a, b) => a.price - b.price),
  }
}

function merged(
  levels: readonly Level[],
  changes: readonly Level[],
  order: (a: Level, b: Level) => number,
): readonly Level[] {
  if (changes.length === 0) return levels
  const byPrice = new Map(levels.map((level) => [level.price, level]))
  for (const level of changes) {
    if (level.shares === 0) byPrice.delete(level.price)
    else byPrice.set(level.price, level)
  }
  return [...byPrice.values()].sort(order)
}

export type Row = Level & {
  /** Shares up to and with this level, from the best one on. */
  readonly total: number
}

export function withTotals(levels: readonly Level[], depth: number): readonly Row[] {
  let total = 0
  return levels.slice(0, depth).map((level) => {
    total += level.shares
    return { ...level, total }
  })
}
