// Forgetting players that have neither an open order nor a position.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange, participant } from '../../../test/support/core/exchange.ts'
import { busyMarkets, Traffic } from '../../../test/support/core/traffic.ts'
import { forgetIdlePlayers } from './idle-players.ts'

describe('idle players', () => {
  test('are forgotten: those with neither an open order nor a position', () => {
    const exchange = newExchange()
    exchange.mint('holder', 1)
    exchange.buy('bidder', 1, 0.5)
    exchange.buy('participant-bidder', 1, 0.5, { operator: participant })
    exchange.buy('idle', 1, 'market', { outcome: 1 })
    exchange.cancel(exchange.buy('gone', 1, 0.5).placement!.order.id)
    assert.equal(forgetIdlePlayers(exchange.core), 2)
    assert.equal(forgetIdlePlayers(exchange.core), 0)
    assert.deepEqual([...exchange.operator('house').players.keys()], ['holder', 'bidder'])
  })

  test('can trade again', () => {
    const exchange = newExchange()
    exchange.cancel(exchange.buy('bob', 1, 0.5).placement!.order.id)
    forgetIdlePlayers(exchange.core)
    exchange.mint('bob', 2)
    assert.equal(exchange.holding('bob')!.shares, '2')
  })

  test('are forgotten without a change of the state hash', () => {
    const scene = busyMarkets()
    const traffic = new Traffic(scene, 13)
    traffic.run(300)
    const { hash } = scene.exchange
    forgetIdlePlayers(scene.exchange.core)
    assert.equal(scene.exchange.hash, hash)
    traffic.run(300)
  })
})
