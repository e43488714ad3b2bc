// Amending an open order: who keeps a place in the queue, what may match, and what is rejected.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  newExchange,
  participant,
  startMs,
  type TestExchange,
} from '../../../test/support/core/exchange.ts'
import { packOptions, usualOptions } from './options.ts'

/** Bids of ann, bob and cat at 0.5, ten shares each, in this order. */
function threeBids() {
  const exchange = newExchange()
  const [ann, bob, cat] = ['ann', 'bob', 'cat'].map(
    (player) => exchange.buy(player, 10, 0.5).placement!.order.id,
  ) as [string, string, string]
  exchange.mint('sam', 100)
  return { exchange, ann, bob, cat }
}

/** Which orders get what of a sale at 0.5, in this order. */
function soldTo(exchange: TestExchange, shares: number): string[] {
  const { order, trades } = exchange.sell('sam', shares, 0.5).placement!
  assert.equal(order.status, 'FILLED')
  return trades.map(({ buyOrderId, shares }) => `${buyOrderId} ${shares}`)
}

describe('an amended order', () => {
  test('with fewer shares at its price keeps its place', () => {
    const { exchange, ann, bob } = threeBids()
    const { placement, events } = exchange.amend(ann, { shares: 4 })
    assert.partialDeepStrictEqual(placement, {
      order: { id: ann, shares: 400, remaining: 400, status: 'PENDING' },
      trades: [],
    })
    assert.deepEqual(
      events.map(({ eventType }) => eventType),
      ['ORDER_AMENDED', 'ORDER_BOOK_UPDATE'],
    )
    assert.deepEqual(soldTo(exchange, 6), [`${ann} 400`, `${bob} 200`])
  })

  test('keeps its place in the middle and at the end of the queue, too', () => {
    const { exchange, ann, bob, cat } = threeBids()
    exchange.amend(bob, { shares: 3 })
    exchange.amend(cat, { shares: 2 })
    assert.deepEqual(soldTo(exchange, 15), [`${ann} 1000`, `${bob} 300`, `${cat} 200`])
  })

  for (const [what, to] of [
    ['more shares', { shares: 11 }],
    ['another price and back', { price: 0.51 }],
  ] as const) {
    test(`with ${what} goes to the back`, () => {
      const { exchange, ann, bob, cat } = threeBids()
      exchange.amend(ann, to)
      if ('price' in to) exchange.amend(ann, { price: 0.5 })
      const [first, second, third] = soldTo(exchange, 21)
      assert.deepEqual([first, second, third], [`${bob} 1000`, `${cat} 1000`, `${ann} 100`])
    })
  }

  test('with the values that it has keeps its place, and has an event', () => {
    const { exchange, ann } = threeBids()
    exchange.wait(5)
    const { placement, events } = exchange.amend(ann, { shares: 10, price: 0.5 })
    assert.equal(placement!.order.updatedAt, startMs + 5)
    assert.deepEqual(
      events.map(({ eventType }) => eventType),
      ['ORDER_AMENDED'],
    )
    assert.deepEqual(soldTo(exchange, 1), [`${ann} 100`])
  })

  test('keeps its place over a restart, and so does one that went to the back', () => {
    const { exchange, ann, bob, cat } = threeBids()
    exchange.amend(bob, { shares: 9 })
    exchange.amend(ann, { shares: 12 })
    const { hash } = exchange
    exchange.restart()
    assert.equal(exchange.hash, hash)
    assert.deepEqual(soldTo(exchange, 20), [`${bob} 900`, `${cat} 1000`, `${ann} 100`])
  })

  test('may match at once, at the prices of those that rest', () => {
    const { exchange, ann } = threeBids()
    exchange.sell('sam', 4, 0.55)
    exchange.sell('sam', 3, 0.6)
    const { placement, events } = exchange.amend(ann, { price: 0.6, shares: 12 })
    assert.partialDeepStrictEqual(placement, {
      order: { filled: 700, cost: 400 * 5_500 + 300 * 6_000, remaining: 500, status: 'PARTIAL' },
      trades: [
        { price: 5_500, shares: 400 },
        { price: 6_000, shares: 300 },
      ],
    })
    assert.deepEqual(
      events.map(({ eventType }) => eventType),
      [
        'ORDER_AMENDED',
        ...Array(4).fill('ORDER_MATCHED'),
        ...['POSITION_UPDATED', 'POSITION_UPDATED', 'ORDER_BOOK_UPDATE', 'PRICE_UPDATED'],
      ],
    )
    assert.partialDeepStrictEqual(events[0]!.payload, {
      orderId: ann,
      shares: 12,
      price: 0.6,
      status: 'PARTIAL',
      filledShares: 7,
    })
    assert.equal(exchange.market().books[0]!.volume.total(exchange.now), 700)
  })

  test('keeps what it was filled before, and counts it once', () => {
    const { exchange, ann } = threeBids()
    exchange.sell('sam', 4, 0.5)
    const back = exchange.amend(ann, { price: 0.45 }).placement!
    assert.partialDeepStrictEqual(back.order, { filled: 400, remaining: 600, status: 'PARTIAL' })
    exchange.sell('sam', 6, 0.6)
    const full = exchange.amend(ann, { price: 0.6 }).placement!
    assert.partialDeepStrictEqual(full, {
      order: { filled: 1000, cost: 400 * 5_000 + 600 * 6_000, remaining: 0, status: 'FILLED' },
      trades: [{ shares: 600, price: 6_000 }],
    })
    assert.equal(exchange.market().volume.exact, 1000n)
    assert.equal(exchange.market().tradeCount, 2)
  })

  test('offers the shares that it had reserved again, and those that are free', () => {
    const exchange = newExchange()
    exchange.mint('sam', 10)
    const { id } = exchange.sell('sam', 6, 0.6).placement!.order
    assert.equal(exchange.amend(id, { shares: 11 }).code, 'POSITION_INSUFFICIENT_SHARES')
    assert.equal(exchange.amend(id, { shares: 10 }).code, null)
    assert.equal(exchange.sell('sam', 1, 0.6).code, 'POSITION_INSUFFICIENT_SHARES')
    assert.equal(exchange.amend(id, { shares: 9, price: 0.7 }).code, null)
    assert.equal(exchange.sell('sam', 1, 0.6).code, null)
    exchange.cancel(id)
    assert.equal(exchange.sell('sam', 9, 0.6).code, null)
  })

  test('keeps its expiry, wherever it goes', () => {
    const exchange = newExchange()
    const place = (price: number) =>
      exchange.buy('bob', 10, price, { expiresAt: startMs + 10 }).placement!.order.id
    const ids = [place(0.5), place(0.4)]
    exchange.amend(ids[0]!, { shares: 5 })
    exchange.amend(ids[1]!, { price: 0.41 })
    const { events } = exchange.wait(10)
    const expired = events.flatMap(({ payload }) => ('reason' in payload ? [payload] : []))
    assert.deepEqual(
      expired.map((payload) => ('orderId' in payload ? payload.orderId : null)),
      ids,
    )
  })

  test('has the values of its moment in each event, though all events share a turn', () => {
    const { exchange, ann } = threeBids()
    const events = exchange.together(() => {
      exchange.sell('sam', 4, 0.5)
      exchange.amend(ann, { shares: 7 })
      exchange.amend(ann, { price: 0.4 })
      exchange.cancel(ann)
    })
    const published = events.flatMap(({ eventType, payload }) => {
      if (!('orderId' in payload) || payload.orderId !== ann) return []
      const left = 'remainingShares' in payload ? payload.remainingShares : null
      return [[eventType, payload.price, payload.shares, payload.filledShares, left]]
    })
    assert.deepEqual(published, [
      ['ORDER_MATCHED', 0.5, 4, 4, 6],
      ['ORDER_AMENDED', 0.5, 7, 4, null],
      ['ORDER_AMENDED', 0.4, 7, 4, null],
      ['ORDER_CANCELLED', 0.4, 7, 4, null],
    ])
  })
})

describe('amending is rejected', () => {
  test('with ORDER_NOT_FOUND for unknown, closed and foreign orders', () => {
    const { exchange, ann, bob } = threeBids()
    exchange.cancel(bob)
    for (const id of [bob, exchange.market().id, 'nothing']) {
      assert.equal(exchange.amend(id, { shares: 5 }).code, 'ORDER_NOT_FOUND')
    }
    assert.equal(exchange.amend(ann, { shares: 5 }, participant).code, 'ORDER_NOT_FOUND')
  })

  test('where shares do not exceed what is filled, or values are out of range', () => {
    const { exchange, ann } = threeBids()
    exchange.sell('sam', 4, 0.5)
    for (const shares of [4, 3, 0.5, 100_001]) {
      assert.equal(exchange.amend(ann, { shares }).code, 'ORDER_INVALID_SHARES')
    }
    assert.equal(exchange.amend(ann, { price: 0.995 }).code, 'ORDER_INVALID_PRICE')
    assert.equal(exchange.amend(ann, { shares: 4.01 }).code, null)
  })

  test('while the market does not trade', () => {
    const { exchange, ann } = threeBids()
    exchange.manage('suspend')
    assert.equal(exchange.amend(ann, { shares: 5 }).code, 'MARKET_NOT_OPEN')
    exchange.manage('resume')
    assert.equal(exchange.amend(ann, { shares: 5 }).code, null)
    const ended = newExchange({ tradingEndsAt: startMs + 5 })
    const { id } = ended.buy('bob', 10, 0.5).placement!.order
    ended.wait(5)
    assert.equal(ended.amend(id, { shares: 5 }).code, 'MARKET_NOT_OPEN')
  })

  test('where a postOnly order would match, and it stays as it is', () => {
    const { exchange } = threeBids()
    const saved = exchange.save()
    const order = saved.orders[2]!
    order.options = packOptions({ ...usualOptions, isPostOnly: true })
    exchange.restart(saved)
    const id = exchange.core.ids.textOf(order.serial, order.createdAt)
    exchange.sell('sam', 10, 0.6)
    const { hash } = exchange
    const { code, events } = exchange.amend(id, { price: 0.6 })
    assert.deepEqual([code, events.length], ['ORDER_WOULD_MATCH', 0])
    assert.equal(exchange.hash, hash)
    assert.equal(exchange.amend(id, { price: 0.59 }).code, null)
    assert.equal(exchange.amend(id, { shares: 5 }).code, null)
  })
})
