// What the limits of a player refuse: each with the purchase that exceeds it, and the one that just
// meets it.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange, type TestExchange } from '../../../test/support/core/exchange.ts'
import type { RejectCode } from '../reject.ts'
import { check } from '../snapshot/check.ts'
import type { Limits } from '../state/limits.ts'

const unit = 1_000_000
const share = 100

/** With 50 shares of each outcome for bob, of which he offers some. */
function exchangeWithAsks(): TestExchange {
  const exchange = newExchange()
  exchange.mint('bob', 50)
  exchange.sell('bob', 10, 0.4)
  exchange.sell('bob', 10, 0.6)
  return exchange
}

type Turn = { readonly code: RejectCode | null }
type Purchase = (exchange: TestExchange) => Turn
type Case = {
  readonly limits: Limits
  /** What ann has before. */
  readonly before?: (exchange: TestExchange) => unknown
  readonly meets: Purchase
  readonly exceeds: Purchase
}

const cases: Readonly<Record<string, Case>> = {
  'the cost of a LIMIT order at its limit, whatever it would match': {
    limits: { maxOrderCost: 5 * unit },
    meets: (exchange) => exchange.buy('ann', 10, 0.5),
    exceeds: (exchange) => exchange.buy('ann', 10.01, 0.5),
  },
  'the cost of an IOC order at its limit': {
    limits: { maxOrderCost: 5 * unit },
    meets: (exchange) => exchange.buy('ann', 10, 0.5, { options: { timeInForce: 'IOC' } }),
    exceeds: (exchange) => exchange.buy('ann', 10, 0.5001, { options: { timeInForce: 'IOC' } }),
  },
  'the cost of a MARKET order as planned': {
    limits: { maxOrderCost: 7 * unit },
    meets: (exchange) => exchange.buy('ann', 15, 'market'),
    exceeds: (exchange) => exchange.buy('ann', 15.01, 'market'),
  },
  'the whole amount of an order by amount, fees and what is not spent included': {
    limits: { maxOrderCost: 5 * unit },
    meets: (exchange) => exchange.buy('ann', 0, 'market', { amount: 5 }),
    exceeds: (exchange) => exchange.buy('ann', 0, 'market', { amount: 5.01 }),
  },
  'the shares that an order by amount would match': {
    limits: { maxOutcomeShares: 10 * share },
    // A share at 0.4 costs 0.408 with the fee.
    meets: (exchange) => exchange.buy('ann', 0, 'market', { amount: 4.08 }),
    exceeds: (exchange) => exchange.buy('ann', 0, 'market', { amount: 4.1 }),
  },
  'the cost of minting': {
    limits: { maxOrderCost: 5 * unit },
    meets: (exchange) => exchange.mint('ann', 5),
    exceeds: (exchange) => exchange.mint('ann', 5.01),
  },
  'shares with those that are held, reserved ones too': {
    limits: { maxOutcomeShares: 20 * share },
    before: (exchange) => {
      exchange.mint('ann', 15)
      exchange.sell('ann', 15, 0.9)
    },
    meets: (exchange) => exchange.buy('ann', 5, 0.1),
    exceeds: (exchange) => exchange.buy('ann', 5.01, 0.1),
  },
  'shares with those that open orders want': {
    limits: { maxOutcomeShares: 20 * share },
    before: (exchange) => {
      exchange.buy('ann', 15, 0.1)
      exchange.buy('ann', 15, 0.1, { outcome: 1 })
      exchange.buy('bob', 15, 0.1)
    },
    meets: (exchange) => exchange.buy('ann', 5, 0.1),
    exceeds: (exchange) => exchange.buy('ann', 5.01, 0.1),
  },
  'shares with the rest of an order that is partly filled': {
    limits: { maxOutcomeShares: 20 * share },
    before: (exchange) => exchange.buy('ann', 15, 0.4),
    meets: (exchange) => exchange.buy('ann', 5, 0.1),
    exceeds: (exchange) => exchange.buy('ann', 5.01, 0.1),
  },
  'all shares that a MARKET order wants': {
    limits: { maxOutcomeShares: 30 * share },
    meets: (exchange) => exchange.buy('ann', 30, 'market'),
    exceeds: (exchange) => exchange.buy('ann', 30.01, 'market'),
  },
  'shares of the outcome with the most where sets are minted': {
    limits: { maxOutcomeShares: 20 * share },
    before: (exchange) => exchange.buy('ann', 15, 0.1, { outcome: 1 }),
    meets: (exchange) => exchange.mint('ann', 5),
    exceeds: (exchange) => exchange.mint('ann', 5.01),
  },
  'the cost of positions and open orders over all outcomes': {
    limits: { maxMarketCost: 10 * unit },
    before: (exchange) => {
      exchange.buy('ann', 5, 0.4)
      exchange.buy('ann', 10, 0.1, { outcome: 1 })
      exchange.mint('ann', 2)
    },
    meets: (exchange) => exchange.buy('ann', 10, 0.5, { outcome: 1 }),
    exceeds: (exchange) => exchange.buy('ann', 10.01, 0.5, { outcome: 1 }),
  },
  'the cost of sets in a market': {
    limits: { maxMarketCost: 10 * unit },
    before: (exchange) => exchange.buy('ann', 5, 0.4),
    meets: (exchange) => exchange.mint('ann', 8),
    exceeds: (exchange) => exchange.mint('ann', 8.01),
  },
  'the cost of a MARKET order in a market': {
    limits: { maxMarketCost: 7 * unit },
    before: (exchange) => exchange.buy('ann', 10, 0.3, { outcome: 1 }),
    meets: (exchange) => exchange.buy('ann', 10, 'market'),
    exceeds: (exchange) => exchange.buy('ann', 10.01, 'market'),
  },
}

describe('a limit counts', () => {
  for (const [title, { limits, before, exceeds, meets }] of Object.entries(cases)) {
    test(title, () => {
      const exchange = exchangeWithAsks()
      before?.(exchange)
      exchange.limit('ann', limits)
      const { hash } = exchange
      assert.equal(exceeds(exchange).code, 'LIMIT_EXCEEDED')
      assert.equal(exchange.hash, hash, 'a rejection changes nothing')
      assert.equal(meets(exchange).code, null)
      check(exchange.core)
    })
  }
})

test('the example of the guide adds up', () => {
  const exchange = newExchange()
  exchange.mint('bob', 100)
  exchange.limit(null, { maxOrderCost: 100 * unit })
  exchange.limit('ann', { maxMarketCost: 60 * unit })
  exchange.sell('bob', 40, 0.5)
  assert.equal(exchange.buy('ann', 40, 0.5).placement!.order.status, 'FILLED')
  exchange.buy('ann', 50, 0.49)
  assert.partialDeepStrictEqual(exchange.buy('ann', 32, 0.5).reject, { max: '60', would: '60.5' })
  assert.equal(exchange.buy('ann', 31, 0.5).code, null)
})

describe('an amended order', () => {
  const amended = (limits: Limits, to: { shares?: number; price?: number }) => {
    const exchange = exchangeWithAsks()
    exchange.buy('ann', 10, 0.1, { outcome: 1 })
    // 4 shares of it are filled.
    const { id } = exchange.buy('ann', 10, 0.39).placement!.order
    exchange.sell('bob', 4, 0.39)
    exchange.limit('ann', limits)
    return exchange.amend(id, to).code
  }

  test('is judged by its new remaining shares at its new price', () => {
    const limits = { maxOrderCost: 4 * unit }
    assert.equal(amended(limits, { shares: 14, price: 0.4 }), null)
    assert.equal(amended(limits, { shares: 14.01, price: 0.4 }), 'LIMIT_EXCEEDED')
    assert.equal(amended(limits, { shares: 14, price: 0.4001 }), 'LIMIT_EXCEEDED')
  })

  test('does not count as it was, but what it has bought does', () => {
    assert.equal(amended({ maxOutcomeShares: 14 * share }, { shares: 14 }), null)
    assert.equal(amended({ maxOutcomeShares: 14 * share }, { shares: 14.01 }), 'LIMIT_EXCEEDED')
    // 1.56 for four shares, 1 for the other order.
    const limits = { maxMarketCost: 4.56 * unit }
    assert.equal(amended(limits, { shares: 9, price: 0.4 }), null)
    assert.equal(amended(limits, { shares: 9.01, price: 0.4 }), 'LIMIT_EXCEEDED')
  })

  test('is refused above a limit that was lowered, also where it becomes less', () => {
    assert.equal(amended({ maxOrderCost: unit }, { shares: 8 }), 'LIMIT_EXCEEDED')
    assert.equal(amended({ maxOrderCost: unit }, { shares: 6 }), null)
  })

  test('that sells has no limit', () => {
    const exchange = exchangeWithAsks()
    const { id } = exchange.sell('bob', 5, 0.9).placement!.order
    exchange.limit('bob', { maxOrderCost: 0, maxOutcomeShares: 0, maxMarketCost: 0 })
    assert.equal(exchange.amend(id, { shares: 10, price: 0.95 }).code, null)
  })
})

test('nothing but buying and minting has a limit, and lowering one cancels nothing', () => {
  const exchange = exchangeWithAsks()
  exchange.buy('bob', 5, 0.1)
  const open = exchange.core.orders.openCount
  exchange.limit('bob', { maxOrderCost: 0, maxOutcomeShares: 0, maxMarketCost: 0 })
  assert.equal(exchange.core.orders.openCount, open)
  assert.equal(exchange.sell('bob', 1, 0.9).code, null)
  assert.equal(exchange.redeem('bob', 1).code, null)
  assert.equal(exchange.buy('bob', 1, 0.01).code, 'LIMIT_EXCEEDED')
  assert.equal(exchange.mint('bob', 1).code, 'LIMIT_EXCEEDED')
})

test('the first limit that is exceeded is named, with what it would be', () => {
  const exchange = exchangeWithAsks()
  const rejected = (limits: Limits) => {
    exchange.limit('ann', limits)
    return exchange.buy('ann', 10, 0.3333).reject
  }
  const [maxOrderCost, maxOutcomeShares, maxMarketCost] = [3_000_000, 999, 1]
  const code = 'LIMIT_EXCEEDED'
  assert.deepEqual(rejected({ maxOrderCost, maxOutcomeShares, maxMarketCost }), {
    code,
    limit: 'maxOrderCost',
    max: '3',
    would: '3.333',
  })
  assert.deepEqual(rejected({ maxOutcomeShares, maxMarketCost }), {
    code,
    limit: 'maxOutcomeShares',
    max: '9.99',
    would: '10',
  })
  assert.deepEqual(rejected({ maxMarketCost }), {
    code,
    limit: 'maxMarketCost',
    max: '0.000001',
    would: '3.333',
  })
})

test('limits come behind brakes and shares, and before what the books decide', () => {
  const exchange = newExchange({}, { playerOrdersMax: 1 })
  exchange.buy('ann', 1, 0.1)
  const fok = { options: { timeInForce: 'FOK' } } as const
  assert.equal(exchange.buy('ann', 1, 0.1).code, 'ORDER_LIMIT')
  assert.equal(exchange.buy('ann', 2, 0.1, fok).code, 'ORDER_NO_LIQUIDITY')
  exchange.limit('ann', { maxOutcomeShares: 1 * share })
  assert.equal(exchange.buy('ann', 1, 0.1).code, 'LIMIT_EXCEEDED')
  assert.equal(exchange.buy('ann', 2, 0.1, fok).code, 'LIMIT_EXCEEDED')
  assert.equal(exchange.buy('ann', 2, 'market').code, 'LIMIT_EXCEEDED')
  exchange.halt('ann', { limits: { maxOutcomeShares: 1 * share }, cancelsOrders: false })
  assert.equal(exchange.buy('ann', 1, 0.1).code, 'TRADING_RESTRICTED')
})

describe('the limits of an operator', () => {
  test('hold for players without their own, known or not, and for no other operator', () => {
    const exchange = exchangeWithAsks()
    exchange.limit(null, { maxOrderCost: unit })
    exchange.limit('ann', { maxOrderCost: null, maxOutcomeShares: 10 * share })
    assert.equal(exchange.buy('new', 2, 0.5001).code, 'LIMIT_EXCEEDED')
    assert.equal(exchange.buy('new', 2, 0.5).code, null)
    assert.equal(exchange.buy('bob', 5, 0.3).code, 'LIMIT_EXCEEDED')
    assert.equal(exchange.buy('ann', 10, 0.3).code, null)
    assert.equal(exchange.buy('gil', 10, 0.3, { operator: 'participant' }).code, null)
    exchange.limit('ann', null)
    assert.equal(exchange.buy('ann', 5, 0.3).code, 'LIMIT_EXCEEDED')
    exchange.limit(null, null)
    assert.equal(exchange.buy('ann', 5, 0.3).code, null)
    assert.equal(exchange.save().controls.length, 0, 'nothing is kept of limits that were lifted')
  })
})

test('sums stay exact past 2^53', () => {
  const exchange = newExchange({}, { sharesMax: 90_000_000 as never })
  for (let at = 0; at < 10_009; at += 1) exchange.mint('ann', 900_000)
  exchange.limit('ann', { maxMarketCost: 9_000_000_000_000_000 })
  const { reject } = exchange.mint('ann', 1.01)
  assert.ok(reject?.code === 'LIMIT_EXCEEDED')
  assert.equal(reject.would, '9008100001.01')
})
