// What a position is worth, in micro-units: the one home of these formulas.

import type { MarketStatus } from './words.ts'

/** PAYOUT of a resolved market, LAST price of a trade, or COST where there is neither. */
export const markSources = ['PAYOUT', 'LAST', 'COST'] as const
export type MarkSource = (typeof markSources)[number]

/** In ticks per share; null where the position is worth its cost. */
export type Mark = { readonly source: MarkSource; readonly price: number | null }

type Marked = {
  readonly status: MarketStatus
  /** What the outcome pays, in ticks; null before the market is resolved. */
  readonly payout: number | null
  /** null before the first trade. */
  readonly lastPrice: number | null
}

const atCost: Mark = { source: 'COST', price: null }

/** A cancelled market pays nothing back by itself: its positions stay at their cost. */
export function markOf({ status, payout, lastPrice }: Marked): Mark {
  if (status === 'CANCELLED') return atCost
  if (payout !== null) return { source: 'PAYOUT', price: payout }
  return lastPrice === null ? atCost : { source: 'LAST', price: lastPrice }
}

export type Holding = { readonly shares: number; readonly cost: bigint; readonly profit: bigint }

export type Valuation = {
  readonly value: bigint
  readonly unrealized: bigint
  /** Realised by trades, and not realised yet. */
  readonly total: bigint
}

export function valuationOf({ shares, cost, profit }: Holding, { price }: Mark): Valuation {
  const value = price === null ? cost : BigInt(shares) * BigInt(price)
  return { value, unrealized: value - cost, total: profit + value - cost }
}
