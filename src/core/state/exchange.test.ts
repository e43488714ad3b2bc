// What the memory lets go of, and that nothing else goes with it.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange } from '../../../test/support/core/exchange.ts'
import { busyMarkets, Traffic } from '../../../test/support/core/traffic.ts'
import { load } from '../snapshot/load.ts'

describe('a market that is over', () => {
  test('has no positions any more once its turn has ended', () => {
    const exchange = newExchange()
    exchange.mint('ann', 10)
    exchange.settleWhole()
    assert.equal(exchange.status(), 'SETTLED')
    assert.deepEqual(exchange.save().positions, [])
  })

  test('is forgotten with its outcomes, and another one is not', () => {
    const exchange = newExchange()
    exchange.mint('ann', 10)
    const kept = exchange.marketSerial
    exchange.createMarket()
    exchange.manage('open')
    exchange.mint('ann', 5)
    const [serial, outcomeId] = [exchange.marketSerial, exchange.outcomeSerial(0)]
    exchange.settleWhole()
    exchange.core.forgetMarket(exchange.market())
    assert.equal(exchange.core.market(serial), undefined)
    assert.equal(exchange.core.book(outcomeId), undefined)
    assert.equal(exchange.holding('ann', { market: kept })!.shares, '10')
  })

  test('leaves its place to a new one that starts empty', () => {
    const exchange = newExchange()
    exchange.mint('ann', 10)
    exchange.settleWhole()
    exchange.core.forgetMarket(exchange.market())
    exchange.createMarket()
    exchange.manage('open')
    assert.equal(exchange.sell('ann', 1, 0.5).code, 'POSITION_INSUFFICIENT_SHARES')
    assert.equal(exchange.mint('ann', 1).code, null)
    assert.equal(exchange.sell('ann', 1, 0.5).code, null)
  })

  test('cannot be forgotten while an order is open in it', () => {
    const exchange = newExchange()
    exchange.buy('bob', 1, 0.5)
    assert.throws(() => exchange.core.forgetMarket(exchange.market()), /BrokenInvariant/)
  })
})

test('an exchange that was cleared and loaded is as good as a new one', () => {
  const scene = busyMarkets()
  const traffic = new Traffic(scene, 14)
  traffic.run(500)
  const { core, hash } = scene.exchange
  const records = scene.exchange.save()
  traffic.run(100)
  core.clear()
  load(core, records)
  assert.equal(scene.exchange.hash, hash)
  traffic.run(100)
})

test('settings of an operator change and its events count on', () => {
  const exchange = newExchange()
  const { eventSequence } = exchange.operator('house')
  exchange.putOperator('house', 5, ['EUR'])
  assert.equal(exchange.operator('house').eventSequence, eventSequence)
  assert.equal(exchange.createMarket({ currency: 'EUR' }).code, null)
})
