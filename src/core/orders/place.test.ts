// What happens to an order that is placed, and when it is accepted.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  newExchange,
  participant,
  startMs,
  type TestExchange,
} from '../../../test/support/core/exchange.ts'
import { check, checkBothSides } from '../../../test/support/core/script.ts'
import { priceOf, serial, sharesOf } from '../../../test/support/core/steps.ts'
import { placementOf } from '../events/answer.ts'
import type { Price, Shares } from '../money.ts'
import type { RejectCode } from '../reject.ts'
import { type NewOrder, place } from './place.ts'

/** With 100 shares of each outcome for ann. */
function exchangeWithShares(): TestExchange {
  const exchange = newExchange()
  exchange.mint('ann', 100)
  return exchange
}

/** Bob's bid for ten shares at 0.5, as the core gets it. */
function bid(exchange: TestExchange): NewOrder {
  return {
    operator: exchange.operator('house'),
    marketSerial: exchange.marketSerial,
    outcomeSerial: exchange.outcomeSerial(0),
    playerId: 'bob',
    side: 'BUY',
    type: 'LIMIT',
    shares: sharesOf(10),
    price: priceOf(0.5),
    expiresAt: null,
    options: 0,
    transactionId: null,
  }
}

describe('the status of a placed order', () => {
  test('is PENDING when nothing matched', () => {
    const { order } = newExchange().buy('bob', 10, 0.5).placement!
    assert.deepEqual([order.status, order.filled, order.remaining], ['PENDING', 0, 1_000])
  })

  test('is PARTIAL when some shares matched and the rest stays', () => {
    const exchange = exchangeWithShares()
    exchange.sell('ann', 4, 0.5)
    const { order } = exchange.buy('bob', 10, 0.5).placement!
    assert.deepEqual([order.status, order.filled, order.remaining], ['PARTIAL', 400, 600])
  })

  test('is FILLED when all shares matched', () => {
    const exchange = exchangeWithShares()
    exchange.sell('ann', 10, 0.5)
    const { order } = exchange.buy('bob', 10, 0.5).placement!
    assert.deepEqual([order.status, order.filled, order.remaining], ['FILLED', 1_000, 0])
  })

  test('is CANCELLED when a MARKET order got a part, and nothing remains', () => {
    const exchange = exchangeWithShares()
    exchange.sell('ann', 4, 0.5)
    const { order } = exchange.buy('bob', 10, 'market').placement!
    assert.deepEqual([order.status, order.filled, order.remaining], ['CANCELLED', 400, 0])
  })

  test('is REJECTED when a MARKET order found nothing, and nothing remains', () => {
    const { order } = newExchange().buy('bob', 10, 'market').placement!
    assert.deepEqual([order.status, order.filled, order.remaining], ['REJECTED', 0, 0])
  })
})

describe('a MARKET order', () => {
  test('goes through level after level, best first, whatever they cost', () => {
    checkBothSides(`
      sell S1 10 @ 99
      sell S2 10 @ 1
      sell S3 10 @ 50
      buy  B1 25 @ market
      trade S2 B1 10 @ 1
      trade S3 B1 10 @ 50
      trade S1 B1 5 @ 99
      rests S1 5 @ 99
    `)
  })

  test('never rests: what it does not get is cancelled', () => {
    checkBothSides(`
      sell S1 10 @ 50
      buy  B1 25 @ market
      trade S1 B1 10 @ 50
      sell S2 10 @ 50
      rests S2 10 @ 50
    `)
  })

  test('that finds nothing is rejected', () => {
    checkBothSides(`
      buy  B1 10 @ 50
      buy  B2 10 @ market
      rejects B2 ORDER_NO_LIQUIDITY
      rests B1 10 @ 50
    `)
  })

  test('that finds one hundredth of a share is accepted', () => {
    checkBothSides(`
      sell S1 1.01 @ 50
      buy  B1 1 @ 50
      buy  B2 10 @ market
      trade S1 B1 1 @ 50
      trade S1 B2 0.01 @ 50
    `)
  })

  test('that finds nothing is stored as REJECTED, named in the rejection and has one event', () => {
    const { placement, reject, events } = newExchange().buy('bob', 10, 'market')
    assert.deepEqual(reject, { code: 'ORDER_NO_LIQUIDITY', orderId: placement!.order.id })
    assert.deepEqual(
      events.map(({ eventType }) => eventType),
      ['ORDER_PLACED'],
    )
  })

  test('has no price, whatever it was sent with', () => {
    const exchange = exchangeWithShares()
    exchange.sell('ann', 10, 0.5)
    const { core } = exchange
    assert.equal(place(core, { ...bid(exchange), type: 'MARKET', price: 1 as Price }), null)
    const { order } = placementOf(core, core.journal.current)
    assert.deepEqual([order.price, order.status], [null, 'FILLED'])
  })

  test('that sells needs every share free, however few there are to meet', () => {
    check(`
      mint S1 10
      buy  B1 1 @ 50
      sell S1 10.01 @ market
      rejects S1 POSITION_INSUFFICIENT_SHARES
      sell S1 10 @ market
      trade S1 B1 1 @ 50
      holds S1 9
    `)
  })
})

type Try = (exchange: TestExchange) => { readonly code: RejectCode | null }
type Rejection = {
  readonly code: RejectCode
  readonly rejected: Try
  /** One step less, and the order is accepted. */
  readonly accepted: Try
}

const rejections: Readonly<Record<string, Rejection>> = {
  'fewer shares than the least': {
    code: 'ORDER_INVALID_SHARES',
    rejected: (exchange) => exchange.buy('bob', 0.99, 0.5),
    accepted: (exchange) => exchange.buy('bob', 1, 0.5),
  },
  'more shares than the most': {
    code: 'ORDER_INVALID_SHARES',
    rejected: (exchange) => exchange.buy('bob', 100_000.01, 0.5),
    accepted: (exchange) => exchange.buy('bob', 100_000, 0.5),
  },
  'a price below the lowest': {
    code: 'ORDER_INVALID_PRICE',
    rejected: (exchange) => exchange.buy('bob', 10, 0.0099),
    accepted: (exchange) => exchange.buy('bob', 10, 0.01),
  },
  'a price above the highest': {
    code: 'ORDER_INVALID_PRICE',
    rejected: (exchange) => exchange.buy('bob', 10, 0.9901),
    accepted: (exchange) => exchange.buy('bob', 10, 0.99),
  },
  'an expiry that has come': {
    code: 'VALIDATION_ERROR',
    rejected: (exchange) => exchange.buy('bob', 10, 0.5, { expiresAt: startMs }),
    accepted: (exchange) => exchange.buy('bob', 10, 0.5, { expiresAt: startMs + 1 }),
  },
  'a market that does not exist': {
    code: 'MARKET_NOT_FOUND',
    rejected: (exchange) =>
      exchange.buy('bob', 10, 0.5, { market: serial(exchange.marketSerial + 100) }),
    accepted: (exchange) => exchange.buy('bob', 10, 0.5, { market: exchange.marketSerial }),
  },
  'an outcome that the market does not have': {
    code: 'VALIDATION_ERROR',
    rejected: (exchange) => exchange.buy('bob', 10, 0.5, { outcome: 2 }),
    accepted: (exchange) => exchange.buy('bob', 10, 0.5, { outcome: 1 }),
  },
  'more shares than are held': {
    code: 'POSITION_INSUFFICIENT_SHARES',
    rejected: (exchange) => exchange.sell('ann', 100.01, 0.5),
    accepted: (exchange) => exchange.sell('ann', 100, 0.5),
  },
  "shares of another operator's player of the same name": {
    code: 'POSITION_INSUFFICIENT_SHARES',
    rejected: (exchange) => exchange.sell('ann', 1, 0.5, { operator: participant }),
    accepted: (exchange) => exchange.sell('ann', 1, 0.5),
  },
}

describe('placing is rejected for', () => {
  for (const [name, { code, rejected, accepted }] of Object.entries(rejections)) {
    test(`${name}, and not for one step less`, () => {
      const exchange = exchangeWithShares()
      const { hash } = exchange
      assert.equal(rejected(exchange).code, code)
      assert.equal(exchange.hash, hash, 'a rejection changes nothing')
      assert.equal(accepted(exchange).code, null)
    })
  }
})

test('an outcome of another market is rejected, and not with its own market', () => {
  const exchange = exchangeWithShares()
  const order = bid(exchange)
  exchange.createMarket()
  exchange.manage('open')
  const reject = place(exchange.core, { ...order, marketSerial: exchange.marketSerial })
  assert.partialDeepStrictEqual(reject, { code: 'VALIDATION_ERROR', field: 'outcomeId' })
  assert.equal(place(exchange.core, order), null)
})

test('of several reasons to reject, the first in the order of the checks is given', () => {
  const exchange = exchangeWithShares()
  exchange.manage('suspend')
  const faults = { expiresAt: startMs, market: serial(exchange.marketSerial + 100), outcome: 5 }
  const { expiresAt: _, ...future } = faults
  const { market: __, ...known } = future
  const sell = (shares: number, price: number, options: object) =>
    exchange.sell('bob', shares, price, options).code
  assert.equal(sell(0.5, 0.001, faults), 'VALIDATION_ERROR')
  assert.equal(sell(0.5, 0.001, future), 'ORDER_INVALID_SHARES')
  assert.equal(sell(10, 0.001, future), 'ORDER_INVALID_PRICE')
  assert.equal(sell(10, 0.5, future), 'MARKET_NOT_FOUND')
  assert.equal(sell(10, 0.5, known), 'VALIDATION_ERROR')
  assert.equal(sell(10, 0.5, {}), 'MARKET_NOT_OPEN')
  exchange.manage('resume')
  assert.equal(exchange.sell('bob', 10, 'market').code, 'POSITION_INSUFFICIENT_SHARES')
  assert.equal(exchange.sell('ann', 10, 'market').code, 'ORDER_NO_LIQUIDITY')
})

test('the bounds are those of the installation', () => {
  const rules = { sharesMin: 5 as Shares, sharesMax: 10 as Shares, priceMax: 9_990 as Price }
  const exchange = newExchange({}, rules)
  assert.equal(exchange.buy('bob', 0.05, 0.999).code, null)
  assert.equal(exchange.buy('bob', 0.04, 0.999).code, 'ORDER_INVALID_SHARES')
  assert.equal(exchange.buy('bob', 0.11, 0.999).code, 'ORDER_INVALID_SHARES')
  assert.equal(exchange.buy('bob', 0.05, 0.9991).code, 'ORDER_INVALID_PRICE')
})
