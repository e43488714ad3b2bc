// A node that does not own the shard of a market shows its public page, as it is now.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { OperatorClient } from '../support/http/operator-client.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { Cluster } from './support/cluster.ts'

const server = await postgresOrNot('public pages in a cluster', quick)

if (server !== null) {
  after(() => server.stop())

  test('every node shows the public page of a market, and stops when it is private', async (t) => {
    const { url } = await server.newDatabase()
    const cluster = await Cluster.start({ url, nodes: 2, shards: 1 })
    t.after(() => cluster.stop())
    const owner = await cluster.ownerOf(0)
    const other = cluster.nodes.find((node) => node !== owner)!
    const here = new OperatorClient(owner, await owner.newOperator('operator', { shard: 0 }))
    const market = await here.openMarket({ publicPage: true })
    await here.buy(market, { price: 0.37 })
    const page = async () => {
      const response = await fetch(`${other.url}/m/${market.id}`)
      return { status: response.status, text: await response.text() }
    }
    const { status, text } = await page()
    assert.equal(status, 200)
    assert.match(text, /data-bid[^>]*>0\.37</)
    await here.patch(`/markets/${market.id}`, { publicPage: false })
    assert.equal((await page()).status, 404)
  })
}
