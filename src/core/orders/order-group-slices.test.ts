// The orders of a group that are cancelled in slices: unmet from the first moment, and all of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newExchange, type TestExchange } from '../../../test/support/core/exchange.ts'

/** A group of ann that may be filled with 10, with asks of 6 at 0.6, 0.61 and 0.62. */
function quoting() {
  const exchange = newExchange()
  exchange.mint('ann', 100)
  const { group } = exchange.createGroup('ann', 10)
  for (const price of [0.6, 0.61, 0.62]) exchange.sell('ann', 6, price, { group })
  return { exchange, group }
}

function openOf(exchange: TestExchange): string[] {
  return exchange
    .save()
    .orders.map(({ playerId, price, shares, filled }) => `${playerId} ${shares - filled} ${price}`)
}

test('a group that is triggered again also cancels what was placed since its reset', () => {
  const { exchange, group } = quoting()
  exchange.changeGroup(group, 'trigger')
  exchange.continueGroup(1)
  exchange.changeGroup(group, 'reset')
  exchange.buy('ann', 1, 0.4, { group })
  exchange.changeGroup(group, 'trigger')
  exchange.continueGroup(10)
  assert.deepEqual(openOf(exchange), [])
})

test('the newest order of a triggered group is neither met nor amended either', () => {
  const { exchange, group } = quoting()
  const newest = exchange.sell('ann', 1, 0.59, { group }).placement!.order
  assert.equal(exchange.core.lastSerial, exchange.save().orders.at(-1)!.serial)
  exchange.changeGroup(group, 'trigger')
  exchange.changeGroup(group, 'reset')
  assert.equal(exchange.amend(newest.id, { price: 0.58 }).code, 'ORDER_GROUP_TRIGGERED')
  assert.deepEqual(exchange.buy('bob', 1, 0.65).placement!.trades, [])
})

test('the orders of a triggered group are not met by complete sets', () => {
  const exchange = newExchange({ hasCompleteSetMatching: true })
  const { group } = exchange.createGroup('ann', 10)
  exchange.buy('ann', 5, 0.5, { outcome: 1, group })
  exchange.buy('zoe', 3, 0.45, { outcome: 1 })
  exchange.changeGroup(group, 'trigger')
  const { placement } = exchange.buy('bob', 5, 0.55)
  assert.equal(placement!.order.filled, 300)
  assert.deepEqual(openOf(exchange), ['bob 200 5500'])
})

test('one command cancels no more than it may of all groups that it triggers', () => {
  const exchange = newExchange({}, { groupCancelsMax: 1 })
  exchange.mint('ann', 100)
  for (const prices of [
    [0.5, 0.58, 0.59],
    [0.51, 0.56, 0.57],
  ]) {
    const { group } = exchange.createGroup('ann', 1)
    for (const price of prices) exchange.sell('ann', 2, price, { group })
  }
  const { events } = exchange.buy('bob', 4, 0.51)
  const cancelled = events.filter(({ eventType }) => eventType === 'ORDER_CANCELLED')
  assert.equal(cancelled.length, 1)
  exchange.continueGroup()
  exchange.continueGroup()
  assert.deepEqual(openOf(exchange), [])
})

test('a FOK order is filled where its first trade brings a group just to its limit', () => {
  const exchange = newExchange()
  exchange.mint('ann', 100)
  const { group } = exchange.createGroup('ann', 10)
  for (const shares of [10, 5]) exchange.sell('ann', shares, 0.6, { group })
  const { placement } = exchange.buy('bob', 12, 0.6, { options: { timeInForce: 'FOK' } })
  assert.equal(placement!.order.status, 'FILLED')
})
