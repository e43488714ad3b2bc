// What everybody may read of the trades of an outcome: the tape, and candles. A store keeps candles
// of every interval, so that none is made from many smaller ones when it is read.

import type { Side } from '../core/words.ts'

export const candleIntervals = ['1m', '5m', '1h', '1d'] as const
export type CandleInterval = (typeof candleIntervals)[number]

/** How long they are. Hours and days are those of UTC. */
export const candleMinutes: Readonly<Record<CandleInterval, number>> = {
  '1m': 1,
  '5m': 5,
  '1h': 60,
  '1d': 24 * 60,
}

export type TapeQuery = {
  readonly outcomeSerial: number
  /** The serial of the last row of the page before; null for the first page. */
  readonly after: number | null
  readonly limit: number
}

/** A trade as everybody may see it. */
export type TapeRow = {
  readonly serial: number
  readonly createdAt: number
  readonly price: number
  readonly shares: number
  /** Of the order that came in; BUY for the legs of a MINT, SELL for those of a MERGE. */
  readonly takerSide: Side
}

export type CandleQuery = {
  readonly outcomeSerial: number
  readonly interval: CandleInterval
  /** Candles that start at or after the one and before the other; null for no bound. */
  readonly from: number | null
  readonly to: number | null
  /** Where there are more: the first of them where `from` is given, the last otherwise. */
  readonly limit: number
}

export type CandleRow = {
  /** When it starts. */
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly shares: number
  readonly trades: number
}
