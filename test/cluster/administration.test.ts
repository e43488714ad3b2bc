// The administration of a cluster, over the tables that its nodes share. The nodes of these tests
// own shards and beat; they have no engines.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import type { ClusterAdmin } from '../../src/api/rest/context.ts'
import { ClusterAdministration } from '../../src/cluster/administration.ts'
import { Membership } from '../../src/cluster/membership.ts'
import { loadOf } from '../../src/cluster/reported-load.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { NodeStore, ShardDirectory, Store } from '../../src/store/store.ts'
import { until } from '../support/http/answers.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'

const server = await postgresOrNot('the administration of a cluster', quick)
const about = { version: 'test', protocol: 1, engineVersion: 1, settingsHash: 'same' }
const unknownNode = '00000000-0000-4000-8000-000000000000'

type TestNode = {
  readonly id: string
  readonly store: Store
  readonly nodes: NodeStore
  readonly directory: ShardDirectory
  readonly administration: ClusterAdministration
}

if (server !== null) {
  after(() => server.stop())

  const newNode = async (
    t: TestContext,
    url: string,
    { shardsMax = 4, moveMsMax = 10_000 } = {},
  ): Promise<TestNode> => {
    const folder = mkdtempSync(join(tmpdir(), 'outcry-cluster-'))
    const onLost = (_shard: number, cause: Error) => assert.fail(cause)
    const store = await openPostgresStore({ url, folder, shardCount: 2, isNode: true, onLost })
    const { directory, nodeId: id } = store.cluster!
    const nodes = store.cluster!.openNodes({ ...about, address: `${folder}:50056`, shardsMax })
    t.after(async () => {
      await nodes.close()
      await store.close()
      rmSync(folder, { recursive: true })
    })
    await nodes.join({ registrySeen: 0, load: {}, state: 'ACTIVE' })
    const administration = new ClusterAdministration({ directory, nodes, moveMsMax })
    administration satisfies ClusterAdmin
    return { id, store, nodes, directory, administration }
  }

  /** The first owns both shards. */
  const twoNodes = async (t: TestContext, options: { shardsMax?: number; moveMsMax?: number }) => {
    const { url } = await server.newDatabase()
    const [one, other] = [await newNode(t, url, options), await newNode(t, url, options)]
    for (const shard of one.store.shards) assert.ok(await shard.acquire())
    return { url, one, other }
  }

  test('the view has the nodes with their load, the shards and the takeovers', async (t) => {
    const { one, other } = await twoNodes(t, {})
    const shards = [[0, { openOrders: 7, isReady: true }]] as const
    await one.nodes.beat({
      registrySeen: 0,
      load: loadOf({ loopLagMs: 3, shards, callers: [], mayClaim: true, isBackingOff: false }),
      state: 'ACTIVE',
    })
    await other.nodes.beat({
      registrySeen: 0,
      load: { shards: 1, loopLagMs: '2' },
      state: 'LEAVING',
    })
    await one.directory.addTakeover(takeover(one, 0, null))
    const view = await other.administration.view()
    const byId = new Map(view.nodes.map((node) => [node.node, node]))
    const [first, second] = [byId.get(one.id)!, byId.get(other.id)!]
    assert.deepEqual([first.shards, first.loopLagMs, first.state], [[0, 1], 3, 'ACTIVE'])
    assert.deepEqual([second.shards, second.loopLagMs, second.state], [[], null, 'LEAVING'])
    assert.deepEqual(
      view.shards.map(({ leaseUntil, ...shard }) => ({ ...shard, hasLease: leaseUntil !== null })),
      [
        { shard: 0, nodeId: one.id, epoch: 1, pinnedTo: null, openOrders: 7, hasLease: true },
        { shard: 1, nodeId: one.id, epoch: 1, pinnedTo: null, openOrders: null, hasLease: true },
      ],
    )
    const [{ at, ...latest }] = view.takeovers as [(typeof view.takeovers)[0]]
    assert.deepEqual(latest, takeover(one, 0, null))
    assert.ok(Math.abs(at - Date.now()) < 60_000)
  })

  test('a move pins the shard and is answered once the new owner runs it', async (t) => {
    const { one, other } = await twoNodes(t, {})
    let looks = 0
    const list = () => {
      looks += 1
      return one.directory.list()
    }
    const directory = {
      list,
      pin: (shard: number, nodeId: string | null) => one.directory.pin(shard, nodeId),
      takeovers: () => one.directory.takeovers(),
    }
    const administration = new ClusterAdministration({ directory, nodes: one.nodes })
    let isAnswered = false
    const moving = administration.move(1, other.id).then((answer) => {
      isAnswered = true
      return answer
    })
    await until(
      () => one.directory.list(),
      (states) => states[1]!.pinnedTo === other.id,
    )
    await one.store.shards[1]!.release(other.id)
    assert.ok(await other.store.shards[1]!.acquire())
    // It has the lease and does not run the shard yet: it would load it now.
    const before = looks
    await until(
      async () => looks,
      (count) => count >= before + 3,
    )
    assert.deepEqual([isAnswered, looks >= before + 3], [false, true])
    await other.directory.addTakeover(takeover(other, 1, one.id))
    const answer = await moving
    assert.ok('shard' in answer, JSON.stringify(answer))
    const { leaseUntil, ...shard } = answer
    assert.notEqual(leaseUntil, null)
    const moved = { shard: 1, nodeId: other.id, epoch: 2, pinnedTo: other.id, openOrders: null }
    assert.deepEqual(shard, moved)

    const unpinned = await one.administration.move(1, null)
    assert.ok('shard' in unpinned && unpinned.nodeId === other.id && unpinned.pinnedTo === null)
    assert.equal((await one.directory.list())[1]!.pinnedTo, null)
  })

  test('a move that the node does not follow is withdrawn', async (t) => {
    const { one, other } = await twoNodes(t, { moveMsMax: 200 })
    await one.directory.pin(0, one.id)
    const answer = await one.administration.move(0, other.id)
    assert.ok('code' in answer && answer.code === 'UNAVAILABLE')
    assert.match(answer.message, /withdrawn/)
    assert.equal((await one.directory.list())[0]!.pinnedTo, one.id)
  })

  test('of two moves of a shard the later one counts', async (t) => {
    const { one, other } = await twoNodes(t, {})
    const moving = one.administration.move(0, other.id)
    await until(
      () => one.directory.list(),
      (states) => states[0]!.pinnedTo === other.id,
    )
    await other.administration.move(0, null)
    const answer = await moving
    assert.ok('code' in answer && answer.code === 'UNAVAILABLE')
    assert.match(answer.message, /Another request/)
  })

  test('a stop ends the moves that wait', async (t) => {
    const { one, other } = await twoNodes(t, {})
    const moving = one.administration.move(0, other.id)
    await until(
      () => one.directory.list(),
      (states) => states[0]!.pinnedTo === other.id,
    )
    one.administration.stop()
    const answer = await moving
    assert.ok('code' in answer && answer.code === 'UNAVAILABLE', JSON.stringify(answer))
    assert.match(answer.message, /shutting down/)
  })

  test('moves to what cannot own the shard are rejected, and pin nothing', async (t) => {
    const { url, one, other } = await twoNodes(t, { shardsMax: 2 })
    const codeOf = async (shard: number, nodeId: string) => {
      const answer = await one.administration.move(shard, nodeId)
      return 'code' in answer ? answer.code : 'MOVED'
    }
    assert.equal(await codeOf(2, other.id), 'SHARD_NOT_FOUND')
    assert.equal(await codeOf(0, unknownNode), 'NODE_NOT_FOUND')
    await query(url, `UPDATE nodes SET shards_max = 0 WHERE node = '${other.id}'`)
    assert.equal(await codeOf(0, other.id), 'NODE_CANNOT_OWN')
    await query(url, `UPDATE nodes SET shards_max = 2 WHERE node = '${other.id}'`)
    await other.nodes.drain(other.id)
    assert.equal(await codeOf(0, other.id), 'NODE_CANNOT_OWN')
    await query(url, `UPDATE nodes SET alive_until = now() WHERE node = '${other.id}'`)
    assert.equal(await codeOf(0, other.id), 'NODE_NOT_FOUND')
    // PostgreSQL has no text with a null character.
    for (const id of [other.id, unknownNode, '\u0000']) {
      const drained = await one.administration.drain(id)
      assert.ok('code' in drained && drained.code === 'NODE_NOT_FOUND')
    }
    const states = await one.directory.list()
    assert.deepEqual(
      states.map(({ pinnedTo }) => pinnedTo),
      [null, null],
    )
  })

  test('a drained node stays DRAINING through its beats, until it starts again', async (t) => {
    const { one, other } = await twoNodes(t, {})
    const beat = { registrySeen: 0, load: {}, state: 'ACTIVE' } as const
    const drained = await one.administration.drain(other.id)
    assert.ok('node' in drained && drained.state === 'DRAINING')
    const stored = await other.nodes.beat(beat)
    assert.ok(stored.kind === 'ALIVE' && stored.state === 'DRAINING')
    assert.equal(await stateOf(other), 'DRAINING')
    await other.nodes.beat({ ...beat, state: 'LEAVING' })
    assert.ok(await one.nodes.drain(other.id))
    assert.equal(await stateOf(other), 'LEAVING')
    await other.nodes.join(beat)
    assert.equal(await stateOf(other), 'ACTIVE')
    const again = await other.nodes.beat(beat)
    assert.ok(again.kind === 'ALIVE' && again.state === 'ACTIVE')
    assert.equal(await one.nodes.drain(unknownNode), false)
  })

  test('a member learns that another node has let it drain', async (t) => {
    const { url } = await server.newDatabase()
    const one = await newNode(t, url)
    const other = await newNode(t, url)
    const membership = new Membership({
      store: other.nodes,
      registry: { version: 0, refresh: async () => undefined },
      onReplaced: () => assert.fail('replaced'),
    })
    await membership.start()
    t.after(() => membership.stop())
    assert.equal(membership.state, 'ACTIVE')
    assert.ok(await one.nodes.drain(other.id))
    await until(
      async () => membership.state,
      (state) => state === 'DRAINING',
    )
    assert.equal(membership.state, 'DRAINING')
    membership.setState('LEAVING')
    await until(
      () => stateOf(other),
      (state) => state === 'LEAVING',
    )
    assert.equal(membership.state, 'LEAVING')
    assert.equal(await stateOf(other), 'LEAVING')
  })
}

function takeover(to: TestNode, shard: number, fromNodeId: string | null) {
  const reason = fromNodeId === null ? 'FIRST' : 'HANDOVER'
  return { shard, fromNodeId, toNodeId: to.id, reason, tookMs: 12 } as const
}

async function stateOf({ id, nodes }: TestNode): Promise<string | undefined> {
  return (await nodes.list()).find(({ node }) => node === id)?.state
}
