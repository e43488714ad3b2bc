// Tests of a book kept from a snapshot and changes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Book, changed, withTotals } from './book.ts'

const level = (price: number, shares: number) => ({ price, shares, orderCount: 1 })
const book: Book = {
  version: 3,
  bids: [level(0.5, 10), level(0.4, 20)],
  asks: [level(0.6, 5)],
}

test('a change replaces, adds and removes levels, best first on both sides', () => {
  const next = changed(book, {
    version: 4,
    bids: [level(0.45, 7), level(0.5, 0)],
    asks: [level(0.55, 1), level(0.6, 9)],
  })
  assert.deepEqual(next, {
    version: 4,
    bids: [level(0.45, 7), level(0.4, 20)],
    asks: [level(0.55, 1), level(0.6, 9)],
  })
})

test('a change that the book has already is ignored', () => {
  assert.equal(changed(book, { version: 3, bids: [level(0.5, 0)], asks: [] }), book)
})

test('a version that is missing in between makes the book unknown', () => {
  assert.equal(changed(book, { version: 5, bids: [], asks: [] }), null)
})

test('totals count from the best price on, down to the depth shown', () => {
  const rows = withTotals([level(0.5, 10), level(0.4, 20), level(0.3, 30)], 2)
  assert.deepEqual(
    rows.map(({ total }) => total),
    [10, 30],
  )
})
