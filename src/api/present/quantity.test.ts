// Decimal texts: the cached ones equal the computed ones.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimals, textOf } from '../../core/money.ts'
import { averageText, feeText, moneyText, priceText, sharesText } from './quantity.ts'
import { timeText } from './time.ts'

test('cached and computed texts of shares and prices are equal', () => {
  for (let steps = 0; steps <= 10_100; steps += 1) {
    assert.equal(sharesText(steps), textOf(steps, decimals.shares))
    assert.equal(priceText(steps), textOf(steps, decimals.price))
  }
  assert.equal(sharesText(Number.MAX_SAFE_INTEGER), '90071992547409.91')
})

test('money, fees and averages are canonical decimals', () => {
  assert.equal(moneyText(13_750_000), '13.75')
  assert.equal(moneyText(-1n), '-0.000001')
  assert.equal(feeText(2_750_000_000), '0.275')
  assert.equal(averageText(0), '0')
  assert.equal(averageText(55_000_000), '0.55')
})

test('times are ISO 8601, whichever time was formatted before', () => {
  assert.equal(timeText(0), '1970-01-01T00:00:00.000Z')
  assert.equal(timeText(1_767_225_600_001), '2026-01-01T00:00:00.001Z')
  assert.equal(timeText(0), '1970-01-01T00:00:00.000Z')
})
