// Levels stand in the order of their prices, and those beyond a snapshot's reach are not guessed.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BookSide } from './book-side.ts'

const level = (price: number, shares = 1) => ({ price, shares, orderCount: 1 })
const prices = (side: BookSide) => side.levels.map(({ price }) => price)

test('bids stand highest first, asks lowest first, and changes find their place', () => {
  for (const [name, expected] of [
    ['bids', [0.5, 0.4, 0.2]],
    ['asks', [0.2, 0.4, 0.5]],
  ] as const) {
    const side = new BookSide(name)
    side.take([level(0.3), level(0.2)])
    side.change([level(0.5), level(0.3, 0), level(0.4, 7)])
    assert.deepEqual(prices(side), expected)
    assert.equal(side.levels.find(({ price }) => price === 0.4)?.shares, 7)
  }
})

test('of a book that is deeper than a snapshot, changes beyond its edge are left out', () => {
  const side = new BookSide('asks')
  const all = Array.from({ length: 1_000 }, (_, index) => level((index + 1) / 10_000))
  side.take(all)
  side.change([level(0.2), level(0.05, 3)])
  assert.equal(side.levels.length, 1_000)
  assert.equal(side.isThin, false)
  side.change(all.slice(0, 501).map(({ price }) => level(price, 0)))
  assert.equal(side.isThin, true)
  side.take([level(0.5)])
  assert.equal(side.isThin, false)
})
