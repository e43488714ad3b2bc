// A book as displayed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { depthOf, grouping, totalOfPrices, withTotals } from './book.ts'

const level = (price: number, shares: number) => ({ price, shares, orderCount: 1 })

test('totals of a book accumulate from the best price, down to the depth', () => {
  const rows = withTotals([level(0.5, 10), level(0.4, 20), level(0.3, 30)], 2)
  assert.deepEqual(
    rows.map(({ total }) => total),
    [10, 30],
  )
})

test('groups have the price at which an order reaches all of them', () => {
  const bids = [level(0.5009, 1), level(0.5001, 2), level(0.4999, 4), level(0.499, 8)]
  const asks = [level(0.5011, 1), level(0.502, 2.2), level(0.5021, 4.1)]
  const shown = (side: 'bid' | 'ask', ticks: number) =>
    grouping(side === 'bid' ? bids : asks, side, ticks).map(({ price, shares }) => [price, shares])
  assert.deepEqual(shown('bid', 10), [
    [0.5, 3],
    [0.499, 12],
  ])
  assert.deepEqual(shown('ask', 10), [
    [0.502, 3.2],
    [0.503, 4.1],
  ])
  assert.deepEqual(shown('bid', 5), [
    [0.5005, 1],
    [0.5, 2],
    [0.4995, 4],
    [0.499, 8],
  ])
  assert.equal(grouping(bids, 'bid', 1), bids)
  assert.deepEqual(grouping([level(0.9999, 1)], 'ask', 100)[0]?.price, 1)
  assert.equal(grouping(bids, 'bid', 100)[0]?.orderCount, 2)
})

test('a total of prices is exact to the tick', () => {
  assert.equal(totalOfPrices([0.1, 0.2, 0.7001]), 1.0001)
  assert.equal(totalOfPrices([]), null)
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
