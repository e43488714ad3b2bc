// Price bands where the requests reach another node than the one that owns the shard, and after a
// node has taken the shard over.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused, until } from '../support/http/answers.ts'
import { OperatorClient } from '../support/http/operator-client.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { Cluster } from './support/cluster.ts'

const server = await postgresOrNot('price bands in a cluster', quick)

if (server !== null) {
  after(() => server.stop())

  test('a band holds at every node, and a rejection is repeated after a takeover', async (t) => {
    const { url } = await server.newDatabase()
    const cluster = await Cluster.start({ url, nodes: 2, shards: 1 })
    t.after(() => cluster.stop())
    const owner = await cluster.ownerOf(0)
    const other = cluster.nodes.find((node) => node !== owner)!
    const here = new OperatorClient(other, await other.newOperator('operator', { shard: 0 }))
    const there = new OperatorClient(owner, here)
    const market = await here.marketWithHolders({ sam: 100 }, { priceBand: { maxMove: 0.1 } })
    await here.sell(market, { player: 'sam', price: 0.4 })
    await here.buy(market, { price: 0.4 })
    await there.sell(market, { player: 'sam', price: 0.6 })
    const far = { price: 0.6, transactionId: 'far', postOnly: true }
    const refused = await here.tryOrder(market, 'BUY', far)
    assertRefused(refused, 'ORDER_OUTSIDE_BAND')
    const suspending = { maxMove: 0.1, suspendOnBand: true }
    await here.patch(`/markets/${market.id}`, { priceBand: suspending })

    await owner.kill()
    const again = await until(
      () => here.tryOrder(market, 'BUY', far),
      ({ status }) => status !== 503,
      30_000,
    )
    assertRefused(again, 'ORDER_OUTSIDE_BAND')
    assert.deepEqual(again.body.error.details, refused.body.error.details)
    assert.equal((await here.market(market)).status, 'OPEN', 'a repetition does nothing')
    assertRefused(await here.tryOrder(market, 'BUY', { price: 0.6 }), 'ORDER_OUTSIDE_BAND')
    const { priceBand, status } = await here.market(market)
    assert.deepEqual([priceBand, status], [{ ...suspending, maxMove: '0.1' }, 'SUSPENDED'])
  })
}
