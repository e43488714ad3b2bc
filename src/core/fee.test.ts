// The fee of a side: its rate, and the exact amount.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { feeLimitOf, feeOf, feeRateOf } from './fee.ts'
import { type FeeRate, feeRateMax, sharesCeiling, ticksPerUnit } from './money.ts'

const twoPercent = 200 as FeeRate
const noFee = 0 as FeeRate

describe('the fee rate of an operator', () => {
  test('is its own rate where it has one, even if that is 0', () => {
    assert.equal(feeRateOf(137 as FeeRate, twoPercent), 137)
    assert.equal(feeRateOf(noFee, twoPercent), 0)
  })

  test('is the default rate where it has none', () => {
    assert.equal(feeRateOf(null, twoPercent), 200)
  })
})

describe('a fee', () => {
  test('is the value times the rate, in units of 1e-10', () => {
    assert.equal(feeOf({ price: 1_234, shares: 123 }, 137 as FeeRate), 20_794_134)
  })

  test('is exact up to the largest order at the highest price and rate', () => {
    const largest = { price: ticksPerUnit, shares: sharesCeiling }
    const fee = BigInt(ticksPerUnit) * BigInt(sharesCeiling) * BigInt(feeRateMax)
    assert.equal(BigInt(feeOf(largest, feeRateMax)), fee)
    assert(Number.isSafeInteger(feeOf(largest, feeRateMax)))
  })

  test('limit of open orders is exact past 2^53', () => {
    const value = 2n ** 60n + 1n
    assert.equal(feeLimitOf(value, twoPercent), value * 200n)
  })
})
