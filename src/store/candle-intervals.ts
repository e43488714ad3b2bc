// The intervals that candles can be asked for. A store keeps those of every interval, so that none
// is made from many smaller ones when it is read.

export const candleIntervals = ['1m', '5m', '1h', '1d'] as const
export type CandleInterval = (typeof candleIntervals)[number]

/** How long they are. Hours and days are those of UTC. */
export const candleMinutes: Readonly<Record<CandleInterval, number>> = {
  '1m': 1,
  '5m': 5,
  '1h': 60,
  '1d': 24 * 60,
}
