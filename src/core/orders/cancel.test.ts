// How an open order ends before it is filled: on request, or by expiry to the millisecond.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  newExchange,
  participant,
  startMs,
  type TestExchange,
} from '../../../test/support/core/exchange.ts'
import { checkBothSides } from '../../../test/support/core/script.ts'

/** The public id of an open BUY of ten shares, placed by the house for bob. */
function openOrder(exchange: TestExchange, expiresAt?: number): string {
  const options = expiresAt === undefined ? {} : { expiresAt }
  return exchange.buy('bob', 10, 0.5, options).placement!.order.id
}

describe('a cancelled order', () => {
  test('leaves the book', () => {
    checkBothSides(`
      buy  B1 10 @ 50
      cancel B1
      sell S1 10 @ 50
      rests S1 10 @ 50
    `)
  })

  test('keeps what it was filled before', () => {
    checkBothSides(`
      buy  B1 10 @ 50
      sell S1 4 @ 50
      trade S1 B1 4 @ 50
      cancel B1
      sell S1 6 @ 50
      rests S1 6 @ 50
    `)
  })

  test('has one event, with the shares that were cancelled', () => {
    const exchange = newExchange()
    const orderId = openOrder(exchange)
    const published = exchange
      .cancel(orderId)
      .events.filter(({ eventType }) => eventType === 'ORDER_CANCELLED')
    assert.equal(published.length, 1)
    assert.partialDeepStrictEqual(published[0]!.payload, {
      orderId,
      status: 'CANCELLED',
      reason: 'REQUESTED',
      cancelledShares: 10,
      filledShares: 0,
    })
  })
})

describe('cancelling is rejected with ORDER_NOT_FOUND for', () => {
  test('an id that nothing has, and not for one that an open order has', () => {
    const exchange = newExchange()
    const orderId = openOrder(exchange)
    assert.equal(exchange.cancel(exchange.market().id).code, 'ORDER_NOT_FOUND')
    assert.equal(exchange.cancel(orderId).code, null)
  })

  test("another operator's order, and not for its own", () => {
    const exchange = newExchange()
    const orderId = openOrder(exchange)
    assert.equal(exchange.cancel(orderId, participant).code, 'ORDER_NOT_FOUND')
    assert.equal(exchange.cancel(orderId).code, null)
  })

  // The core does not know closed orders; the engine finds them and answers ORDER_CANNOT_CANCEL.
  test('an order that is cancelled already', () => {
    const exchange = newExchange()
    const orderId = openOrder(exchange)
    exchange.cancel(orderId)
    assert.equal(exchange.cancel(orderId).code, 'ORDER_NOT_FOUND')
  })

  test('an order that is filled, and not for one with a hundredth left', () => {
    const exchange = newExchange()
    exchange.mint('ann', 20)
    const [filled, open] = [openOrder(exchange), openOrder(exchange)]
    exchange.sell('ann', 19.99, 0.5)
    assert.equal(exchange.cancel(filled).code, 'ORDER_NOT_FOUND')
    assert.equal(exchange.cancel(open).code, null)
  })
})

describe('an order expires', () => {
  for (const [elapsedMs, claim] of [
    [999, 'trade S1 B1 10 @ 50'],
    [1_000, 'rests S1 10 @ 50'],
    [1_001, 'rests S1 10 @ 50'],
  ] as const) {
    test(`at the very millisecond: placed for 1000 ms, met after ${elapsedMs}`, () => {
      checkBothSides(`
        buy  B1 10 @ 50 for 1000
        wait ${elapsedMs}
        sell S1 10 @ 50
        ${claim}
      `)
    })
  }

  test('as EXPIRED, with what it was filled kept', () => {
    const exchange = newExchange()
    const orderId = openOrder(exchange, startMs + 1_000)
    exchange.mint('ann', 4)
    exchange.sell('ann', 4, 0.5)
    const { events } = exchange.wait(1_000)
    const [expired] = events.filter(({ eventType }) => eventType === 'ORDER_CANCELLED')
    assert.partialDeepStrictEqual(expired!.payload, {
      orderId,
      status: 'EXPIRED',
      reason: 'EXPIRED',
      filledShares: 4,
      cancelledShares: 6,
      timestamp: startMs + 1_000,
    })
  })

  test('not any more once it was cancelled', () => {
    const exchange = newExchange()
    exchange.cancel(openOrder(exchange, startMs + 1_000))
    assert.deepEqual(exchange.wait(1_000).events, [])
  })

  test('not any more once it was filled', () => {
    const exchange = newExchange()
    exchange.mint('ann', 10)
    openOrder(exchange, startMs + 1_000)
    exchange.sell('ann', 10, 0.5)
    assert.deepEqual(exchange.wait(1_000).events, [])
  })

  test('in whatever state its market is', () => {
    const exchange = newExchange()
    openOrder(exchange, startMs + 1_000)
    exchange.manage('close')
    exchange.wait(1_000)
    assert.deepEqual(exchange.save().orders, [])
  })
})
