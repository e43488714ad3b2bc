// The routes of the cluster's administration: their answers and refusals.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  adminKey,
  apiKeys,
  startedAt,
  testServer,
} from '../../../../test/support/http/rest-server.ts'
import type { ShardView } from '../../present/cluster.ts'
import type { ClusterAdmin } from '../context.ts'

const [one, other] = [
  '0d9a5c3e-3f5e-4a0e-9d0e-0f6a2a1f7c11',
  '7be5cf0a-58c8-4be9-8a4d-16a3a1d5a3a2',
] as const
const at = '2026-01-01T00:00:00.000Z'
const headers = { 'x-admin-key': adminKey }

const node = {
  node: one,
  address: 'one.example:50056',
  version: '0.1.0',
  state: 'DRAINING',
  isAlive: true,
  aliveUntil: startedAt,
  loopLagMs: 4,
  shards: [0],
} as const
const shards: readonly ShardView[] = [
  { shard: 0, nodeId: one, epoch: 3, leaseUntil: startedAt, pinnedTo: one, openOrders: 9 },
  { shard: 1, nodeId: null, epoch: 0, leaseUntil: null, pinnedTo: null, openOrders: null },
]

/** With the arguments of each call. */
function fakeCluster(changes: Partial<ClusterAdmin> = {}) {
  const calls: unknown[] = []
  const cluster: ClusterAdmin = {
    view: async () => ({
      nodes: [node, { ...node, node: other, isAlive: false, shards: [] }],
      shards,
      takeovers: [
        { shard: 0, fromNodeId: null, toNodeId: one, reason: 'FIRST', at: startedAt, tookMs: 31 },
      ],
    }),
    move: async (...args) => {
      calls.push(args)
      return shards[0]!
    },
    drain: async (...args) => {
      calls.push(args)
      return node
    },
    ...changes,
  }
  return { calls, app: testServer({ cluster }) }
}

const shownShard = {
  shard: 0,
  nodeId: one,
  epoch: 3,
  leaseUntil: at,
  pinnedTo: one,
  operators: 1,
  openOrders: 9,
}
const shownNode = {
  id: one,
  address: 'one.example:50056',
  version: '0.1.0',
  state: 'DRAINING',
  shards: [0],
  aliveUntil: at,
  loopLagMs: 4,
}

test('the cluster shows its nodes, shards and takeovers, and a silent node as DOWN', async () => {
  const { app } = fakeCluster()
  const answer = await app.inject({ url: '/api/v1/admin/cluster', headers })
  assert.equal(answer.statusCode, 200)
  const free = { shard: 1, nodeId: null, epoch: 0, leaseUntil: null, pinnedTo: null }
  assert.deepEqual(answer.json().data, {
    nodes: [shownNode, { ...shownNode, id: other, state: 'DOWN', shards: [] }],
    shards: [shownShard, { ...free, operators: 0, openOrders: null }],
    takeovers: [{ shard: 0, fromNodeId: null, toNodeId: one, reason: 'FIRST', at, tookMs: 31 }],
  })
})

test('a move answers with the shard, and passes on a node in capitals, or none', async () => {
  const { app, calls } = fakeCluster()
  const move = (nodeId: string | null) => {
    const url = '/api/v1/admin/shards/0/move'
    return app.inject({ method: 'POST', url, headers, payload: { nodeId } })
  }
  const moved = await move(one.toUpperCase())
  assert.deepEqual([moved.statusCode, moved.json().data], [200, shownShard])
  assert.equal((await move(null)).statusCode, 200)
  assert.deepEqual(calls, [
    [0, one],
    [0, null],
  ])
})

test('a move without a nodeId, or with one that is no id, is a validation error', async () => {
  const { app, calls } = fakeCluster()
  for (const payload of [{}, { nodeId: 'here' }, { nodeId: 1 }, { nodeId: one, shard: 1 }]) {
    const url = '/api/v1/admin/shards/0/move'
    const answer = await app.inject({ method: 'POST', url, headers, payload })
    const { error } = answer.json()
    assert.deepEqual([answer.statusCode, error.code], [400, 'VALIDATION_ERROR'])
    assert.match(error.message, Object.hasOwn(payload, 'shard') ? /shard/ : /nodeId/)
  }
  assert.deepEqual(calls, [])
})

test('a shard that has no number is not found', async () => {
  const { app, calls } = fakeCluster()
  for (const shard of ['x', '-1', '00', '1e1', '10000', '%20', '1.5']) {
    const url = `/api/v1/admin/shards/${shard}/move`
    const answer = await app.inject({ method: 'POST', url, headers, payload: { nodeId: null } })
    assert.deepEqual([answer.statusCode, answer.json().error.code], [404, 'SHARD_NOT_FOUND'], shard)
  }
  assert.deepEqual(calls, [])
})

test('a rejection of the cluster is answered with its status and message', async () => {
  const statuses = {
    SHARD_NOT_FOUND: 404,
    NODE_NOT_FOUND: 404,
    NODE_CANNOT_OWN: 409,
    NOT_IN_CLUSTER: 409,
    UNAVAILABLE: 503,
  } as const
  for (const [code, status] of Object.entries(statuses)) {
    const reject = { code: code as keyof typeof statuses, message: `It is ${code}.` }
    const { app } = fakeCluster({ move: async () => reject, drain: async () => reject })
    const requests = [
      { url: '/api/v1/admin/shards/0/move', payload: { nodeId: one } },
      { url: `/api/v1/admin/nodes/${one}/drain` },
    ]
    for (const request of requests) {
      const answer = await app.inject({ method: 'POST', headers, ...request })
      const { error } = answer.json()
      assert.deepEqual(
        [answer.statusCode, error.code, error.message],
        [status, code, reject.message],
      )
    }
  }
})

test('a drain answers with the node', async () => {
  const { app, calls } = fakeCluster()
  const url = `/api/v1/admin/nodes/${one.toUpperCase()}/drain`
  const answer = await app.inject({ method: 'POST', url, headers })
  assert.deepEqual([answer.statusCode, answer.json().data], [200, shownNode])
  assert.deepEqual(calls, [[one]])
})

test('a process that is alone is one node, and neither moves nor drains', async () => {
  const app = testServer()
  const { nodes, shards: all } = (
    await app.inject({ url: '/api/v1/admin/cluster', headers })
  ).json().data
  assert.deepEqual([nodes.length, nodes[0].state, nodes[0].shards], [1, 'ACTIVE', [0]])
  assert.deepEqual([nodes[0].address, nodes[0].aliveUntil, all[0].leaseUntil], [null, null, null])
  assert.deepEqual([all.length, all[0].nodeId, all[0].operators], [1, nodes[0].id, 1])
  const codeOf = async (url: string, payload?: object) => {
    const request = payload === undefined ? {} : { payload }
    const answer = await app.inject({ method: 'POST', url, headers, ...request })
    return answer.json().error.code
  }
  const own = { nodeId: nodes[0].id }
  assert.equal(await codeOf('/api/v1/admin/shards/0/move', own), 'NOT_IN_CLUSTER')
  assert.equal(await codeOf('/api/v1/admin/shards/0/move', { nodeId: null }), 'NOT_IN_CLUSTER')
  assert.equal(await codeOf('/api/v1/admin/shards/1/move', own), 'SHARD_NOT_FOUND')
  assert.equal(await codeOf('/api/v1/admin/shards/0/move', { nodeId: other }), 'NODE_NOT_FOUND')
  assert.equal(await codeOf(`/api/v1/admin/nodes/${own.nodeId}/drain`), 'NOT_IN_CLUSTER')
  assert.equal(await codeOf(`/api/v1/admin/nodes/${other}/drain`), 'NODE_NOT_FOUND')
})

test('an operator is not an administrator of the cluster', async () => {
  const { app, calls } = fakeCluster()
  const own = { 'x-api-key': apiKeys.all }
  const answers = await Promise.all([
    app.inject({ url: '/api/v1/admin/cluster', headers: own }),
    app.inject({ method: 'POST', url: `/api/v1/admin/nodes/${one}/drain`, headers: own }),
  ])
  for (const { statusCode } of answers) assert.equal(statusCode, 401)
  assert.deepEqual(calls, [])
})
