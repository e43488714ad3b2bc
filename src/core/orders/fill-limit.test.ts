// How many trades one order may make, and what happens to what is left of it.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newExchange, type Placed, type TestExchange } from '../../../test/support/core/exchange.ts'

const three = { orderFillsMax: 3 }

/** With so many asks of one share each at that price. */
function withAsks(exchange: TestExchange, count: number, price = 0.5): TestExchange {
  exchange.mint('ann', 1_000)
  for (let at = 0; at < count; at += 1) exchange.sell('ann', 1, price)
  return exchange
}

/** Status, shares filled, and the reason of the ORDER_CANCELLED of the order itself. */
function fateOf({ placement, events }: Placed): readonly unknown[] {
  const { id, status, filled } = placement!.order
  const own = events.find(({ eventType, payload }) => {
    return eventType === 'ORDER_CANCELLED' && (payload as { orderId: string }).orderId === id
  })
  return [
    status,
    filled / 100,
    own === undefined ? null : (own.payload as { reason: string }).reason,
  ]
}

suite('an order that could make more trades than the limit', () => {
  test('is cancelled with FILL_LIMIT: a LIMIT order may not rest in a crossed book', () => {
    const exchange = withAsks(newExchange({}, three), 5)
    assert.deepEqual(fateOf(exchange.buy('bob', 10, 0.6)), ['CANCELLED', 3, 'FILL_LIMIT'])
    assert.deepEqual(fateOf(exchange.buy('bob', 1, 0.6)), ['FILLED', 1, null])
  })

  test('is cancelled with FILL_LIMIT as a MARKET or IOC order', () => {
    const exchange = withAsks(newExchange({}, three), 8)
    assert.deepEqual(fateOf(exchange.buy('bob', 10, 'market')), ['CANCELLED', 3, 'FILL_LIMIT'])
    const options = { timeInForce: 'IOC' } as const
    const placed = exchange.buy('bob', 10, 0.6, { options })
    assert.deepEqual(fateOf(placed), ['CANCELLED', 3, 'FILL_LIMIT'])
  })

  test('is rejected as FOK', () => {
    const exchange = withAsks(newExchange({}, three), 5)
    const options = { timeInForce: 'FOK' } as const
    assert.equal(exchange.buy('bob', 4, 0.6, { options }).code, 'ORDER_NO_LIQUIDITY')
    assert.equal(exchange.buy('bob', 3, 0.6, { options }).code, null)
  })

  test('is cancelled when an amendment makes it match', () => {
    const exchange = withAsks(newExchange({}, three), 5)
    const { id } = exchange.buy('bob', 10, 0.4).placement!.order
    assert.deepEqual(fateOf(exchange.amend(id, { price: 0.6 })), ['CANCELLED', 3, 'FILL_LIMIT'])
  })
})

suite('an order within the limit', () => {
  test('rests as usual when its last trade is the last that fits', () => {
    const exchange = withAsks(newExchange({}, three), 3)
    assert.deepEqual(fateOf(exchange.buy('bob', 10, 0.6)), ['PARTIAL', 3, null])
  })

  test('rests as usual when what is left would not match any more', () => {
    const exchange = withAsks(newExchange({}, three), 3)
    withAsks(exchange, 1, 0.7)
    assert.deepEqual(fateOf(exchange.buy('bob', 10, 0.6)), ['PARTIAL', 3, null])
  })

  test('meets no limit where the rules have none', () => {
    for (const rules of [{}, { orderFillsMax: 0 }]) {
      const exchange = withAsks(newExchange({}, rules), 50)
      assert.deepEqual(fateOf(exchange.buy('bob', 50, 0.6)), ['FILLED', 50, null])
    }
  })
})

suite('a match by complete sets', () => {
  const sets = { hasCompleteSetMatching: true, outcomes: ['Red', 'Green', 'Blue'] }

  /** With bids of one share for Red and Green, so many of each. */
  function withBids(limit: number, count: number): TestExchange {
    const exchange = newExchange(sets, { orderFillsMax: limit })
    for (let at = 0; at < count; at += 1) {
      exchange.buy('ann', 1, 0.4, { outcome: 0 })
      exchange.buy('ann', 1, 0.4, { outcome: 1 })
    }
    return exchange
  }

  test('counts as one trade for each outcome, and is never split', () => {
    const placed = withBids(8, 4).buy('bob', 10, 0.3, { outcome: 2 })
    assert.deepEqual(fateOf(placed), ['CANCELLED', 2, 'FILL_LIMIT'])
  })

  test('is made even if its legs alone pass the limit, when it is the first', () => {
    const placed = withBids(1, 4).buy('bob', 10, 0.3, { outcome: 2 })
    assert.deepEqual(fateOf(placed), ['CANCELLED', 1, 'FILL_LIMIT'])
  })
})

test('a postOnly order is rejected for its first match, however deep the book is', () => {
  const exchange = withAsks(withAsks(newExchange(), 100), 100, 0.6)
  const { visits } = exchange.core
  const options = { isPostOnly: true } as const
  assert.equal(exchange.buy('bob', 200, 0.6, { options }).code, 'ORDER_WOULD_MATCH')
  assert.equal(exchange.core.visits - visits, 1)
})

test('a FOK order is planned level by level where no order of its player can be met', () => {
  const exchange = withAsks(withAsks(newExchange({}, { orderFillsMax: 1_000 }), 100), 100, 0.6)
  const { visits } = exchange.core
  const options = { timeInForce: 'FOK', selfTradePrevention: 'CANCEL_NEWEST' } as const
  assert.equal(exchange.buy('bob', 201, 0.6, { options }).code, 'ORDER_NO_LIQUIDITY')
  assert.equal(exchange.core.visits - visits, 2)
})
