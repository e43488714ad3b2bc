// Lines of several outcomes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesAt } from './lines.ts'

const candle = (time: number, close: number) =>
  ({ time, open: close, high: close, low: close, close, volume: 1, trades: 1 }) as const

test('a price lasts until the next trade of its outcome, at the times of all', () => {
  const { times, prices } = linesAt([
    { outcomeId: 'yes', candles: [candle(20, 0.5), candle(40, 0.6)] },
    { outcomeId: 'no', candles: [candle(10, 0.4), candle(30, 0.3)] },
    { outcomeId: 'perhaps', candles: [] },
  ])
  assert.deepEqual(times, [10, 20, 30, 40])
  assert.deepEqual(prices, [
    [null, 0.5, 0.5, 0.6],
    [0.4, 0.4, 0.3, 0.3],
    [null, null, null, null],
  ])
})
