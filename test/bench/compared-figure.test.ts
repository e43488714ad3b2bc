// The comparison with an earlier commit: ratios of pairs of rounds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare } from '../../bench/support/compared-figure.ts'

test('a ratio is the median over the pairs, not the ratio of the medians', () => {
  // A machine that slows down from round to round affects both services alike.
  const earlier = [10, 100, 1_000]
  const present = [5, 80, 400]
  const figure = compare('us', { earlier, present }, (value) => value)
  assert.deepEqual(figure, { name: 'us', earlier: 100, present: 80, ratio: 0.5 })
})

test('a pair with an unknown figure does not count', () => {
  const pairs = { earlier: [null, 4], present: [2, 2] }
  const figure = compare('us', pairs, (value) => value)
  assert.deepEqual(figure, { name: 'us', earlier: 4, present: 2, ratio: 0.5 })
  const none = compare('us', { earlier: [null], present: [null] }, (value) => value)
  assert.deepEqual(none, { name: 'us', earlier: null, present: null, ratio: null })
})
