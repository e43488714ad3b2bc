// Candles that are updated with trades.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withTrade } from './candles.ts'

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
