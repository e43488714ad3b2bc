// A switch is armed at a node that does not own the shard, and a node that takes the shard over
// keeps its deadline.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../support/http/answers.ts'
import { OperatorClient } from '../support/http/operator-client.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { Cluster } from './support/cluster.ts'

const server = await postgresOrNot('a dead-man switch in a cluster', quick)

if (server !== null) {
  after(() => server.stop())

  test('a switch that was armed elsewhere is triggered by the next owner', async (t) => {
    const { url } = await server.newDatabase()
    const cluster = await Cluster.start({ url, nodes: 2, shards: 1 })
    t.after(() => cluster.stop())
    const owner = await cluster.ownerOf(0)
    const other = cluster.nodes.find((node) => node !== owner)!
    const here = new OperatorClient(other, await other.newOperator('operator', { shard: 0 }))
    const there = new OperatorClient(owner, here)
    const market = await here.openMarket()
    const { order } = await here.buy(market, { player: 'maker', price: 0.4 })
    const arm = { timeoutMs: 300_000, playerId: 'maker' }
    const { data } = (await here.request('PUT', '/dead-man', arm)).body
    assert.deepEqual(await there.get('/dead-man?playerId=maker'), data)
    assert.equal((await here.request('PUT', '/dead-man', { ...arm, timeoutMs: 1_000 })).status, 200)
    await owner.kill()
    const refused = await until(
      () => here.tryOrder(market, 'BUY', { player: 'maker', price: 0.4 }),
      ({ body }) => body.error?.code === 'DEAD_MAN_TRIGGERED',
      60_000,
    )
    assert.equal(refused.body.error?.code, 'DEAD_MAN_TRIGGERED')
    const { status } = await until(
      () => here.get(`/orders/${order.id}`),
      ({ status }) => status === 'CANCELLED',
      30_000,
    )
    assert.equal(status, 'CANCELLED')
    const triggered = await here.events('&eventType=DEAD_MAN_TRIGGERED')
    assert.deepEqual(
      triggered.map(({ marketId, payload }) => [marketId, payload.playerId]),
      [[null, 'maker']],
    )
  })
}
