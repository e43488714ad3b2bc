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

export function withTotals(levels: readonly Level[], depth: number): readonly Row[] {
  let total = 0
  return levels.slice(0, depth).map((level) => {
    total += level.shares
    return { ...level, total }
  })
}
