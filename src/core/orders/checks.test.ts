// The order in which the rejections of an order and of an amendment win.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { house, newExchange, type Turn } from '../../../test/support/core/exchange.ts'
import type { Reject } from '../reject.ts'

type Lifting = readonly [code: Reject['code'], lift: () => Turn]

/** An open order of ann, whose orders are refused for everything that it can be at once. */
function refused() {
  const exchange = newExchange({}, { playerOrdersMax: 1 })
  const { group } = exchange.createGroup('ann', 10)
  const { id } = exchange.buy('ann', 1, 0.2, { group }).placement!.order
  const limits = { maxOrderCost: 250_000 }
  exchange.armDeadMan(1_000, { playerId: 'ann' })
  exchange.wait(1_000)
  exchange.halt('ann', { cancelsOrders: false, limits })
  exchange.changeGroup(group, 'trigger')
  exchange.manage('suspend')
  const ofMarket: Lifting = ['MARKET_NOT_OPEN', () => exchange.manage('resume')]
  const ofMode: Lifting = [
    'TRADING_RESTRICTED',
    () => exchange.halt('ann', { mode: 'OPEN', reason: null, limits }),
  ]
  const ofSwitch: Lifting = [
    'DEAD_MAN_TRIGGERED',
    () => exchange.armDeadMan(60_000, { playerId: 'ann' }),
  ]
  const ofGroup: Lifting = ['ORDER_GROUP_TRIGGERED', () => exchange.changeGroup(group, 'reset')]
  const ofLimits: Lifting = [
    'LIMIT_EXCEEDED',
    () => exchange.halt('ann', { mode: 'OPEN', reason: null }),
  ]
  const ofCount: Lifting = ['ORDER_LIMIT', () => exchange.cancel(id)]
  return { exchange, group, id, ofMarket, ofMode, ofSwitch, ofGroup, ofLimits, ofCount }
}

function assertInOrder(liftings: readonly Lifting[], attempt: () => Turn): void {
  for (const [code, lift] of liftings) {
    assert.equal(attempt().code, code)
    assert.equal(lift().code, null, `${code} is lifted`)
  }
}

test('a BUY is refused for market, mode, switch, group, limits and open orders, in turn', () => {
  const { exchange, group, ofMarket, ofMode, ofSwitch, ofGroup, ofLimits, ofCount } = refused()
  const buy = () => exchange.buy('ann', 1, 0.3, { group })
  assertInOrder([ofMarket, ofMode, ofSwitch, ofGroup, ofLimits, ofCount], buy)
  assert.equal(buy().code, null)
})

test('a SELL is refused for the shares it lacks after its group, before open orders', () => {
  const { exchange, group, ofMarket, ofMode, ofSwitch, ofGroup, ofCount } = refused()
  const ofShares: Lifting = ['POSITION_INSUFFICIENT_SHARES', () => mintFor(exchange)]
  const sell = () => exchange.sell('ann', 1, 0.7, { group })
  assertInOrder([ofMarket, ofMode, ofSwitch, ofGroup, ofShares, ofCount], sell)
  assert.equal(sell().code, null)
})

// The limits of ann do not allow a mint.
function mintFor(exchange: ReturnType<typeof newExchange>): Turn {
  exchange.halt('ann', { mode: 'OPEN', reason: null })
  return exchange.mint('ann', 1)
}

test('an amendment is refused for market, mode, switch, group and limits, in turn', () => {
  const { exchange, id, ofMarket, ofMode, ofSwitch, ofGroup } = refused()
  const amend = () => exchange.amend(id, { price: 0.3 })
  assertInOrder([ofMarket, ofMode, ofSwitch], amend)
  assert.equal(exchange.amend(id, { price: 0.3 }).code, ofGroup[0], 'also over its limits')
  const other = exchange.buy('bob', 1, 0.2).placement!.order
  const limits = { maxOrderCost: 250_000 }
  exchange.brake({ kind: 'OPERATOR', operatorId: house }, { mode: 'OPEN', reason: null, limits })
  assert.equal(exchange.amend(other.id, { price: 0.3 }).code, 'LIMIT_EXCEEDED')
})
