// The public data about the trades of an outcome: the tape and candles. A store keeps candles of
// every interval, so that a read never combines many smaller ones.

import type { Serial } from '../core/ids.ts'
import type { Side } from '../core/words.ts'

export const candleIntervals = ['1m', '5m', '1h', '1d'] as const
export type CandleInterval = (typeof candleIntervals)[number]

/** The length of a candle. Hours and days begin in UTC. */
export const candleMinutes: Readonly<Record<CandleInterval, number>> = {
  '1m': 1,
  '5m': 5,
  '1h': 60,
  '1d': 24 * 60,
}

export type TapeQuery = {
  readonly outcomeSerial: Serial
  /** The serial of the last row of the previous page; null for the first page. */
  readonly after: number | null
  /** Only trades with a higher serial. */
  readonly since?: number
  readonly limit: number
}

/** A trade without its parties. */
export type TapeRow = {
  readonly serial: Serial
  readonly createdAt: number
  readonly price: number
  readonly shares: number
  /** The side of the incoming order; BUY for legs of a MINT, SELL for legs of a MERGE. */
  readonly takerSide: Side
}

export type CandleQuery = {
  readonly outcomeSerial: Serial
  readonly interval: CandleInterval
  /** Candles that start at or after `from` and before `to`; null for no bound. */
  readonly from: number | null
  readonly to: number | null
  /** If more candles match: the first ones if `from` is given, otherwise the last ones. */
  readonly limit: number
}

export type CandleRow = {
  /** The start of the candle. */
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly shares: number
  readonly trades: number
}
