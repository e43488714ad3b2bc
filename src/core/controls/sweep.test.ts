// The orders that a brake does not leave open are cancelled in slices, the oldest first.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  house,
  newExchange,
  participant,
  type TestExchange,
} from '../../../test/support/core/exchange.ts'

const ofAnn = { kind: 'PLAYER', operatorId: house, playerId: 'ann' } as const
const ofHouse = { kind: 'OPERATOR', operatorId: house } as const

/** Three orders of ann, one of bob, and one of a player of another operator. */
function quoting(): TestExchange {
  const exchange = newExchange()
  exchange.mint('ann', 10)
  exchange.buy('ann', 1, 0.4)
  exchange.sell('ann', 1, 0.6)
  exchange.buy('ann', 1, 0.45)
  exchange.buy('bob', 1, 0.3)
  exchange.buy('gil', 1, 0.2, { operator: participant })
  return exchange
}

function openPrices(exchange: TestExchange): number[] {
  return exchange.save().orders.map(({ price }) => price / 10_000)
}

function swept(exchange: TestExchange): number | null {
  return exchange.save().controls[0]!.sweptOrders
}

test('HALTED cancels all orders of its holder, and REDUCE_ONLY those that buy', () => {
  for (const [holder, mode, left] of [
    [ofAnn, 'HALTED', [0.3, 0.2]],
    [ofAnn, 'REDUCE_ONLY', [0.6, 0.3, 0.2]],
    [ofHouse, 'HALTED', [0.2]],
    [ofHouse, 'REDUCE_ONLY', [0.6, 0.2]],
  ] as const) {
    const exchange = quoting()
    exchange.brake(holder, { mode })
    exchange.sweep(holder)
    assert.deepEqual(openPrices(exchange), left, `${mode} of ${holder.kind}`)
  }
})

test('slices cancel the oldest first, also behind a restart, and count what they cancelled', () => {
  const exchange = quoting()
  exchange.halt('ann')
  assert.deepEqual([swept(exchange), openPrices(exchange).length], [0, 5])
  exchange.sweep(ofAnn, 1)
  assert.deepEqual([swept(exchange), openPrices(exchange)], [1, [0.6, 0.45, 0.3, 0.2]])
  exchange.restart()
  exchange.sweep(ofAnn, 1)
  assert.deepEqual([swept(exchange), openPrices(exchange)], [2, [0.45, 0.3, 0.2]])
  exchange.sweep(ofAnn, 1)
  assert.deepEqual([swept(exchange), openPrices(exchange)], [null, [0.3, 0.2]])
})

test('an order that was filled meanwhile is none of those that were cancelled', () => {
  const exchange = quoting()
  exchange.mint('bob', 1)
  exchange.halt('ann')
  exchange.sell('bob', 1, 0.45)
  exchange.sweep(ofAnn, 1)
  exchange.sweep(ofAnn, 1)
  assert.deepEqual(openPrices(exchange), [0.3, 0.2])
  const { controls } = exchange.core.operator(house)!.players.get('ann')!
  assert.deepEqual(
    [controls!.mode, controls!.cancelled + (controls!.sweep?.cancelled ?? 0)],
    ['HALTED', 2],
  )
})

test('a brake that is released leaves the rest of the orders open', () => {
  const exchange = quoting()
  exchange.halt('ann', { until: exchange.now + 1_000 })
  exchange.sweep(ofAnn, 1)
  exchange.wait(1_000)
  assert.deepEqual(exchange.save().controls, [])
  assert.deepEqual(openPrices(exchange), [0.6, 0.45, 0.3, 0.2])
})

test('a stricter brake goes on with what it forbids, and counts what was cancelled before', () => {
  const exchange = quoting()
  exchange.halt('ann', { mode: 'REDUCE_ONLY' })
  exchange.sweep(ofAnn, 1)
  exchange.halt('ann')
  assert.equal(swept(exchange), 1)
  exchange.sweep(ofAnn)
  assert.deepEqual(openPrices(exchange), [0.3, 0.2])
  const { controls } = exchange.core.operator(house)!.players.get('ann')!
  assert.equal(controls!.cancelled, 3)
})

test('no order is cancelled where the brake says so, also where some were before', () => {
  const exchange = quoting()
  exchange.halt('ann', { cancelsOrders: false })
  assert.deepEqual([swept(exchange), openPrices(exchange).length], [null, 5])
  exchange.halt('ann')
  exchange.sweep(ofAnn, 1)
  exchange.halt('ann', { cancelsOrders: false })
  assert.equal(swept(exchange), null)
  exchange.sweep(ofAnn)
  assert.deepEqual(openPrices(exchange), [0.6, 0.45, 0.3, 0.2])
})
