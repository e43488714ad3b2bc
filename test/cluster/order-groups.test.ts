// A group is made and used at a node that does not own the shard, and a node that takes the shard
// over counts what was filled before.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../support/http/answers.ts'
import { OperatorClient, orderBody } from '../support/http/operator-client.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { Cluster } from './support/cluster.ts'

const server = await postgresOrNot('an order group in a cluster', quick)

if (server !== null) {
  after(() => server.stop())

  test('a group that was filled at one owner is triggered at the next', async (t) => {
    const { url } = await server.newDatabase()
    const cluster = await Cluster.start({ url, nodes: 2, shards: 1 })
    t.after(() => cluster.stop())
    const owner = await cluster.ownerOf(0)
    const other = cluster.nodes.find((node) => node !== owner)!
    const here = new OperatorClient(other, await other.newOperator('operator', { shard: 0 }))
    const there = new OperatorClient(owner, here)
    const market = await here.marketWithHolders({ maker: 100 })
    const group = { playerId: 'maker', limitShares: 10, windowMs: 60_000 }
    const { id: orderGroupId } = await here.post('/order-groups', group)
    const path = `/order-groups/${orderGroupId}`
    const quote = (price: number) => ({
      ...orderBody(market, 'SELL', { player: 'maker', price, shares: 6 }),
      orderGroupId,
    })
    const { order } = await here.post('/orders', quote(0.6))
    assert.equal(order.orderGroupId, orderGroupId)
    const { order: kept } = await here.post('/orders', quote(0.7))
    await here.buy(market, { player: 'bob', price: 0.6, shares: 6 })
    assert.equal((await there.get(path)).matchedShares, '6')
    await owner.kill()
    const bought = await until(
      () => here.tryOrder(market, 'BUY', { player: 'bob', price: 0.7, shares: 5 }),
      ({ status }) => status === 201,
      60_000,
    )
    assert.equal(bought.body.data.order.status, 'FILLED')
    const { status, matchedShares } = await here.get(path)
    assert.deepEqual([status, matchedShares], ['TRIGGERED', '11'])
    assert.equal((await here.get(`/orders/${kept.id}`)).status, 'CANCELLED')
    const refused = await here.request('POST', '/orders', quote(0.8))
    assert.equal(refused.body.error.code, 'ORDER_GROUP_TRIGGERED')
  })
}
