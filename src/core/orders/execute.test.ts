// What an order may ask for beside its terms: how long it is in force, that it only rests, and that
// its player does not trade with itself.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newExchange, type Placed, type TestExchange } from '../../../test/support/core/exchange.ts'

/** With asks of ann: 10 at 0.5 and 10 at 0.6. */
function exchangeWithAsks(): TestExchange {
  const exchange = newExchange()
  exchange.mint('ann', 100)
  exchange.mint('bob', 100)
  exchange.sell('ann', 10, 0.5)
  exchange.sell('ann', 10, 0.6)
  return exchange
}

function fateOf({ placement, reject }: Placed): readonly unknown[] {
  const { status, filled, remaining } = placement!.order
  return [status, filled / 100, remaining / 100, reject?.code ?? null]
}

function toldOf({ events }: Placed): readonly string[] {
  return events.map(({ eventType, payload }) =>
    'reason' in payload ? `${eventType} ${payload.reason}` : eventType,
  )
}

suite('IOC', () => {
  const options = { timeInForce: 'IOC' } as const

  test('cancels what is not matched at once', () => {
    const exchange = exchangeWithAsks()
    const placed = exchange.buy('bob', 15, 0.5, { options })
    assert.deepEqual(fateOf(placed), ['CANCELLED', 10, 0, null])
    assert.ok(toldOf(placed).includes('ORDER_CANCELLED IMMEDIATE'))
    assert.equal(exchange.market().books[0]!.bids.length, 0)
  })

  test('is filled where there is enough, and cancelled whole where there is nothing', () => {
    const exchange = exchangeWithAsks()
    assert.deepEqual(fateOf(exchange.buy('bob', 20, 0.6, { options })), ['FILLED', 20, 0, null])
    const unmet = exchange.buy('bob', 5, 0.6, { options })
    assert.deepEqual(fateOf(unmet), ['CANCELLED', 0, 0, null])
    assert.deepEqual(toldOf(unmet), ['ORDER_PLACED', 'ORDER_CANCELLED IMMEDIATE'])
  })
})

suite('FOK', () => {
  const options = { timeInForce: 'FOK' } as const

  test('is filled whole over several prices', () => {
    const placed = exchangeWithAsks().buy('bob', 20, 0.6, { options })
    assert.deepEqual(fateOf(placed), ['FILLED', 20, 0, null])
  })

  test('is REJECTED where a hundredth is missing, and nothing moves', () => {
    const exchange = exchangeWithAsks()
    const placed = exchange.buy('bob', 20.01, 0.6, { options })
    assert.deepEqual(fateOf(placed), ['REJECTED', 0, 0, 'ORDER_NO_LIQUIDITY'])
    assert.deepEqual(toldOf(placed), ['ORDER_PLACED'])
    assert.equal(exchange.market().tradeCount, 0)
  })

  test('does not count own orders that it must not meet', () => {
    for (const selfTradePrevention of ['CANCEL_NEWEST', 'CANCEL_OLDEST'] as const) {
      const exchange = exchangeWithAsks()
      exchange.sell('bob', 10, 0.55)
      const own = { options: { ...options, selfTradePrevention } }
      const placed = exchange.buy('bob', 21, 0.6, own)
      assert.deepEqual(fateOf(placed), ['REJECTED', 0, 0, 'ORDER_NO_LIQUIDITY'])
      assert.deepEqual(toldOf(placed), ['ORDER_PLACED'], 'and cancels none of them')
    }
  })
})

suite('postOnly', () => {
  const options = { isPostOnly: true }

  test('rests where it meets nothing', () => {
    const placed = exchangeWithAsks().buy('bob', 5, 0.49, { options })
    assert.deepEqual(fateOf(placed), ['PENDING', 0, 5, null])
  })

  test('is REJECTED where it would match', () => {
    const placed = exchangeWithAsks().buy('bob', 5, 0.5, { options })
    assert.deepEqual(fateOf(placed), ['REJECTED', 0, 0, 'ORDER_WOULD_MATCH'])
    assert.deepEqual(toldOf(placed), ['ORDER_PLACED'])
    assert.ok(placed.reject?.code === 'ORDER_WOULD_MATCH')
    assert.equal(placed.reject.orderId, placed.placement?.order.id)
  })

  test('is REJECTED where it would match by complete sets', () => {
    const exchange = newExchange({ hasCompleteSetMatching: true })
    exchange.buy('ann', 5, 0.6)
    const met = exchange.buy('bob', 5, 0.4, { outcome: 1, options })
    assert.deepEqual(fateOf(met), ['REJECTED', 0, 0, 'ORDER_WOULD_MATCH'])
    const unmet = exchange.buy('bob', 5, 0.39, { outcome: 1, options })
    assert.deepEqual(fateOf(unmet), ['PENDING', 0, 5, null])
  })
})

test('options that do not go together are rejected without a trace', () => {
  const exchange = exchangeWithAsks()
  for (const [price, options] of [
    ['market', { timeInForce: 'IOC' }],
    ['market', { timeInForce: 'FOK' }],
    ['market', { isPostOnly: true }],
    [0.5, { isPostOnly: true, timeInForce: 'IOC' }],
    [0.5, { isPostOnly: true, timeInForce: 'FOK' }],
  ] as const) {
    const { placement, reject } = exchange.buy('bob', 5, price, { options })
    assert.deepEqual([placement, reject?.code], [null, 'VALIDATION_ERROR'])
  }
})

suite('self-trade prevention', () => {
  /** Asks of bob himself, 10 at 0.4, before those of ann. */
  function exchangeWithOwn(): TestExchange {
    const exchange = exchangeWithAsks()
    exchange.sell('bob', 10, 0.4)
    return exchange
  }

  test('is off by default', () => {
    const placed = exchangeWithOwn().buy('bob', 15, 0.5)
    assert.deepEqual(fateOf(placed), ['FILLED', 15, 0, null])
  })

  test('CANCEL_NEWEST ends the incoming order where it meets its own', () => {
    const exchange = exchangeWithOwn()
    exchange.sell('ann', 3, 0.3)
    const options = { selfTradePrevention: 'CANCEL_NEWEST' } as const
    const placed = exchange.buy('bob', 15, 0.5, { options })
    assert.deepEqual(fateOf(placed), ['CANCELLED', 3, 0, null])
    assert.ok(toldOf(placed).includes('ORDER_CANCELLED SELF_TRADE'))
    assert.equal(exchange.market().books[0]!.asks.bestPrice, 4_000, 'the one that rests stays')
    const unmet = exchange.buy('bob', 15, 'market', { options })
    assert.deepEqual(fateOf(unmet), ['CANCELLED', 0, 0, null])
    assert.deepEqual(toldOf(unmet), ['ORDER_PLACED', 'ORDER_CANCELLED SELF_TRADE'])
  })

  test('CANCEL_OLDEST cancels what rests, gives its shares back, and goes on', () => {
    const exchange = exchangeWithOwn()
    const options = { selfTradePrevention: 'CANCEL_OLDEST' } as const
    const placed = exchange.buy('bob', 15, 0.5, { options })
    assert.deepEqual(fateOf(placed), ['PARTIAL', 10, 5, null])
    const cancelled = placed.events.filter(({ eventType }) => eventType === 'ORDER_CANCELLED')
    assert.equal(cancelled.length, 1)
    assert.equal(exchange.sell('bob', 100, 0.99).reject, null, 'all of them are free')
  })

  test('a MARKET order that would only cancel its own is REJECTED and cancels none', () => {
    const exchange = newExchange()
    exchange.mint('bob', 100)
    exchange.sell('bob', 10, 0.4)
    const options = { selfTradePrevention: 'CANCEL_OLDEST' } as const
    const placed = exchange.buy('bob', 5, 'market', { options })
    assert.deepEqual(fateOf(placed), ['REJECTED', 0, 0, 'ORDER_NO_LIQUIDITY'])
    assert.deepEqual(toldOf(placed), ['ORDER_PLACED'])
    assert.equal(exchange.market().books[0]!.asks.length, 1)
  })

  test('treats players of the same name under two operators as two players', () => {
    const exchange = exchangeWithOwn()
    const options = { selfTradePrevention: 'CANCEL_NEWEST' } as const
    const placed = exchange.buy('bob', 15, 0.5, { operator: 'participant', options })
    assert.deepEqual(fateOf(placed), ['FILLED', 15, 0, null])
  })

  test('does not keep a player from making sets with itself', () => {
    const exchange = newExchange({ hasCompleteSetMatching: true })
    exchange.buy('bob', 5, 0.6)
    const options = { selfTradePrevention: 'CANCEL_NEWEST' } as const
    const placed = exchange.buy('bob', 5, 0.4, { outcome: 1, options })
    assert.deepEqual(fateOf(placed), ['FILLED', 5, 0, null])
  })
})
