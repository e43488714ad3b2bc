// How far one command may trade in a market with a price band, and when that suspends the market.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  type MarketOptions,
  newExchange,
  type OrderOptions,
  type Placed,
  participant,
  startMs,
  type TestExchange,
  type Turn,
} from '../../../test/support/core/exchange.ts'
import { priceOf } from '../../../test/support/core/steps.ts'
import type { PriceBand } from '../state/market.ts'

function band(maxMove: number, suspendOnBand = false): PriceBand {
  return { maxMove: priceOf(maxMove), suspendOnBand }
}

/** The last price of the first outcome is 0.4; sam holds what there is to sell. */
function traded(priceBand: PriceBand | null, market: MarketOptions = {}): TestExchange {
  const exchange = newExchange({ ...market, priceBand })
  exchange.mint('sam', 1_000)
  exchange.sell('sam', 1, 0.4)
  exchange.buy('bob', 1, 0.4)
  return exchange
}

function withAsks(exchange: TestExchange, ...prices: readonly number[]): TestExchange {
  for (const price of prices) assert.equal(exchange.sell('sam', 5, price).code, null)
  return exchange
}

function withBids(exchange: TestExchange, ...prices: readonly number[]): TestExchange {
  for (const price of prices) assert.equal(exchange.buy('amy', 5, price).code, null)
  return exchange
}

/** Status, shares filled and left, the reason that what was left of it was cancelled for. */
function fateOf({ code, placement, events }: Placed): readonly unknown[] {
  if (placement === null) return [code]
  const { id, status, filled, remaining } = placement.order
  const ended = events.map(({ payload }) => payload as { orderId?: string; reason?: string })
  const own = ended.find(({ orderId, reason }) => orderId === id && reason !== undefined)
  return [status, filled / 100, remaining / 100, code ?? own?.reason ?? null]
}

const typesOf = ({ events }: Turn) => events.map(({ eventType }) => eventType)
const outside = ['REJECTED', 0, 0, 'ORDER_OUTSIDE_BAND']
const noLiquidity = ['REJECTED', 0, 0, 'ORDER_NO_LIQUIDITY']
const option = (options: OrderOptions['options']): OrderOptions => ({ options: options! })

suite('the furthest price is', () => {
  test('maxMove above the last price for a BUY order', () => {
    const exchange = withAsks(traded(band(0.1)), 0.5001)
    assert.deepEqual(fateOf(exchange.buy('bob', 1, 0.9)), outside)
    withAsks(exchange, 0.5)
    assert.deepEqual(fateOf(exchange.buy('bob', 1, 0.9)), ['FILLED', 1, 0, null])
  })

  test('maxMove below the last price for a SELL order', () => {
    const exchange = withBids(traded(band(0.1)), 0.2999)
    assert.deepEqual(fateOf(exchange.sell('sam', 1, 0.1)), outside)
    withBids(exchange, 0.3)
    assert.deepEqual(fateOf(exchange.sell('sam', 1, 0.1)), ['FILLED', 1, 0, null])
  })

  test('nothing but the other side where it is past 0 or 1', () => {
    const exchange = withBids(traded(band(0.9)), 0.01)
    assert.deepEqual(fateOf(exchange.sell('sam', 1, 0.01)), ['FILLED', 1, 0, null])
    withAsks(exchange, 0.9)
    assert.deepEqual(fateOf(exchange.buy('bob', 1, 0.99)), ['FILLED', 1, 0, null])
  })

  test('from the middle of bid and ask without a last price, unrounded', () => {
    for (const [maxMove, isWithin] of [
      [0.025, false],
      [0.0251, true],
    ] as const) {
      const exchange = newExchange({ priceBand: band(maxMove) })
      exchange.mint('sam', 100)
      withAsks(withBids(exchange, 0.4), 0.4501)
      const [bought, sold] = isWithin
        ? [exchange.buy('bob', 1, 0.4501), null]
        : [exchange.buy('bob', 1, 0.4501), exchange.sell('sam', 1, 0.4)]
      assert.deepEqual(fateOf(bought), isWithin ? ['FILLED', 1, 0, null] : outside)
      if (sold !== null) assert.deepEqual(fateOf(sold), outside)
    }
    const exchange = newExchange({ priceBand: band(0.0251) })
    exchange.mint('sam', 100)
    withAsks(withBids(exchange, 0.4), 0.4501)
    assert.deepEqual(fateOf(exchange.sell('sam', 1, 0.4)), ['FILLED', 1, 0, null])
  })

  test('none while only one side has orders and nothing has traded', () => {
    const exchange = newExchange({ priceBand: band(0.0001) })
    exchange.mint('sam', 100)
    withAsks(exchange, 0.9)
    assert.deepEqual(fateOf(exchange.buy('bob', 1, 0.99)), ['FILLED', 1, 0, null])
    const bids = newExchange({ priceBand: band(0.0001) })
    bids.mint('sam', 100)
    withBids(bids, 0.9, 0.01)
    assert.deepEqual(fateOf(bids.sell('sam', 10, 0.01)), ['FILLED', 10, 0, null])
  })

  test('from the price before the command: a sweep does not drag it along', () => {
    const exchange = withAsks(traded(band(0.1)), 0.45, 0.5, 0.52)
    const swept = exchange.buy('bob', 15, 0.9)
    assert.deepEqual(fateOf(swept), ['CANCELLED', 10, 0, 'PRICE_BAND'])
    assert.deepEqual(fateOf(exchange.buy('bob', 5, 0.9)), ['FILLED', 5, 0, null], 'a next one does')
  })

  test('none in a market without a band, and as it is changed for what comes after', () => {
    const exchange = withAsks(traded(null), 0.8, 0.9)
    assert.deepEqual(fateOf(exchange.buy('bob', 5, 0.8)), ['FILLED', 5, 0, null])
    exchange.editMarket({ priceBand: band(0.05) })
    assert.deepEqual(fateOf(exchange.buy('bob', 1, 0.9)), outside)
    exchange.restart()
    assert.deepEqual(fateOf(exchange.buy('bob', 1, 0.9)), outside, 'also after a start')
    exchange.editMarket({ priceBand: null })
    assert.deepEqual(fateOf(exchange.buy('bob', 1, 0.9)), ['FILLED', 1, 0, null])
  })
})

suite('an order that meets prices outside of the band', () => {
  test('matches what is within it, and the rest is cancelled, whatever its kind', () => {
    for (const [price, options] of [
      [0.9, {}],
      [0.9, { timeInForce: 'IOC' }],
      ['market', {}],
    ] as const) {
      const exchange = withAsks(traded(band(0.1)), 0.45, 0.6)
      const placed = exchange.buy('bob', 8, price, option(options))
      assert.deepEqual(fateOf(placed), ['CANCELLED', 5, 0, 'PRICE_BAND'])
      assert.deepEqual(exchange.status(), 'OPEN')
    }
  })

  test('is REJECTED where nothing is within it, a FOK order for its liquidity', () => {
    for (const [price, options, fate] of [
      [0.9, {}, outside],
      [0.9, { timeInForce: 'IOC' }, outside],
      [0.9, { isPostOnly: true }, outside],
      [0.9, { timeInForce: 'FOK' }, noLiquidity],
      ['market', {}, outside],
    ] as const) {
      const exchange = withAsks(traded(band(0.1)), 0.6)
      const placed = exchange.buy('bob', 3, price, option(options))
      assert.deepEqual(fateOf(placed), fate)
      assert.deepEqual(typesOf(placed), ['ORDER_PLACED'])
      assert.equal(exchange.market().books[0]!.asks.bestPrice, 6_000)
    }
  })

  test('is REJECTED as FOK if it is not whole within it, and FILLED if it is', () => {
    const exchange = withAsks(traded(band(0.1)), 0.45, 0.6)
    const options = { options: { timeInForce: 'FOK' } as const }
    assert.deepEqual(fateOf(exchange.buy('bob', 5.01, 0.9, options)), noLiquidity)
    assert.deepEqual(fateOf(exchange.buy('bob', 5, 0.9, options)), ['FILLED', 5, 0, null])
  })

  test('is REJECTED as postOnly with ORDER_WOULD_MATCH if it also meets what is within it', () => {
    const exchange = withAsks(traded(band(0.1)), 0.5, 0.6)
    const placed = exchange.buy('bob', 5, 0.9, { options: { isPostOnly: true } })
    assert.deepEqual(fateOf(placed), ['REJECTED', 0, 0, 'ORDER_WOULD_MATCH'])
  })

  test('rests as usual if all that it meets is within it, or if it meets nothing', () => {
    const exchange = withAsks(traded(band(0.1)), 0.5, 0.9)
    assert.deepEqual(fateOf(exchange.buy('bob', 8, 0.8999)), ['PARTIAL', 5, 3, null])
    const far = exchange.buy('amy', 1, 0.01)
    assert.deepEqual(fateOf(far), ['PENDING', 0, 1, null])
  })

  test('is not whole only by what is outside: filled within, it is FILLED', () => {
    const exchange = withAsks(traded(band(0.1, true)), 0.5, 0.6)
    assert.deepEqual(fateOf(exchange.buy('bob', 5, 0.9)), ['FILLED', 5, 0, null])
    assert.equal(exchange.status(), 'OPEN')
  })

  test('is cancelled with FILL_LIMIT if what is next is within it', () => {
    const exchange = newExchange({ priceBand: band(0.1) }, { orderFillsMax: 2 })
    exchange.mint('sam', 100)
    exchange.sell('sam', 1, 0.4)
    exchange.buy('bob', 1, 0.4)
    withAsks(exchange, 0.45, 0.45, 0.5, 0.9)
    assert.deepEqual(fateOf(exchange.buy('bob', 99, 0.9)), ['CANCELLED', 10, 0, 'FILL_LIMIT'])
    assert.deepEqual(fateOf(exchange.buy('bob', 99, 0.9)), ['CANCELLED', 5, 0, 'PRICE_BAND'])
  })

  test('does not meet own orders there, and does not rest either', () => {
    for (const selfTradePrevention of ['CANCEL_NEWEST', 'CANCEL_OLDEST'] as const) {
      const exchange = withAsks(traded(band(0.1)), 0.6)
      const own = { options: { selfTradePrevention } }
      assert.deepEqual(fateOf(exchange.buy('sam', 5, 0.9, own)), outside)
      assert.equal(exchange.market().books[0]!.asks.bestPrice, 6_000, 'the own ask stays')
      exchange.mint('ann', 10)
      exchange.sell('ann', 2, 0.5)
      const met = exchange.buy('sam', 5, 0.9, own)
      assert.deepEqual(fateOf(met), ['CANCELLED', 2, 0, 'PRICE_BAND'])
    }
  })

  test('is REJECTED without cancelling own orders within the band', () => {
    const exchange = withAsks(traded(band(0.1)), 0.45)
    exchange.mint('ann', 10)
    exchange.sell('ann', 5, 0.6)
    const own = { options: { selfTradePrevention: 'CANCEL_OLDEST' } as const }
    const placed = exchange.buy('sam', 5, 0.9, own)
    assert.deepEqual([fateOf(placed), typesOf(placed)], [outside, ['ORDER_PLACED']])
  })
})

suite('with an order group that is triggered half-way', () => {
  /** The group of sam may be filled with 5; its asks are within the band, the last one is not. */
  function quoted(priceBand: PriceBand): TestExchange {
    const exchange = traded(priceBand)
    const { group } = exchange.createGroup('sam', 5)
    for (const price of [0.45, 0.46, 0.5]) exchange.sell('sam', 6, price, { group })
    return withAsks(exchange, 0.6)
  }

  test('an order meets the band where the group has left nothing within it', () => {
    const exchange = quoted(band(0.1, true))
    const placed = exchange.buy('bob', 20, 0.9)
    assert.deepEqual(fateOf(placed), ['CANCELLED', 6, 0, 'PRICE_BAND'])
    const types = typesOf(placed)
    assert.equal(types.filter((type) => type === 'ORDER_CANCELLED').length, 3)
    assert(types.includes('ORDER_GROUP_TRIGGERED'))
    assert.equal(types.at(-1), 'MARKET_STATUS_CHANGED')
  })

  test('a FOK order is not whole without what the group cancels', () => {
    const options = { options: { timeInForce: 'FOK' } as const }
    const exchange = quoted(band(0.1))
    assert.deepEqual(fateOf(exchange.buy('bob', 7, 0.9, options)), noLiquidity)
    assert.deepEqual(fateOf(exchange.buy('bob', 6, 0.9, options)), ['FILLED', 6, 0, null])
  })
})

suite('an amendment', () => {
  function bidBelow(priceBand: PriceBand, ...asks: readonly number[]) {
    const exchange = withAsks(traded(priceBand), ...asks)
    return { exchange, id: exchange.buy('bob', 8, 0.3).placement!.order.id }
  }

  test('that meets only what is outside is refused, and the order stays', () => {
    const { exchange, id } = bidBelow(band(0.1), 0.6)
    const { hash } = exchange
    const { code, reject, events } = exchange.amend(id, { price: 0.9 })
    assert.deepEqual([code, events.length], ['ORDER_OUTSIDE_BAND', 0])
    assert.deepEqual(reject, { code: 'ORDER_OUTSIDE_BAND', orderId: null })
    assert.equal(exchange.hash, hash)
    assert.equal(exchange.amend(id, { price: 0.5999 }).code, null)
  })

  test('that meets both matches what is within, and the rest is cancelled', () => {
    const { exchange, id } = bidBelow(band(0.1), 0.5, 0.6)
    const amended = exchange.amend(id, { price: 0.9 })
    assert.deepEqual(fateOf(amended), ['CANCELLED', 5, 0, 'PRICE_BAND'])
  })

  test('is measured from the prices with the order still in its place', () => {
    const exchange = newExchange({ priceBand: band(0.1) })
    exchange.mint('sam', 100)
    withAsks(exchange, 0.5)
    const { id } = exchange.buy('bob', 5, 0.3).placement!.order
    exchange.buy('amy', 5, 0.1)
    // The middle is 0.4. Without the order it would be 0.3, and 0.5 outside.
    assert.deepEqual(fateOf(exchange.amend(id, { price: 0.5 })), ['FILLED', 5, 0, null])
  })
})

suite('by complete sets', () => {
  test('the synthetic price is within the band of the incoming order, or does not match', () => {
    for (const [bid, fate] of [
      [0.5, ['FILLED', 1, 0, null]],
      [0.4999, outside],
    ] as const) {
      const exchange = traded(band(0.1), { hasCompleteSetMatching: true })
      exchange.buy('amy', 5, bid, { outcome: 1 })
      assert.deepEqual(fateOf(exchange.buy('bob', 1, 0.9)), fate)
    }
  })

  test('a sweep through both kinds stops where the better of them is outside', () => {
    const exchange = withAsks(traded(band(0.1), { hasCompleteSetMatching: true }), 0.45, 0.7)
    exchange.buy('amy', 5, 0.52, { outcome: 1 })
    exchange.buy('amy', 5, 0.4, { outcome: 1 })
    const swept = exchange.buy('bob', 20, 0.9)
    assert.deepEqual(fateOf(swept), ['CANCELLED', 10, 0, 'PRICE_BAND'])
  })

  test('the legs of resting orders are not limited', () => {
    const exchange = traded(band(0.02), { hasCompleteSetMatching: true })
    exchange.buy('amy', 1, 0.6, { outcome: 1 })
    // The No side has last traded at 0.6 by now; its bid at 0.2 is far below that.
    exchange.buy('bob', 1, 0.4)
    assert.equal(exchange.market().books[1]!.lastPrice, 6_000)
    exchange.editMarket({ priceBand: null })
    exchange.mint('sam', 10)
    exchange.sell('sam', 1, 0.8)
    exchange.buy('bob', 1, 0.8)
    exchange.editMarket({ priceBand: band(0.02) })
    exchange.buy('amy', 5, 0.2, { outcome: 1 })
    assert.deepEqual(fateOf(exchange.buy('bob', 5, 0.8)), ['FILLED', 5, 0, null])
  })
})

suite('with suspendOnBand the market is suspended', () => {
  test('in the command that meets what is outside, as its last event', () => {
    const exchange = withAsks(traded(band(0.1, true)), 0.45, 0.6)
    exchange.buy('gil', 1, 0.1, { operator: participant })
    const placed = exchange.buy('bob', 8, 0.9)
    assert.deepEqual(fateOf(placed), ['CANCELLED', 5, 0, 'PRICE_BAND'])
    const expected = [
      'ORDER_PLACED',
      'ORDER_MATCHED',
      'ORDER_MATCHED',
      'ORDER_CANCELLED',
      'POSITION_UPDATED',
      'POSITION_UPDATED',
      'ORDER_BOOK_UPDATE',
      'PRICE_UPDATED',
      'MARKET_STATUS_CHANGED',
      'MARKET_STATUS_CHANGED',
    ]
    assert.deepEqual(typesOf(placed), expected)
    const [own, guest] = placed.events.slice(-2)
    assert.deepEqual([own!.operatorId, guest!.operatorId], ['house', participant])
    assert.deepEqual(guest!.payload, {
      marketId: exchange.market().id,
      operatorId: 'house',
      previousStatus: 'OPEN',
      status: 'SUSPENDED',
      reason: 'PRICE_BAND',
      timestamp: startMs,
    })
    assert.equal(exchange.status(), 'SUSPENDED')
    assert.equal(exchange.buy('bob', 1, 0.2).code, 'MARKET_NOT_OPEN')
    exchange.manage('resume')
    assert.equal(exchange.buy('bob', 1, 0.2).code, null)
  })

  test('on each rejection for it, that of a FOK order included, and after a start', () => {
    for (const options of [
      {},
      { timeInForce: 'IOC' },
      { timeInForce: 'FOK' },
      { isPostOnly: true },
    ] as const) {
      const exchange = withAsks(traded(band(0.1, true)), 0.6)
      const placed = exchange.buy('bob', 8, 0.9, option(options))
      assert.deepEqual(typesOf(placed), ['ORDER_PLACED', 'MARKET_STATUS_CHANGED'])
      exchange.restart()
      assert.equal(exchange.status(), 'SUSPENDED')
    }
  })

  test('by an amendment that is refused for it, which changes nothing else', () => {
    const exchange = withAsks(traded(band(0.1, true)), 0.6)
    const { id } = exchange.buy('bob', 8, 0.3).placement!.order
    const turn = exchange.amend(id, { price: 0.9 })
    assert.deepEqual([turn.code, typesOf(turn)], ['ORDER_OUTSIDE_BAND', ['MARKET_STATUS_CHANGED']])
    exchange.manage('resume')
    assert.equal(exchange.market().books[0]!.bids.bestPrice, 3_000)
    withAsks(exchange, 0.5)
    const both = exchange.amend(id, { price: 0.9 })
    assert.deepEqual(fateOf(both), ['CANCELLED', 5, 0, 'PRICE_BAND'])
    assert.equal(exchange.status(), 'SUSPENDED')
  })

  test('by no order that is rejected for something else, or that rests outside', () => {
    const exchange = withAsks(traded(band(0.1, true)), 0.5, 0.9)
    const refused = [
      exchange.buy('bob', 99, 0.5, { options: { timeInForce: 'FOK' } }),
      exchange.buy('bob', 1, 0.5, { options: { isPostOnly: true } }),
      exchange.buy('bob', 0.5, 0.9),
    ]
    const codes = ['ORDER_NO_LIQUIDITY', 'ORDER_WOULD_MATCH', 'ORDER_INVALID_SHARES']
    assert.deepEqual(
      refused.map(({ code }) => code),
      codes,
    )
    exchange.buy('bob', 6, 0.8)
    assert.equal(exchange.status(), 'OPEN')
  })
})
