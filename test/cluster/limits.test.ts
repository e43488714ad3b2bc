// The rate limit of an operator holds over all nodes of a cluster.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startCluster, startNode } from '../support/cluster/nodes.ts'
import { OperatorClient } from '../support/http/operator-client.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'

const server = await postgresOrNot('rate limits in a cluster', quick)
const perSecond = 60
const seconds = 4

if (server !== null) {
  after(() => server.stop())

  test('three nodes together allow the limit, and one burst', async (t) => {
    const { url } = await server.newDatabase()
    const env = { RATE_LIMIT_REQUESTS: String(perSecond) }
    const nodes = await startCluster({ url, nodes: 3, shards: 2, env })
    t.after(() => Promise.all(nodes.map((node) => node.stop())))
    const operator = await OperatorClient.create(nodes[0]!)

    const startedAt = performance.now()
    const statuses: number[] = []
    const send = async (node: (typeof nodes)[number]) => {
      const client = new OperatorClient(node, operator)
      while (performance.now() - startedAt < seconds * 1_000) {
        statuses.push((await client.request('GET', '/categories')).status)
      }
    }
    await Promise.all(nodes.flatMap((node) => [send(node), send(node)]))

    const lastedSeconds = (performance.now() - startedAt) / 1_000
    const allowed = statuses.filter((status) => status === 200).length
    assert.deepEqual([...new Set(statuses)].sort(), [200, 429])
    const most = perSecond * lastedSeconds * (1 + nodes.length / 20) + perSecond
    assert.ok(allowed <= most, `${allowed} of at most ${most} requests were allowed`)
    assert.ok(allowed >= perSecond * seconds * 0.8, `only ${allowed} requests were allowed`)
  })

  test('at a node without the shard, a mint is charged before it is carried out', async (t) => {
    const { url } = await server.newDatabase()
    const env = { SHARDS: '1', RATE_LIMIT_ORDERS: '20' }
    const owner = await startNode(url, env)
    const front = await startNode(url, { ...env, NODE_SHARDS_MAX: '0' })
    t.after(() => Promise.all([front.kill(), owner.kill()]))
    const outcomes = Array.from({ length: 100 }, (_, at) => ({ name: `Outcome ${at}` }))
    const statusesOf = async (count: number) => {
      const operator = await OperatorClient.create(front)
      const market = await operator.openMarket({ outcomes })
      const body = { playerId: 'ann', shares: 1 }
      const mint = () => operator.request('POST', `/markets/${market.id}/mint`, body)
      const answers = await Promise.all(Array.from({ length: count }, mint))
      return [...answers, await mint()].map(({ status }) => status)
    }
    assert.deepEqual(await statusesOf(1), [201, 429], 'a mint leaves a debt')
    // Perhaps none is carried out, because none finds a full bucket.
    const statuses = await statusesOf(8)
    assert.ok(statuses.filter((status) => status === 201).length <= 1, `${statuses}`)
    assert.deepEqual(
      [...new Set(statuses)].filter((status) => ![201, 429].includes(status)),
      [],
    )
  })
}
