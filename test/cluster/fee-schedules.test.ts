// Fee schedules where the requests reach another node than the one that owns the shard.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { OperatorClient } from '../support/http/operator-client.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { Cluster } from './support/cluster.ts'

const server = await postgresOrNot('fee schedules in a cluster', quick)

if (server !== null) {
  after(() => server.stop())

  test('the owner of the shard takes fees by schedules that another node has set', async (t) => {
    const { url } = await server.newDatabase()
    const cluster = await Cluster.start({ url, nodes: 2, shards: 1 })
    t.after(() => cluster.stop())
    const owner = await cluster.ownerOf(0)
    const other = cluster.nodes.find((node) => node !== owner)!
    const keyed = await owner.newOperator('operator', { shard: 0 })
    const [here, there] = [new OperatorClient(owner, keyed), new OperatorClient(other, keyed)]
    const linear = { model: 'LINEAR', takerPercent: 3, makerPercent: 1 }
    await other.admin('PATCH', `/api/v1/admin/operators/${keyed.id}`, { feeSchedule: linear })
    const quadratic = { model: 'QUADRATIC', takerPercent: 7, makerPercent: 0.5 }
    const usual = await there.marketWithHolders({ sam: 100 })
    const own = await there.marketWithHolders({ sam: 100 }, { feeSchedule: quadratic })
    for (const [market, fees] of [
      [usual, ['0.18', '0.06']],
      [own, ['0.168', '0.012']],
    ] as const) {
      await there.sell(market, { player: 'sam', price: 0.6, shares: 10 })
      const { trades } = await there.buy(market, { price: 0.6, shares: 10 })
      assert.deepEqual([trades[0].buyerFee, trades[0].sellerFee], fees)
      assert.deepEqual((await here.get(`/trades?marketId=${market.id}`)).trades, trades)
    }
  })
}
