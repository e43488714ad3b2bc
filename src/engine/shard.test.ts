// What leaves the memory of a shard, so that it does not grow for as long as the service runs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newExchange, type TestExchange } from '../../test/support/core/exchange.ts'
import { usualRules } from '../../test/support/core/steps.ts'
import type { UsedKey } from '../store/store.ts'
import { Shard } from './shard.ts'

const hourMs = 3_600_000

/** Loaded with what an exchange has. */
function shardOf(exchange: TestExchange, keys: readonly UsedKey[] = []): Shard {
  const shard = new Shard(usualRules, exchange.core.ids)
  shard.fill({ records: exchange.save(), operatorNumbers: new Map(), keys })
  return shard
}

test('players with neither an order nor a position go when they have become many', () => {
  const before = newExchange()
  before.mint('holder', 1)
  before.buy('bidder', 1, 0.5)
  const shard = shardOf(before)
  const { exchange } = shard
  const [operator] = exchange.operators
  const come = (count: number) => {
    for (let at = 0; at < count; at += 1) exchange.player(operator!, `idle-${at}`)
  }
  come(9_000)
  shard.forget()
  assert.equal(exchange.players.size, 9_002)
  come(10_000)
  shard.forget()
  assert.deepEqual(
    [...exchange.players].map(({ id }) => id),
    ['holder', 'bidder'],
  )
  come(9_000)
  shard.forget()
  assert.equal(exchange.players.size, 9_002)
})

test('keys go a day after their market is over, and not before', () => {
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
    shard.forget()
    return [usedKeys.has(1, 'over'), usedKeys.has(1, 'live')]
  }
  assert.deepEqual(at(48), [true, true])
  shard.noteEnded(exchange.market(over)!)
  assert.deepEqual(at(71), [true, true])
  assert.deepEqual(at(72), [false, true])
  assert.deepEqual(at(1_000), [false, true])
  assert.equal(usedKeys.size, 1)
})

test('keys that were loaded of a market that is over stay for a day from then', () => {
  const before = newExchange()
  const keys = [
    { operator: 1, transactionId: 'over', market: 999 },
    { operator: 1, transactionId: 'live', market: before.marketSerial },
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
    shard.forget()
    assert.equal(usedKeys.size, size)
  }
  assert.ok(usedKeys.has(1, 'live'))
})

test('a key that the store does not know is free, unless somebody has used it since', () => {
  const before = newExchange()
  const shard = shardOf(before)
  shard.addKey(1, 'bet', before.marketSerial)
  const command = () => ({ freeKey: shard.watchKey(1, 'bet') })
  const isFree = (asked: ReturnType<typeof command> | { freeKey: null }) =>
    shard.isKeyFree(1, 'bet', asked)
  assert.equal(isFree({ freeKey: null }), false)
  assert.equal(isFree(command()), true)
  const [first, second] = [command(), command()]
  assert.equal(isFree(first), true)
  shard.addKey(1, 'bet', before.marketSerial)
  assert.equal(isFree(second), false)
  // The store may have said so of a state from before.
  const third = command()
  const keys = [{ operator: 1, transactionId: 'bet', market: before.marketSerial }]
  shard.fill({ records: before.save(), operatorNumbers: new Map(), keys })
  assert.equal(isFree(third), false)
  assert.equal(shard.isKeyFree(1, 'other', { freeKey: null }), true)
})
