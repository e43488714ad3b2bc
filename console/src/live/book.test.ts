// A book as displayed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { depthOf, withTotals } from './book.ts'

const level = (price: number, shares: number) => ({ price, shares, orderCount: 1 })

test('totals of a book accumulate from the best price, down to the depth', () => {
  const rows = withTotals([level(0.5, 10), level(0.4, 20), level(0.3, 30)], 2)
  assert.deepEqual(
    rows.map(({ total }) => total),
    [10, 30],
  )
})

test('a single level has a width in the depth chart, and the empty side has no values', () => {
  const { prices, bids, asks } = depthOf({ version: 1, bids: [level(0.4, 10)], asks: [] }, 200)
  const [from = 1, at, to = 0] = prices
  assert.ok(from < 0.39 && at === 0.4 && to > 0.41, String(prices))
  assert.deepEqual(bids, [10, 10, null])
  assert.deepEqual(asks, [null, null, null])
})

test('the depth chart goes from low to high prices and beyond the last level of each side', () => {
  const book = {
    version: 1,
    bids: [level(0.5, 10), level(0.25, 20)],
    asks: [level(0.75, 5), level(0.99, 1)],
  }
  const { prices, bids, asks } = depthOf(book, 200)
  assert.deepEqual(prices.slice(1), [0.25, 0.5, 0.75, 0.99, 1])
  assert.deepEqual(bids, [30, 30, 10, null, null, null])
  assert.deepEqual(asks, [null, null, null, 5, 6, 6])
})

test('an empty book has no depth', () => {
  assert.deepEqual(depthOf({ version: 1, bids: [], asks: [] }, 200).prices, [])
})
