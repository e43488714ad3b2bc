// Updates candles with new trades. Pure.

import type { Candle, TapeTrade } from '../wire.ts'

export const intervals = { '1m': 60_000, '5m': 300_000, '1h': 3_600_000, '1d': 86_400_000 } as const
export type Interval = keyof typeof intervals

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
