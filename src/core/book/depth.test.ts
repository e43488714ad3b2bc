// The depth of a book.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange, type TestExchange } from '../../../test/support/core/exchange.ts'
import { depthOf } from './depth.ts'

describe('depth', () => {
  /** Bids at 40, 39 and 38 and asks at 60, 61 and 62 cents; two orders at the best of each. */
  function fullBook(): TestExchange {
    const exchange = newExchange()
    exchange.mint('ann', 100)
    for (const price of [0.38, 0.4, 0.39, 0.4]) exchange.buy('bob', 10, price)
    for (const price of [0.62, 0.6, 0.61, 0.6]) exchange.sell('ann', 10, price)
    return exchange
  }

  test('is best first, with the sum of shares and the number of orders of each level', () => {
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

  test('has at most that many levels on each side', () => {
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
