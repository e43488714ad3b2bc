// What a node hands over because of the links that nodes report, by a clock that the test sets.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ShardDirectory, ShardState, ShardStore } from '../store/store.ts'
import { Claims } from './claims.ts'
import { OwnedShards, type RunningShard } from './owned-shards.ts'
import type { PlacementNode } from './placement.ts'

const log = { info() {}, warn() {}, error() {} }

const node = (nodeId: string, callers: readonly string[]): PlacementNode => {
  const able = { isActive: true, isLinked: true, mayClaim: true, isBackingOff: false }
  return { nodeId, callers, shardsMax: 16, ...able }
}

/** Node a with shards of its own, in a directory that has the given owners of all shards. */
async function claimsOf(t: TestContext, nodes: readonly PlacementNode[], owners: string[]) {
  let passedMs = 0
  const now = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => now() + passedMs)
  const handedOver: (string | null)[] = []
  const states = owners.map((nodeId, shard): ShardState => {
    const none = { lastNodeId: nodeId, leaseUntil: null, successor: null, pinnedTo: null }
    return { shard, epoch: 1, nodeId, ...none }
  })
  const directory: ShardDirectory = {
    list: async () => [...states],
    pin: async () => undefined,
    addTakeover: async () => undefined,
    takeovers: async () => [],
    announce: async () => undefined,
    listen: () => undefined,
    close: async () => undefined,
  }
  const stores = owners.map((_, shard) => ({
    shard,
    acquire: async () => true,
    release: async (successor: string | null) => {
      handedOver.push(successor)
      states[shard] = { ...states[shard]!, nodeId: successor }
    },
  }))
  const running = { engine: { handOver: async () => undefined }, stop: async () => undefined }
  const owned = new OwnedShards({
    // Nothing else of them is used here.
    stores: stores as Partial<ShardStore>[] as ShardStore[],
    start: async () => running as Partial<RunningShard> as RunningShard,
    log,
  })
  for (const [shard, owner] of owners.entries()) if (owner === 'a') await owned.acquire(shard)
  const claims = new Claims({
    nodeId: 'a',
    directory,
    owned,
    nodes: () => nodes,
    mayClaim: () => false,
    onStates: () => undefined,
    onChanged: () => undefined,
    metrics: { tookOver() {} },
    log,
  })
  await claims.start()
  t.after(() => claims.stop())
  /** Returns what was handed over meanwhile. */
  const pass = async (ms: number) => {
    passedMs += ms
    const before = handedOver.length
    claims.readSoon()
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    return handedOver.slice(before)
  }
  return { pass }
}

test('a node that no other reaches hands over all its shards after 5 s', async (t) => {
  const nodes = [node('a', []), node('b', ['a', 'c']), node('c', ['a', 'b'])]
  const { pass } = await claimsOf(t, nodes, ['a', 'a', 'b'])
  assert.deepEqual(await pass(4_000), [])
  assert.deepEqual((await pass(1_000)).sort(), ['b', 'c'])
})

test('shards are balanced with a node that most others reach, and with no other', async (t) => {
  const reached = [node('a', ['b', 'c']), node('b', ['a', 'c']), node('c', ['a', 'b'])]
  const isolated = [reached[0]!, node('b', []), reached[2]!]
  const owners = ['a', 'a', 'a', 'c', 'c']
  const { pass: passReached } = await claimsOf(t, reached, owners)
  assert.deepEqual(await passReached(10_000), ['b'])
  const { pass } = await claimsOf(t, isolated, owners)
  assert.deepEqual(await pass(10_000), [])
})
