// Prices and volumes of a chart.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aboveBand, bandShare, lowestOf } from './chart-band.ts'

test('no price is drawn in the band of the volumes', () => {
  const [min, max] = aboveBand([0.4, 0.7])
  const heightOf = (price: number) => (price - min) / (max - min)
  assert.equal(max, 0.7)
  assert.ok(heightOf(0.4) > bandShare)
  assert.ok(Math.abs(lowestOf([min, max]) - 0.4) < 1e-9)
})
