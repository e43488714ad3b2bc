// When a node owns shards, is ready, and what it reports, in a cluster of one process.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { LocalCluster } from '../../src/cluster/front-ends/local-cluster.ts'
import { ClusterNode } from '../../src/cluster/node.ts'
import { OwnedShards, type RunningShard } from '../../src/cluster/owned-shards.ts'
import { createLog } from '../../src/ops/log.ts'
import { Metrics } from '../../src/ops/metrics.ts'
import type { ShardState, ShardStore } from '../../src/store/store.ts'
import { frontEndAbout } from '../support/cluster/front-end-about.ts'
import { openConnectedCaller, until } from './link-fixture.ts'

const log = createLog({ level: 'silent' })
const shardCount = 3

/** A node that has joined. Its clock is off by so much, and its engines are ready or not. */
async function joined(t: TestContext, { offMs = 0, ready = [true, true, true] } = {}) {
  const free = { epoch: 0, nodeId: null, lastNodeId: null, leaseUntil: null }
  const states = ready.map((_, shard): ShardState => {
    return { shard, ...free, successor: null, pinnedTo: null }
  })
  const stores = states.map(({ shard }) => ({
    shard,
    acquire: async () => {
      states[shard] = { ...states[shard]!, nodeId: 'owner', epoch: 1 }
      return true
    },
    release: async () => undefined,
    ownedUntil: () => Number.POSITIVE_INFINITY,
  }))
  // Nothing else of the stores and engines is used here.
  const shards = stores as Partial<ShardStore>[] as ShardStore[]
  const start = async ({ shard }: ShardStore) => {
    const engine = {
      epoch: 1,
      isReady: ready[shard],
      openOrders: () => 0,
      handOver: async () => undefined,
    }
    return { engine, stop: async () => undefined } as Partial<RunningShard> as RunningShard
  }
  const owned = new OwnedShards({ stores: shards, start, log })
  const cluster = new LocalCluster({
    nodeId: 'owner',
    epochs: () => [],
    registryVersion: async () => 0,
  })
  const nodes = cluster.openNodes({ node: 'owner', incarnation: '1' })
  let onShards = () => {}
  let address = ''
  const node = new ClusterNode({
    store: {
      nodeId: 'owner',
      incarnation: '1',
      directory: {
        ...cluster.directory,
        list: async () => [...states],
        listen: (onChange) => {
          onShards = onChange
        },
      },
      openNodes: (about) => ({
        ...nodes,
        join: (beat) => nodes.join(about, beat),
        beat: async (beat) => {
          const answer = await nodes.beat(beat)
          return answer.kind === 'ALIVE' ? { ...answer, now: answer.now + offMs } : answer
        },
      }),
    },
    shards,
    owned,
    registry: { version: 0, refresh: async () => undefined, operatorNumber: () => undefined },
    listenOn: '127.0.0.1:0',
    addressOf: (port) => {
      address = `127.0.0.1:${port}`
      return address
    },
    about: { version: 'test', engineVersion: 2, settingsHash: 'same', shardsMax: shardCount },
    limits: { takeUsed: () => new Map(), count: () => [], setLeft() {} },
    secretsKey: Buffer.from('secret'),
    tls: null,
    onReplaced: () => assert.fail('replaced'),
    receiver: { deliverRemote() {}, onMissing() {}, resync() {}, onInForce() {} },
    answer: async () => undefined,
    metrics: new Metrics().addCluster(),
    log,
  })
  await node.join()
  t.after(() => node.stop(Promise.resolve()))
  /** As when another node has announced a change. */
  const readShards = async () => {
    onShards()
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return { node, owned, nodes, cluster, address, readShards }
}

/** As after a pause of the machine. */
function loseTouch(t: TestContext): void {
  const now = Date.now.bind(Date)
  t.mock.method(Date, 'now', () => now() + 2_500)
}

test('a node in touch acquires free shards, and is ready', async (t) => {
  const { node, owned } = await joined(t)
  assert.equal(node.isReady, false)
  await node.start()
  assert.deepEqual(owned.numbers, [0, 1, 2])
  assert.equal(node.isReady, true)
})

for (const offMs of [600, -600]) {
  test(`a node whose clock is off by ${offMs} ms acquires no shard`, async (t) => {
    const { node, owned } = await joined(t, { offMs })
    await node.start()
    assert.deepEqual(owned.numbers, [])
  })
}

test('a node out of touch acquires no shard', async (t) => {
  const { node, owned, readShards } = await joined(t)
  loseTouch(t)
  await node.start()
  await readShards()
  assert.deepEqual(owned.numbers, [])
})

test('a node out of touch is not ready', async (t) => {
  const { node } = await joined(t)
  await node.start()
  loseTouch(t)
  assert.equal(node.isReady, false)
})

test('a node is ready if the engines of most shards are', async (t) => {
  const most = await joined(t, { ready: [true, false, true] })
  await most.node.start()
  assert.equal(most.node.isReady, true)
  const few = await joined(t, { ready: [false, false, true] })
  await few.node.start()
  assert.equal(few.node.isReady, false)
})

test('a node reports which others have a link to it', async (t) => {
  const { node, nodes, address } = await joined(t)
  await node.start()
  const { links } = await openConnectedCaller({ address })
  t.after(() => links.close())
  // With its next beat.
  for (let tries = 0; tries < 200; tries += 1) {
    const [row] = await nodes.list()
    if (JSON.stringify(row?.load.callers) === '["caller"]') return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.fail('the caller is not reported')
})

test('a node knows the oldest engine version of the live nodes', async (t) => {
  const { node, cluster } = await joined(t)
  assert.equal(node.oldestEngineVersion, 2)
  const older = cluster.openNodes({ node: 'older', incarnation: '1' })
  await older.join(
    { ...frontEndAbout, engineVersion: 1 },
    { registrySeen: 0, load: {}, state: 'ACTIVE' },
  )
  await until(() => node.oldestEngineVersion === 1, 'an older node is known')
  await older.leave()
  await until(() => node.oldestEngineVersion === 2, 'the older node has left')
})

test('a node that leaves hands over its shards, and gets no more commands', async (t) => {
  const { node, owned, address } = await joined(t)
  await node.start()
  const { link, links } = await openConnectedCaller({ address })
  t.after(() => links.close())
  await node.leave()
  assert.deepEqual(owned.numbers, [])
  await until(() => !link.isConnected, 'the caller knows that the node leaves')
})
