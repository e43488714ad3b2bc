// How many orders may be open: the bound of a player in a market, and that of an operator.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange, participant } from '../../../test/support/core/exchange.ts'
import { messageOf } from '../reject.ts'
import { check } from '../snapshot/check.ts'

describe('open orders of a player', () => {
  test('are bounded in each market, over all of its outcomes', () => {
    const exchange = newExchange({}, { playerOrdersMax: 3 })
    exchange.mint('ann', 100)
    exchange.buy('ann', 1, 0.1)
    exchange.buy('ann', 1, 0.2, { outcome: 1 })
    assert.equal(exchange.sell('ann', 1, 0.9).code, null)
    const rejected = exchange.buy('ann', 1, 0.1)
    assert.deepEqual(rejected.reject, { code: 'ORDER_LIMIT', holder: 'player', max: 3 })
    assert.deepEqual(rejected.events, [])
    assert.equal(rejected.placement, null)
    assert.equal(exchange.buy('bob', 1, 0.1).code, null)
    assert.equal(exchange.buy('ann', 1, 0.1, { operator: participant }).code, null)
    exchange.createMarket()
    exchange.manage('open')
    assert.equal(exchange.buy('ann', 1, 0.1).code, null)
    check(exchange.core)
  })

  test('leave room again when one is cancelled, filled, or goes with its market', () => {
    const exchange = newExchange({}, { playerOrdersMax: 2 })
    exchange.mint('ann', 100)
    const first = exchange.sell('ann', 5, 0.6).placement!.order
    exchange.sell('ann', 5, 0.7)
    assert.equal(exchange.sell('ann', 5, 0.8).code, 'ORDER_LIMIT')
    exchange.cancel(first.id)
    assert.equal(exchange.sell('ann', 5, 0.5).code, null)
    exchange.buy('bob', 3, 0.5)
    assert.equal(exchange.sell('ann', 5, 0.8).code, 'ORDER_LIMIT')
    exchange.buy('bob', 2, 0.5)
    assert.equal(exchange.sell('ann', 5, 0.8).code, null)
    exchange.manage('cancel')
    exchange.continueJob()
    assert.equal(exchange.core.orders.openCount, 0)
    check(exchange.core)
  })

  test('do not count a MARKET order, which never rests', () => {
    const exchange = newExchange({}, { playerOrdersMax: 1 })
    exchange.mint('bob', 10)
    exchange.buy('ann', 1, 0.1)
    exchange.sell('bob', 1, 0.5)
    assert.equal(exchange.buy('ann', 1, 0.5).code, 'ORDER_LIMIT')
    assert.equal(exchange.buy('ann', 1, 'market').code, null)
  })

  test('do not count an order that is immediate or cancelled', () => {
    const exchange = newExchange({}, { playerOrdersMax: 1 })
    exchange.buy('ann', 1, 0.1)
    assert.equal(exchange.buy('ann', 1, 0.1, { options: { timeInForce: 'IOC' } }).code, null)
    assert.equal(exchange.buy('ann', 1, 0.1).code, 'ORDER_LIMIT')
    check(exchange.core)
  })

  test('stay as many when one is amended', () => {
    const exchange = newExchange({}, { playerOrdersMax: 2 })
    const { id } = exchange.buy('ann', 5, 0.1).placement!.order
    exchange.buy('ann', 5, 0.2)
    assert.equal(exchange.buy('ann', 5, 0.3).code, 'ORDER_LIMIT')
    exchange.amend(id, { shares: 3 })
    exchange.amend(id, { price: 0.15 })
    check(exchange.core)
    assert.equal(exchange.buy('ann', 5, 0.3).code, 'ORDER_LIMIT')
  })

  test('are counted after the shares: a sale of too many is rejected for that', () => {
    const exchange = newExchange({}, { playerOrdersMax: 1 })
    exchange.buy('ann', 1, 0.1)
    assert.equal(exchange.sell('ann', 1, 0.9).code, 'POSITION_INSUFFICIENT_SHARES')
  })

  test('are counted right for one who has many, in several markets, up and down', () => {
    const exchange = newExchange({}, { playerOrdersMax: 1_000 })
    const markets = [exchange.marketSerial]
    exchange.createMarket()
    exchange.manage('open')
    markets.push(exchange.marketSerial)
    const ids: string[] = []
    for (let at = 0; at < 1_000; at += 1) {
      ids.push(exchange.buy('ann', 1, 0.1, { market: markets[at % 2]! }).placement!.order.id)
    }
    for (let at = 0; at < 500; at += 1) {
      assert.equal(exchange.buy('ann', 1, 0.1, { market: markets[0]! }).code, null)
    }
    assert.equal(exchange.buy('ann', 1, 0.1, { market: markets[0]! }).code, 'ORDER_LIMIT')
    assert.equal(exchange.buy('ann', 1, 0.1, { market: markets[1]! }).code, null)
    exchange.cancel(ids[0]!)
    assert.equal(exchange.buy('ann', 1, 0.1, { market: markets[0]! }).code, null)
    assert.equal(exchange.buy('ann', 1, 0.1, { market: markets[0]! }).code, 'ORDER_LIMIT')
    for (const id of ids.slice(1)) exchange.cancel(id)
    check(exchange.core)
    assert.equal(exchange.buy('ann', 1, 0.1, { market: markets[0]! }).code, null)
  })
})

describe('open orders of an operator', () => {
  test('are bounded over all of its players and markets', () => {
    const exchange = newExchange({}, { operatorOrdersMax: 2 })
    const first = exchange.buy('ann', 1, 0.1).placement!.order
    exchange.buy('bob', 1, 0.1)
    const rejected = exchange.buy('cy', 1, 0.1)
    assert.deepEqual(rejected.reject, { code: 'ORDER_LIMIT', holder: 'operator', max: 2 })
    assert.match(messageOf(rejected.reject!), /operator has 2 open orders/)
    assert.equal(exchange.buy('cy', 1, 0.1, { operator: participant }).code, null)
    exchange.cancel(first.id)
    assert.equal(exchange.buy('cy', 1, 0.1).code, null)
  })

  test('are known again after a load', () => {
    const exchange = newExchange({}, { playerOrdersMax: 2, operatorOrdersMax: 3 })
    exchange.buy('ann', 1, 0.1)
    exchange.buy('ann', 1, 0.2)
    exchange.buy('bob', 1, 0.2)
    exchange.restart()
    check(exchange.core)
    assert.equal(exchange.buy('cy', 1, 0.1).code, 'ORDER_LIMIT')
  })
})
