// What a list of markets shows of the trading in each: the last day of its favourite outcome.

import type { Serial } from '../core/ids.ts'

export type MarketSummaryQuery = {
  readonly operatorNumber: number
  /** The currencies in which the operator sees shared markets of others. */
  readonly supportedCurrencies: readonly string[]
  readonly marketSerials: readonly Serial[]
  readonly now: number
}

export type MarketSummaryRow = {
  readonly marketSerial: Serial
  readonly createdAt: number
  /** Shares traded in the last 24 hours, in all outcomes. */
  readonly volume24h: number
  /** The outcome with the highest last price; null before the first trade. */
  readonly favourite: FavouriteOutcome | null
}

export type FavouriteOutcome = {
  readonly outcomeSerial: Serial
  readonly createdAt: number
  readonly name: string
  readonly lastPrice: number
  /** The last price 24 hours ago; the first price ever if that was later. */
  readonly priceBefore: number
  /** The prices of the last 24 hours, one for each hour with trades. */
  readonly points: readonly PricePoint[]
}

export type PricePoint = { readonly time: number; readonly price: number }
