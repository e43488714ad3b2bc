// Updates candles with new trades, and chooses the interval of a range of time. Pure.

import type { Candle, TapeTrade } from '../wire.ts'

export const intervals = { '1m': 60_000, '5m': 300_000, '1h': 3_600_000, '1d': 86_400_000 } as const
export type Interval = keyof typeof intervals

const hourMs = 3_600_000
/** How long the ranges of a chart are; `all` begins with the market. */
const spans = { '1H': hourMs, '6H': 6 * hourMs, '1D': 24 * hourMs, '1W': 168 * hourMs } as const
export type Range = keyof typeof spans | 'all'

/** With more candles than these, single ones are not visible. */
const candlesMax = 500

export type Window = { readonly interval: Interval; readonly fromMs: number; readonly toMs: number }

/** The finest interval that fits into a range, which ends now. */
export function windowOf(range: Range, startedMs: number, nowMs: number): Window {
  const spanMs = range === 'all' ? Math.max(hourMs, nowMs - startedMs) : spans[range]
  const names = Object.keys(intervals) as Interval[]
  const interval = names.find((name) => spanMs / intervals[name] <= candlesMax) ?? '1d'
  return { interval, fromMs: nowMs - spanMs, toMs: nowMs }
}

export function withTrade(
  candles: readonly Candle[],
  trade: TapeTrade,
  intervalMs: number,
): readonly Candle[] {
  const time = Math.floor(trade.timestamp / intervalMs) * intervalMs
  const last = candles.at(-1)
  const { price, shares } = trade
  if (last === undefined || last.time < time) {
    const first = { open: price, high: price, low: price, close: price }
    return [...candles, { time, ...first, volume: shares, trades: 1 }]
  }
  // An older trade is already part of the loaded candles.
  if (last.time > time) return candles
  const grown: Candle = {
    ...last,
    high: Math.max(last.high, price),
    low: Math.min(last.low, price),
    close: price,
    volume: last.volume + shares,
    trades: last.trades + 1,
  }
  return [...candles.slice(0, -1), grown]
}
