// Whose market it is: the owner manages, participants of a shared one trade, strangers see nothing.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type MarketOptions,
  newExchange,
  participant,
  startMs,
  TestExchange,
  type Turn,
} from '../../../test/support/core/exchange.ts'
import type { RejectCode } from '../reject.ts'

const asParticipant = { operator: participant } as const

const managing: Readonly<Record<string, (exchange: TestExchange) => Turn>> = {
  open: (exchange) => exchange.manage('open', asParticipant),
  suspend: (exchange) => exchange.manage('suspend', asParticipant),
  resume: (exchange) => exchange.manage('resume', asParticipant),
  close: (exchange) => exchange.manage('close', asParticipant),
  resolve: (exchange) => exchange.manage('resolve', asParticipant),
  cancel: (exchange) => exchange.manage('cancel', asParticipant),
  settle: (exchange) => exchange.settle(asParticipant),
  retry: (exchange) => exchange.retrySettlements(1, asParticipant),
  edit: (exchange) => exchange.editMarket({ imageUrl: null }, asParticipant),
  changeWindow: (exchange) => exchange.changeTradingWindow(startMs + 1, asParticipant),
}

const trading: Readonly<Record<string, (exchange: TestExchange) => Turn>> = {
  mint: (exchange) => exchange.mint('gil', 10, asParticipant),
  buy: (exchange) => exchange.buy('gil', 10, 0.5, asParticipant),
  sell: (exchange) => exchange.sell('gil', 5, 0.6, asParticipant),
  redeem: (exchange) => exchange.redeem('gil', 5, asParticipant),
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

describe('a participant of a shared market', () => {
  test('may trade in it', () => {
    assert.deepEqual(codesOf(trading, newExchange()), eachIs(trading, null))
  })

  test('is forbidden to manage it', () => {
    assert.deepEqual(codesOf(managing, newExchange()), eachIs(managing, 'FORBIDDEN'))
  })

  test('may cancel its own orders, and not those of the owner', () => {
    const exchange = newExchange()
    const own = exchange.buy('gil', 10, 0.5, asParticipant).placement!.order.id
    const others = exchange.buy('bob', 10, 0.5).placement!.order.id
    assert.equal(exchange.cancel(others, participant).code, 'ORDER_NOT_FOUND')
    assert.equal(exchange.cancel(own, participant).code, null)
  })

  test('may still cancel its orders when it supports the currency no more', () => {
    const exchange = newExchange()
    const orderId = exchange.buy('gil', 10, 0.5, asParticipant).placement!.order.id
    exchange.putOperator(participant, null, ['EUR'])
    assert.equal(exchange.buy('gil', 10, 0.5, asParticipant).code, 'MARKET_NOT_FOUND')
    assert.equal(exchange.cancel(orderId, participant).code, null)
  })
})

const hidden: Readonly<Record<string, () => TestExchange>> = {
  'that is not shared': () => newExchange({ isShared: false }),
  'that is shared and still a DRAFT': () => draft({ isShared: true }),
  'in a currency that it does not support': () => {
    const exchange = newExchange()
    exchange.putOperator(participant, null, ['EUR', 'usd'])
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

  test('and does not learn whether an outcome of it exists', () => {
    const exchange = newExchange({ isShared: false })
    assert.equal(
      exchange.buy('gil', 10, 0.5, { ...asParticipant, outcome: 5 }).code,
      'MARKET_NOT_FOUND',
    )
  })
})

test('the owner trades in its own DRAFT no sooner than anybody else', () => {
  assert.equal(draft({ isShared: true }).buy('bob', 10, 0.5).code, 'MARKET_NOT_OPEN')
})
