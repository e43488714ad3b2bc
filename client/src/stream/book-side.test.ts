// A side sorts its levels by price, and ignores levels beyond the end of its snapshot.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BookSide } from './book-side.ts'

const level = (price: number, shares = 1) => ({ price, shares, orderCount: 1 })
const prices = (side: BookSide) => side.levels.map(({ price }) => price)

test('bids are sorted highest first, asks lowest first, also after updates', () => {
  for (const [name, expected] of [
    ['bids', [0.5, 0.4, 0.2]],
    ['asks', [0.2, 0.4, 0.5]],
  ] as const) {
    const side = new BookSide(name)
    side.replace([level(0.3), level(0.2)])
    side.update([level(0.5), level(0.3, 0), level(0.4, 7)])
    assert.deepEqual(prices(side), expected)
    assert.equal(side.levels.find(({ price }) => price === 0.4)?.shares, 7)
  }
})

test('a side whose snapshot is cut off ignores updates beyond its last level', () => {
  const side = new BookSide('asks')
  const all = Array.from({ length: 1_000 }, (_, index) => level((index + 1) / 10_000))
  side.replace(all)
  side.update([level(0.2), level(0.05, 3)])
  assert.equal(side.levels.length, 1_000)
  assert.equal(side.isThin, false)
  side.update(all.slice(0, 501).map(({ price }) => level(price, 0)))
  assert.equal(side.isThin, true)
  side.replace([level(0.5)])
  assert.equal(side.isThin, false)
})
