// Candles that are updated with trades.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { windowOf, withTrade } from './candles.ts'

test('a range has the finest interval whose candles are still distinguishable', () => {
  const [hour, now] = [3_600_000, 1e12]
  const of = (range: '1H' | '6H' | '1D' | '1W' | 'all', ageHours = 0) => {
    const { interval, fromMs, toMs } = windowOf(range, now - ageHours * hour, now)
    return [interval, (toMs - fromMs) / hour]
  }
  assert.deepEqual(of('1H'), ['1m', 1])
  assert.deepEqual(of('6H'), ['1m', 6])
  assert.deepEqual(of('1D'), ['5m', 24])
  assert.deepEqual(of('1W'), ['1h', 168])
  assert.deepEqual(of('all', 0.1), ['1m', 1])
  assert.deepEqual(of('all', 24 * 10), ['1h', 240])
  assert.deepEqual(of('all', 24 * 100), ['1d', 2_400])
})

const trade = (timestamp: number, price: number) =>
  ({ timestamp, price, shares: 2, takerSide: 'BUY' }) as const

test('a trade in the last interval updates the high, low, close and volume of its candle', () => {
  const first = withTrade([], trade(60_001, 0.5), 60_000)
  const [candle, ...others] = withTrade(
    withTrade(first, trade(60_002, 0.7), 60_000),
    trade(60_003, 0.4),
    60_000,
  )
  assert.deepEqual(others, [])
  assert.deepEqual(candle, {
    time: 60_000,
    open: 0.5,
    high: 0.7,
    low: 0.4,
    close: 0.4,
    volume: 6,
    trades: 3,
  })
})

test('a trade in a later interval adds a candle, and an older trade changes nothing', () => {
  const two = withTrade(withTrade([], trade(10, 0.5), 60_000), trade(60_000, 0.6), 60_000)
  assert.deepEqual(
    two.map(({ time }) => time),
    [0, 60_000],
  )
  assert.equal(withTrade(two, trade(59_999, 0.9), 60_000), two)
})
