// Prices as JSON numbers.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pricesOf } from '../book/prices.ts'
import { wirePricesOf } from './wire-prices.ts'

describe('prices on the wire', () => {
  test('are null where there is none', () => {
    assert.deepEqual(wirePricesOf(pricesOf(0, 6_000, 5_500)), {
      bestBid: null,
      bestAsk: 0.6,
      lastPrice: 0.55,
      midPrice: null,
      spread: null,
    })
  })

  test('have a midpoint to the half tick', () => {
    assert.deepEqual(wirePricesOf(pricesOf(4_000, 4_001, 3_999)), {
      bestBid: 0.4,
      bestAsk: 0.4001,
      lastPrice: 0.3999,
      midPrice: 0.40005,
      spread: 0.0001,
    })
  })

  test('print as short decimals, whatever the floating-point error', () => {
    for (let bid = 1; bid < 9_999; bid += 7) {
      for (const ask of [bid + 1, bid + 3, 9_999]) {
        const { bestBid, midPrice, spread } = wirePricesOf(pricesOf(bid, ask, 0))
        assert.match(`${bestBid} ${spread}`, /^0\.\d{1,4} 0\.\d{1,4}$/)
        assert.match(String(midPrice), /^0\.\d{1,5}$/)
      }
    }
  })
})
