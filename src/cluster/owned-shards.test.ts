// A shard whose start or handover fails is released: another node can own it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShardStore } from '../store/store.ts'
import { OwnedShards, type RunningShard } from './owned-shards.ts'

const log = { info() {}, warn() {}, error() {} }

/** `released` has the successor of each release. */
function shardWith({ engine = {}, start }: { engine?: object; start?: () => Promise<never> }) {
  const released: (string | null)[] = []
  const store = {
    shard: 0,
    acquire: async () => true,
    release: async (successor: string | null) => void released.push(successor),
  }
  const running = { engine, stop: async () => undefined } as RunningShard
  const owned = new OwnedShards({
    // Nothing else of it is used here.
    stores: [store as Partial<ShardStore> as ShardStore],
    start: async () => {
      await start?.()
      return running
    },
    log,
  })
  return { owned, released }
}

test('a shard that cannot be started is released', async () => {
  const start = () => Promise.reject(new Error('it cannot be loaded'))
  const { owned, released } = shardWith({ start })
  await assert.rejects(owned.acquire(0), /it cannot be loaded/)
  assert.deepEqual([released, owned.numbers], [[null], []])
})

test('a shard whose handover fails is released to its successor', async () => {
  const engine = { handOver: () => Promise.reject(new Error('the store cannot be reached')) }
  const { owned, released } = shardWith({ engine })
  await owned.acquire(0)
  await assert.rejects(owned.handOver(0, 'next'), /the store cannot be reached/)
  assert.deepEqual([released, owned.numbers], [['next'], []])
})

test('a shard is released after its queue is committed, and only once', async () => {
  const committed = Promise.withResolvers<void>()
  const { owned, released } = shardWith({ engine: { handOver: () => committed.promise } })
  await owned.acquire(0)
  const handOvers = [owned.handOver(0, 'next'), owned.handOver(0, 'other')]
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(released, [])
  committed.resolve()
  assert.deepEqual(await Promise.all(handOvers), [true, false])
  assert.deepEqual(released, ['next'])
})
