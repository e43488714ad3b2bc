// What a shard evicts from memory, so that it does not grow for as long as the service runs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newExchange, type TestExchange } from '../../test/support/core/exchange.ts'
import { serial, usualRules } from '../../test/support/core/steps.ts'
import type { UsedKey } from '../store/store.ts'
import { Shard } from './shard.ts'

const hourMs = 3_600_000

/** A shard that has loaded the records of an exchange. */
function shardOf(exchange: TestExchange, keys: readonly UsedKey[] = []): Shard {
  const shard = new Shard(usualRules, exchange.core.ids)
  shard.load({ records: exchange.save(), operatorNumbers: new Map(), keys, laterKeys: null })
  return shard
}

test('players with neither an order nor a position are evicted when there are many', () => {
  const before = newExchange()
  before.mint('holder', 1)
  before.buy('bidder', 1, 0.5)
  const shard = shardOf(before)
  const { exchange } = shard
  const [operator] = exchange.operators
  const addIdlePlayers = (count: number) => {
    for (let at = 0; at < count; at += 1) exchange.player(operator!, `idle-${at}`)
  }
  addIdlePlayers(9_000)
  shard.evict()
  assert.equal(exchange.players.size, 9_002)
  addIdlePlayers(10_000)
  shard.evict()
  assert.deepEqual(
    [...exchange.players].map(({ id }) => id),
    ['holder', 'bidder'],
  )
  addIdlePlayers(9_000)
  shard.evict()
  assert.equal(exchange.players.size, 9_002)
})

test('keys are evicted a day after their market has ended, and not before', () => {
  const before = newExchange()
  const over = before.marketSerial
  before.createMarket()
  before.manage('open')
  const live = before.marketSerial
  const shard = shardOf(before)
  const { exchange, usedKeys } = shard
  const start = exchange.now
  shard.addKey(1, 'over', over)
  shard.addKey(1, 'live', live)
  const at = (hours: number) => {
    exchange.now = start + hours * hourMs
    shard.evict()
    return [usedKeys.has(1, 'over'), usedKeys.has(1, 'live')]
  }
  assert.deepEqual(at(48), [true, true])
  shard.markEnded(exchange.market(over)!)
  assert.deepEqual(at(71), [true, true])
  assert.deepEqual(at(72), [false, true])
  assert.deepEqual(at(1_000), [false, true])
  assert.equal(usedKeys.size, 1)
})

test('keys of an ended market are evicted a day after they were loaded', () => {
  const before = newExchange()
  const keys = [
    { operatorNumber: 1, transactionId: 'over', marketSerial: serial(999) },
    { operatorNumber: 1, transactionId: 'live', marketSerial: before.marketSerial },
  ]
  const shard = shardOf(before, keys)
  const { exchange, usedKeys } = shard
  const start = exchange.now
  for (const [hours, size] of [
    [0, 2],
    [23, 2],
    [25, 1],
  ] as const) {
    exchange.now = start + hours * hourMs
    shard.evict()
    assert.equal(usedKeys.size, size)
  }
  assert.ok(usedKeys.has(1, 'live'))
})

test('a key that a lookup did not find is free, unless it was used since', () => {
  const before = newExchange()
  const shard = shardOf(before)
  shard.addKey(1, 'bet', before.marketSerial)
  const command = () => ({ keyLookup: shard.startKeyLookup(1, 'bet') })
  const isFree = (queued: ReturnType<typeof command> | { keyLookup: null }) =>
    shard.isKeyFree(1, 'bet', queued)
  assert.equal(isFree({ keyLookup: null }), false)
  assert.equal(isFree(command()), true)
  const [first, second] = [command(), command()]
  assert.equal(isFree(first), true)
  shard.addKey(1, 'bet', before.marketSerial)
  assert.equal(isFree(second), false)
  // A reload makes every lookup stale.
  const third = command()
  const keys = [{ operatorNumber: 1, transactionId: 'bet', marketSerial: before.marketSerial }]
  shard.load({ records: before.save(), operatorNumbers: new Map(), keys, laterKeys: null })
  assert.equal(isFree(third), false)
  assert.equal(shard.isKeyFree(1, 'other', { keyLookup: null }), true)
})
