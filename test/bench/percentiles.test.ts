// Percentiles and medians of measured numbers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, percentile } from '../../bench/support/percentiles.ts'

test('a percentile is the smallest number that the given part does not exceed', () => {
  const sorted = Array.from({ length: 1000 }, (_, number) => number + 1)
  assert.equal(percentile(sorted, 0.5), 500)
  assert.equal(percentile(sorted, 0.99), 990)
  assert.equal(percentile(sorted, 0.999), 999)
  assert.equal(percentile(sorted, 1), 1000)
  assert.equal(percentile([7], 0.001), 7)
  assert.equal(percentile([], 0.5), 0)
})

test('the median does not depend on the order of a list and leaves the list unchanged', () => {
  const list = [9, 1, 10]
  assert.equal(median(list), 9)
  assert.deepEqual(list, [9, 1, 10])
})
