// What a book shows: best prices, midpoint, spread and depth.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange, type TestExchange } from '../../../test/support/core/exchange.ts'
import { depthOf, type Prices, pricesOf } from './prices.ts'

const none: Prices = {
  bestBid: null,
  bestAsk: null,
  lastPrice: null,
  midPrice: null,
  spread: null,
}

describe('prices', () => {
  test('are null where there is none', () => {
    assert.deepEqual(pricesOf(0, 0, 0), none)
  })

  test('of one side alone make neither midpoint nor spread', () => {
    assert.deepEqual(pricesOf(4_000, 0, 0), { ...none, bestBid: 0.4 })
    assert.deepEqual(pricesOf(0, 6_000, 5_500), { ...none, bestAsk: 0.6, lastPrice: 0.55 })
  })

  test('of both sides do, to the half tick', () => {
    assert.deepEqual(pricesOf(4_000, 4_001, 3_999), {
      bestBid: 0.4,
      bestAsk: 0.4001,
      lastPrice: 0.3999,
      midPrice: 0.40005,
      spread: 0.0001,
    })
  })

  test('print as short decimals, whatever the floats', () => {
    for (let bid = 1; bid < 9_999; bid += 7) {
      for (const ask of [bid + 1, bid + 3, 9_999]) {
        const { bestBid, midPrice, spread } = pricesOf(bid, ask, 0)
        assert.match(`${bestBid} ${spread}`, /^0\.\d{1,4} 0\.\d{1,4}$/)
        assert.match(String(midPrice), /^0\.\d{1,5}$/)
      }
    }
  })
})

describe('depth', () => {
  /** Bids at 40, 39 and 38 and asks at 60, 61 and 62 cents; two orders at the best of each. */
  function fullBook(): TestExchange {
    const exchange = newExchange()
    exchange.mint('ann', 100)
    for (const price of [0.38, 0.4, 0.39, 0.4]) exchange.buy('bob', 10, price)
    for (const price of [0.62, 0.6, 0.61, 0.6]) exchange.sell('ann', 10, price)
    return exchange
  }

  test('is best first, with shares and orders of each level added up', () => {
    const exchange = fullBook()
    const level = (price: number, orderCount = 1) => ({
      price,
      shares: orderCount * 1_000,
      orderCount,
    })
    assert.deepEqual(depthOf(exchange.core, exchange.market().books[0]!, 10), {
      bids: [level(4_000, 2), level(3_900), level(3_800)],
      asks: [level(6_000, 2), level(6_100), level(6_200)],
    })
  })

  test('is cut to the levels asked for, on each side', () => {
    const exchange = fullBook()
    const { bids, asks } = depthOf(exchange.core, exchange.market().books[0]!, 2)
    assert.deepEqual([bids.length, asks.length], [2, 2])
  })

  test('counts what remains of a partly filled order', () => {
    const exchange = fullBook()
    exchange.buy('bob', 4, 0.6)
    const { asks } = depthOf(exchange.core, exchange.market().books[0]!, 1)
    assert.deepEqual(asks, [{ price: 6_000, shares: 1_600, orderCount: 2 }])
  })

  test('of an empty book is empty', () => {
    const exchange = newExchange()
    const empty = { bids: [], asks: [] }
    assert.deepEqual(depthOf(exchange.core, exchange.market().books[0]!, 10), empty)
  })
})
