// The prices of an outcome: best bid and ask, last price, midpoint and spread.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Prices, pricesOf } from './prices.ts'

const none: Prices = {
  bestBid: null,
  bestAsk: null,
  lastPrice: null,
  midPriceHalfTicks: null,
  spread: null,
}

describe('prices', () => {
  test('are null where there is none', () => {
    assert.deepEqual(pricesOf(0, 0, 0), none)
  })

  test('of one side alone make neither midpoint nor spread', () => {
    assert.deepEqual(pricesOf(4_000, 0, 0), { ...none, bestBid: 4_000 })
    assert.deepEqual(pricesOf(0, 6_000, 5_500), { ...none, bestAsk: 6_000, lastPrice: 5_500 })
  })

  test('of both sides have a midpoint to the half tick', () => {
    assert.deepEqual(pricesOf(4_000, 4_001, 3_999), {
      bestBid: 4_000,
      bestAsk: 4_001,
      lastPrice: 3_999,
      midPriceHalfTicks: 8_001,
      spread: 1,
    })
  })
})
