// Price bands in forms and on the page of a market.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bandExample, bandInWords, bandOf, typedBandOf } from './price-band.ts'

test('a band is read back as it was typed, and null is none', () => {
  const typed = typedBandOf({ maxMove: '0.1', suspendOnBand: true })
  assert.deepEqual(bandOf(typed), { maxMove: 0.1, suspendOnBand: true })
  assert.equal(bandOf(typedBandOf(null)), null)
  assert.equal(bandOf({ ...typed, isOn: false }), null)
  assert.throws(() => bandOf({ ...typed, maxMove: '' }), /Enter the largest move/)
})

test('the example has the prices of both ends, within 0 and 1', () => {
  assert.equal(bandExample('0.1'), 'From 0.50, one order trades between 0.40 and 0.60.')
  assert.equal(bandExample('0,0005'), 'From 0.50, one order trades between 0.4995 and 0.5005.')
  assert.equal(bandExample('0.8'), 'From 0.50, one order trades between 0.00 and 1.00.')
  for (const typed of ['', '0', 'x', '1.5']) assert.equal(bandExample(typed), '')
})

test('a band in words says when it suspends the market', () => {
  const band = { maxMove: '0.05', suspendOnBand: false }
  assert.equal(bandInWords(band), 'One order moves a price by at most 0.05.')
  assert.match(bandInWords({ ...band, suspendOnBand: true }), /the market is suspended/)
})
