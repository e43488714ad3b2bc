// Tests of a book as it is shown.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withTotals } from './book.ts'

const level = (price: number, shares: number) => ({ price, shares, orderCount: 1 })

test('totals count from the best price on, down to the depth shown', () => {
  const rows = withTotals([level(0.5, 10), level(0.4, 20), level(0.3, 30)], 2)
  assert.deepEqual(
    rows.map(({ total }) => total),
    [10, 30],
  )
})
