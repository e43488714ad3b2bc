// A tape that is loaded and then continued by the stream.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeTrades } from './tape.ts'

const trade = (timestamp: number, shares: number) =>
  ({ timestamp, shares, price: 0.5, takerSide: 'BUY' }) as const

test('a trade that is both loaded and received appears once, newest first', () => {
  const loaded = [trade(20, 2), trade(20, 1), trade(10, 1)]
  const received = [trade(30, 4), trade(30, 3), trade(20, 2), trade(20, 1), trade(10, 1)]
  assert.deepEqual(mergeTrades(loaded, received), [trade(30, 4), trade(30, 3), ...loaded])
  assert.deepEqual(mergeTrades([], received), received)
})

test('a trade received in the same millisecond as the newest loaded one appears as well', () => {
  const loaded = [trade(20, 1), trade(10, 1)]
  const received = [trade(20, 7), trade(20, 1)]
  assert.deepEqual(mergeTrades(loaded, received), [trade(20, 7), ...loaded])
})
