// Formatting of numbers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priceLabels, totalOf } from './figures.ts'

test('prices of an axis have exactly the decimals that their step needs', () => {
  assert.deepEqual(priceLabels([0.6, 0.605, 0.61], 0.005), ['0.600', '0.605', '0.610'])
  assert.deepEqual(priceLabels([0.6, 0.62, 0.64], 0.02), ['0.60', '0.62', '0.64'])
  assert.deepEqual(priceLabels([0, 0.5, 1], 0.5), ['0.0', '0.5', '1.0'])
  assert.deepEqual(priceLabels([null, 0.5], 0.5), ['', '0.5'])
  assert.deepEqual(priceLabels([0.4001, 0.4002], 0.0001), ['0.4001', '0.4002'])
})

test('a total that is not exact is marked', () => {
  assert.equal(totalOf({ total: 10_000, totalIsExact: true }), '10,000')
  assert.equal(totalOf({ total: 10_000, totalIsExact: false }), '10,000+')
})
