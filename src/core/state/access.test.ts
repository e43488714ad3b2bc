// Whose market it is: the owner manages, guests of a shared one trade, strangers see nothing.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  guest,
  type MarketOptions,
  newExchange,
  TestExchange,
  type Turn,
} from '../../../test/support/core/exchange.ts'
import type { RejectCode } from '../reject.ts'

const asGuest = { operator: guest } as const

const managing: Readonly<Record<string, (exchange: TestExchange) => Turn>> = {
  open: (exchange) => exchange.manage('open', asGuest),
  suspend: (exchange) => exchange.manage('suspend', asGuest),
  resume: (exchange) => exchange.manage('resume', asGuest),
  close: (exchange) => exchange.manage('close', asGuest),
  resolve: (exchange) => exchange.manage('resolve', asGuest),
  cancel: (exchange) => exchange.manage('cancel', asGuest),
  settle: (exchange) => exchange.settle(asGuest),
  retry: (exchange) => exchange.retrySettlements(1, asGuest),
  edit: (exchange) => exchange.editMarket({ imageUrl: null }, asGuest),
}

const trading: Readonly<Record<string, (exchange: TestExchange) => Turn>> = {
  mint: (exchange) => exchange.mint('gil', 10, asGuest),
  buy: (exchange) => exchange.buy('gil', 10, 0.5, asGuest),
  sell: (exchange) => exchange.sell('gil', 5, 0.6, asGuest),
  redeem: (exchange) => exchange.redeem('gil', 5, asGuest),
}

function codesOf(
  tries: Readonly<Record<string, (exchange: TestExchange) => Turn>>,
  exchange: TestExchange,
): Record<string, RejectCode | null> {
  return Object.fromEntries(
    Object.entries(tries).map(([name, attempt]) => [name, attempt(exchange).code]),
  )
}

function eachIs(
  tries: Readonly<Record<string, unknown>>,
  code: RejectCode | null,
): Record<string, RejectCode | null> {
  return Object.fromEntries(Object.keys(tries).map((name) => [name, code]))
}

describe('a guest of a shared market', () => {
  test('may trade in it', () => {
    assert.deepEqual(codesOf(trading, newExchange()), eachIs(trading, null))
  })

  test('may not manage it, and is told so', () => {
    assert.deepEqual(codesOf(managing, newExchange()), eachIs(managing, 'FORBIDDEN'))
  })

  test('may cancel its own orders, and not those of the owner', () => {
    const exchange = newExchange()
    const own = exchange.buy('gil', 10, 0.5, asGuest).placement!.order.id
    const others = exchange.buy('bob', 10, 0.5).placement!.order.id
    assert.equal(exchange.cancel(others, guest).code, 'ORDER_NOT_FOUND')
    assert.equal(exchange.cancel(own, guest).code, null)
  })

  test('may still cancel its orders when it supports the currency no more', () => {
    const exchange = newExchange()
    const orderId = exchange.buy('gil', 10, 0.5, asGuest).placement!.order.id
    exchange.putOperator(guest, null, ['EUR'])
    assert.equal(exchange.buy('gil', 10, 0.5, asGuest).code, 'MARKET_NOT_FOUND')
    assert.equal(exchange.cancel(orderId, guest).code, null)
  })
})

const hidden: Readonly<Record<string, () => TestExchange>> = {
  'that is not shared': () => newExchange({ isShared: false }),
  'that is shared and still a DRAFT': () => draft({ isShared: true }),
  'in a currency that it does not support': () => {
    const exchange = newExchange()
    exchange.putOperator(guest, null, ['EUR', 'usd'])
    return exchange
  },
}

function draft(market: MarketOptions): TestExchange {
  const exchange = new TestExchange()
  exchange.createMarket(market)
  return exchange
}

describe('another operator does not know of a market', () => {
  for (const [name, make] of Object.entries(hidden)) {
    test(`${name}: not to trade in it, not to manage it`, () => {
      const tries = { ...managing, ...trading }
      assert.deepEqual(codesOf(tries, make()), eachIs(tries, 'MARKET_NOT_FOUND'))
    })
  }

  test('and is not told whether an outcome of it exists', () => {
    const exchange = newExchange({ isShared: false })
    assert.equal(exchange.buy('gil', 10, 0.5, { ...asGuest, outcome: 5 }).code, 'MARKET_NOT_FOUND')
  })
})

test('the owner trades in its own DRAFT no sooner than anybody else', () => {
  assert.equal(draft({ isShared: true }).buy('bob', 10, 0.5).code, 'MARKET_NOT_OPEN')
})
