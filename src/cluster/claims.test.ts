// When a node acquires a shard without an owner.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ShardDirectory, ShardState } from '../store/store.ts'
import { Claims } from './claims.ts'
import { OwnedShards } from './owned-shards.ts'

const self = 'node-1'
/** Its lease has ended. */
const free: ShardState = {
  shard: 0,
  epoch: 2,
  nodeId: null,
  lastNodeId: 'node-2',
  leaseUntil: 0,
  successor: null,
  pinnedTo: null,
}
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

function claimsOf(states: () => readonly ShardState[], acquire: () => boolean): Claims {
  const nothing = async () => undefined
  const directory: ShardDirectory = {
    list: async () => states(),
    pin: nothing,
    addTakeover: nothing,
    takeovers: async () => [],
    announce: nothing,
    listen: () => undefined,
    close: nothing,
  }
  const owned = new OwnedShards({ stores: [], start: () => Promise.reject(), log: silent })
  owned.acquire = async () => acquire()
  owned.lose = nothing
  return new Claims({
    nodeId: self,
    directory,
    owned,
    nodes: () => [{ nodeId: self, shardsMax: 8, isActive: true, isLinked: true, callers: null }],
    mayClaim: () => true,
    onStates: () => undefined,
    onChanged: () => undefined,
    metrics: { tookOver: () => undefined },
    log: silent,
  })
}

test('after its lease has ended, a node waits longer for a free shard', async (t) => {
  let isFree = true
  const startedAt = performance.now()
  const acquired = Promise.withResolvers<number>()
  const claims = claimsOf(
    () => [isFree ? free : { ...free, nodeId: self }],
    () => {
      isFree = false
      acquired.resolve(performance.now() - startedAt)
      return true
    },
  )
  t.after(() => claims.stop())
  await claims.lose(0, new Error('the lease has ended'))
  await claims.lose(1, new Error('the lease has ended'))
  await claims.start()
  const tookMs = await Promise.race([acquired.promise, delay(3_000, null, { ref: false })])
  assert.ok(tookMs !== null, 'the shard has no owner')
  assert.ok(tookMs >= 500, `others had only ${tookMs} ms`)
})
