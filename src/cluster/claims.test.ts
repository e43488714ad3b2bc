// When a node acquires a shard without an owner.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { ShardDirectory, ShardState } from '../store/store.ts'
import { Claims } from './claims.ts'
import { OwnedShards } from './owned-shards.ts'
import type { PlacementNode } from './placement.ts'

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
const node: PlacementNode = {
  nodeId: self,
  shardsMax: 8,
  isActive: true,
  mayClaim: true,
  isBackingOff: false,
  isLinked: true,
  callers: null,
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
    nodes: () => [node],
    mayClaim: () => true,
    onStates: () => undefined,
    onChanged: () => undefined,
    metrics: { tookOver: () => undefined },
    log: silent,
  })
}

/** How long a node waits for a free shard after it has lost two; null for too long. */
async function waitOf(t: TestContext, state: ShardState): Promise<number | null> {
  let isFree = true
  const startedAt = performance.now()
  const acquired = Promise.withResolvers<number>()
  const claims = claimsOf(
    () => [isFree ? state : { ...state, nodeId: 'node-2' }],
    () => {
      isFree = false
      acquired.resolve(performance.now() - startedAt)
      return true
    },
  )
  t.after(() => claims.stop())
  await claims.lose(0, new Error('the lease has ended'))
  await claims.lose(1, new Error('the lease has ended'))
  assert.deepEqual(claims.willingness, { mayClaim: true, isBackingOff: true })
  await claims.start()
  return Promise.race([acquired.promise, delay(3_000, null, { ref: false })])
}

test('after its lease has ended, a node waits longer for a free shard', async (t) => {
  const tookMs = await waitOf(t, free)
  assert.ok(tookMs !== null, 'the shard has no owner')
  assert.ok(tookMs >= 500, `others had only ${tookMs} ms`)
})

test('a node does not wait for a shard that was released for it', async (t) => {
  const tookMs = await waitOf(t, { ...free, leaseUntil: null, successor: self })
  assert.ok(tookMs !== null && tookMs < 400, `others may acquire it before: ${tookMs} ms`)
})
