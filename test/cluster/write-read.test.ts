// What one node has answered, every other node shows at once.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { OperatorClient } from '../support/http/operator-client.ts'
import type { Json, Service } from '../support/process/outcry-process.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { Cluster } from './support/cluster.ts'

const server = await postgresOrNot('writes and reads at different nodes', quick)
const writes = Number(process.env.CLUSTER_WRITES ?? 150)
const shards = 3

type Pair = { readonly here: OperatorClient; readonly there: OperatorClient }

if (server !== null) {
  after(() => server.stop())

  test(`${writes} writes are read at another node at once`, async (t) => {
    const { url } = await server.newDatabase()
    const cluster = await Cluster.start({ url, shards })
    t.after(() => cluster.stop())
    const first = cluster.nodes[0]!
    const operators: { id: string; key: string; market: Json }[] = []
    for (let shard = 0; shard < shards; shard += 1) {
      const made = await first.newOperator('operator', { shard })
      const market = await new OperatorClient(first, made).openMarket()
      operators.push({ ...made, market })
    }
    const kinds = [order, market, operator, key, book, position, act]
    for (let write = 0; write < writes; write += 1) {
      const { market, ...about } = operators[write % shards]!
      const nodes = cluster.nodes
      const here = new OperatorClient(nodes[write % nodes.length]!, about)
      const there = new OperatorClient(nodes[(write + 1) % nodes.length]!, about)
      await kinds[Math.floor(write / shards) % kinds.length]!({ here, there }, market)
    }
  })
}

const placing = { playerId: 'ann', side: 'BUY', type: 'LIMIT', shares: 1, price: 0.3 }

function orderIn(market: Json) {
  return { ...placing, marketId: market.id, outcomeId: market.outcomes[0].id }
}

async function order({ here, there }: Pair, market: Json): Promise<void> {
  const placed = (await here.post('/orders', orderIn(market))).order
  assert.equal((await there.get(`/orders/${placed.id}`)).status, placed.status)
  await here.delete(`/orders/${placed.id}`)
  assert.equal((await there.get(`/orders/${placed.id}`)).status, 'CANCELLED')
}

// The node that was asked may own another shard than that of the operator.
async function act({ here, there }: Pair): Promise<void> {
  const labelled = await here.withKey({ label: 'back office' })
  const draft = await labelled.createMarket()
  const path = `/markets/${draft.id}/cancel`
  const cancelled = await labelled.request('POST', path, { reason: 'a mistake' })
  assert.equal(cancelled.status, 200)
  const { entries } = await there.get(`/audit?targetId=${draft.id}&limit=1`)
  const { id, at, ...entry } = entries[0]
  assert.deepEqual(entry, {
    keyId: labelled.keyId,
    keyLabel: 'back office',
    action: 'cancelMarket',
    targetId: draft.id,
    reason: 'a mistake',
    requestId: cancelled.headers.get('x-request-id'),
    outcome: 'DONE',
  })
}

async function market({ here, there }: Pair): Promise<void> {
  const { id } = await here.createMarket()
  assert.equal((await there.get(`/markets/${id}`)).status, 'DRAFT')
  await here.post(`/markets/${id}/open`)
  assert.equal((await there.get(`/markets/${id}`)).status, 'OPEN')
}

async function operator({ here, there }: Pair): Promise<void> {
  const made = await here.service.newOperator('another')
  const { status } = await there.service.request('GET', '/api/v1/orders', { key: made.key })
  assert.equal(status, 200)
  assert.equal((await shown(there.service, made.id)).name, 'another')
  await here.service.admin('PATCH', `/api/v1/admin/operators/${made.id}`, { name: 'renamed' })
  assert.equal((await shown(there.service, made.id)).name, 'renamed')
}

async function shown(service: Service, id: string): Promise<Json> {
  return (await service.admin('GET', `/api/v1/admin/operators/${id}`)).body.data
}

async function key({ here, there }: Pair): Promise<void> {
  const made = await here.withKey({ scopes: ['read'] })
  const read = async () =>
    (await there.service.request('GET', '/api/v1/orders', { key: made.key })).status
  assert.equal(await read(), 200)
  await here.service.admin('DELETE', `/api/v1/admin/operators/${here.id}/keys/${made.keyId}`)
  assert.equal(await read(), 401)
}

async function book({ here, there }: Pair, market: Json): Promise<void> {
  const path = `/markets/${market.id}/orderbook/${market.outcomes[0].id}`
  const before = (await there.get(path)).version
  await here.post('/orders', orderIn(market))
  assert.equal((await there.get(path)).version, before + 1)
}

/** A position that one node has told is none beyond the latest sequence of another. */
async function position({ here, there }: Pair, market: Json): Promise<void> {
  const placed = (await here.post('/orders', orderIn(market))).order
  const { latestSequence, historyId } = await here.get('/events?limit=1')
  const page = await there.get(`/events?since=${latestSequence}&historyId=${historyId}`)
  assert.equal(page.historyId, historyId)
  await here.delete(`/orders/${placed.id}`)
  const next = await there.get(`/events?since=${latestSequence}&historyId=${historyId}`)
  assert.equal(next.events[0]?.eventType, 'ORDER_CANCELLED')
}
