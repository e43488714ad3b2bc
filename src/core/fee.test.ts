// The fee of a side: what an operator pays, and the exact amount.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type FeeSchedule,
  feeLimitOf,
  feeOf,
  feesOf,
  isFeeSchedule,
  linearFees,
  mayBeFee,
} from './fee.ts'
import { type FeeRate, feeRateMax, sharesCeiling, ticksPerUnit } from './money.ts'

const rate = (steps: number) => steps as FeeRate
const twoPercent = rate(200)
const noFee = rate(0)
const quadratic = (takerRate: number, makerRate = 0): FeeSchedule => {
  return { model: 'QUADRATIC', takerRate: rate(takerRate), makerRate: rate(makerRate) }
}

describe('the fees of an operator', () => {
  test('are its own rate for both roles where it has one, even if that is 0', () => {
    assert.deepEqual(feesOf({ feeRate: rate(137) }, twoPercent), linearFees(rate(137)))
    assert.deepEqual(feesOf({ feeRate: noFee }, twoPercent), linearFees(noFee))
  })

  test('are the default rate where it has none', () => {
    assert.deepEqual(feesOf({ feeRate: null }, twoPercent), linearFees(twoPercent))
  })

  test('are its schedule where it has one, whatever its rate', () => {
    const feeSchedule = quadratic(700, 50)
    assert.equal(feesOf({ feeRate: rate(137), feeSchedule }, twoPercent), feeSchedule)
  })
})

describe('a LINEAR fee', () => {
  test('is the value times the rate, in units of 1e-10', () => {
    const fill = { price: 1_234, shares: 123 }
    assert.equal(feeOf(fill, linearFees(rate(137)), 'TAKER'), 20_794_134)
  })

  test('has a rate for each role', () => {
    const fees: FeeSchedule = { model: 'LINEAR', takerRate: twoPercent, makerRate: rate(50) }
    const fill = { price: 5_000, shares: 1_000 }
    assert.equal(feeOf(fill, fees, 'TAKER'), 1_000_000_000)
    assert.equal(feeOf(fill, fees, 'MAKER'), 250_000_000)
  })

  test('is exact up to the largest order at the highest price and rate', () => {
    const largest = { price: ticksPerUnit, shares: sharesCeiling }
    const exact = BigInt(ticksPerUnit) * BigInt(sharesCeiling) * BigInt(feeRateMax)
    const fee = feeOf(largest, linearFees(feeRateMax), 'TAKER')
    assert.equal(BigInt(fee), exact)
    assert(Number.isSafeInteger(fee))
  })
})

describe('a QUADRATIC fee', () => {
  test('is shares x price x (1 - price) x percent', () => {
    // 100 shares at 0.6 and 7 %: 100 x 0.6 x 0.4 x 0.07 = 1.68
    assert.equal(feeOf({ price: 6_000, shares: 10_000 }, quadratic(700), 'TAKER'), 16_800_000_000)
    assert.equal(feeOf({ price: 4_000, shares: 10_000 }, quadratic(700), 'TAKER'), 16_800_000_000)
    assert.equal(feeOf({ price: 6_000, shares: 10_000 }, quadratic(700), 'MAKER'), 0)
  })

  test('is floored to 1e-10', () => {
    // 0.01 x 0.0001 x 0.9999 x 0.0001 = 9.999e-11
    assert.equal(feeOf({ price: 1, shares: 1 }, quadratic(1), 'TAKER'), 0)
    assert.equal(feeOf({ price: 1, shares: 2 }, quadratic(1), 'TAKER'), 1)
  })

  test('is the floor of the exact product, also past 2^53', () => {
    for (const shares of [1, 99, 12_345_678, 89_999_999, sharesCeiling]) {
      for (const price of [1, 3_333, 4_999, 5_000, 5_001, 9_999]) {
        for (const percent of [1, 77, 3_333, 9_999, 10_000]) {
          const product = [shares, price, ticksPerUnit - price, percent]
            .map(BigInt)
            .reduce((one, other) => one * other)
          const fee = feeOf({ price, shares }, quadratic(percent), 'TAKER')
          assert.equal(BigInt(fee), product / 10_000n, `${shares} at ${price}, ${percent}`)
        }
      }
    }
  })
})

describe('the fee limit of open orders', () => {
  const orders = 7
  const spreadRest = 9_999
  const spread = 10_000n * 2n ** 59n + BigInt(orders * spreadRest)
  const sums = { value: 2n ** 60n + 1n, spread, spreadRest, orders }

  test('is of the maker, and exact past 2^53', () => {
    const linear: FeeSchedule = { model: 'LINEAR', takerRate: rate(900), makerRate: twoPercent }
    assert.equal(feeLimitOf(sums, linear), sums.value * 200n)
    // 9,999 x 200 / 10,000 is 199.98, and each of the seven pays 199 of it.
    assert.equal(feeLimitOf(sums, quadratic(900, 200)), 2n ** 59n * 200n + 7n * 199n)
  })

  test('is what one trade of each costs', () => {
    const open = [1, 2, 3, 4].map((lots) => ({ price: 3_333, shares: lots * 10_000 + 7 }))
    for (const fees of [quadratic(900, 123), linearFees(rate(123))]) {
      const fee = open.reduce((sum, each) => sum + feeOf(each, fees, 'MAKER'), 0)
      const spreads = open.map(({ price, shares }) => shares * price * (ticksPerUnit - price))
      const together = {
        value: BigInt(open.reduce((sum, { price, shares }) => sum + shares * price, 0)),
        spread: BigInt(spreads.reduce((sum, each) => sum + each, 0)),
        spreadRest: spreads[0]! % feeRateMax,
        orders: open.length,
      }
      assert.equal(feeLimitOf(together, fees), BigInt(fee))
    }
  })
})

test('a fee fits its trade if some rate gives it', () => {
  const fill = { price: 3_333, shares: 12_345 }
  for (const percent of [1, 77, 9_999, 10_000]) {
    for (const fees of [quadratic(percent), linearFees(rate(percent))]) {
      const fee = feeOf(fill, fees, 'TAKER')
      assert(mayBeFee(fee, fill))
      assert(!mayBeFee(fee + 1, fill))
      assert(!mayBeFee(-fee, fill))
    }
  }
  assert(mayBeFee(0, fill))
  assert(!mayBeFee(feeOf(fill, linearFees(feeRateMax), 'TAKER') + 3_333 * 12_345, fill))
})

test('a schedule has rates from 0 to 100 %', () => {
  for (const fees of [quadratic(0, 10_000), quadratic(10_000)]) assert(isFeeSchedule(fees))
  const wrong = [quadratic(-1), quadratic(10_001), quadratic(0, 1.5), quadratic(0, NaN)]
  for (const fees of wrong) assert(!isFeeSchedule(fees))
})
