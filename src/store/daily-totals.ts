// The trades of an operator, added up by day.

import type { Serial } from '../core/ids.ts'

/** Of UTC. */
export const dayMs = 86_400_000

export type DailyTotalsQuery = {
  readonly operatorNumber: number
  readonly marketSerial: Serial | null
  /** The category that a market has now. */
  readonly categoryId: string | null
  /** Days since 1970, in UTC; both are included. */
  readonly firstDay: number
  readonly lastDay: number
  /** The read ends with the day in which it has read so many, and other reads run. */
  readonly tradesMax: number
}

export type DailyTotals = {
  /** In order of time; days without trades are left out. */
  readonly days: readonly DayTotals[]
  /** The first day that was not read; null if all were. */
  readonly nextDay: number | null
  /** The day of the newest trade of all operators: no trade is added to a day before it. */
  readonly openDay: number
  /** How many trades were read, also of others in the market. */
  readonly tradesRead: number
}

export type DayTotals = {
  /** Since 1970, in UTC. */
  readonly day: number
  /** Each trade counts once, with the operator on one side or on both. */
  readonly trades: number
  /** In hundredths. */
  readonly shares: bigint
  /** Of the operator's own sides, in units of 1e-10. */
  readonly fees: bigint
  /** Its own players with a trade, each once. */
  readonly players: number
}
