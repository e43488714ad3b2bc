// Limits of players where the requests reach another node than the one that owns the shard, and
// after a node has taken the shard over.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused, until } from '../support/http/answers.ts'
import { OperatorClient } from '../support/http/operator-client.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { Cluster } from './support/cluster.ts'

const server = await postgresOrNot('limits of players in a cluster', quick)

if (server !== null) {
  after(() => server.stop())

  test('limits and their usage are the same at every node, and after a takeover', async (t) => {
    const { url } = await server.newDatabase()
    const cluster = await Cluster.start({ url, nodes: 2, shards: 1 })
    t.after(() => cluster.stop())
    const owner = await cluster.ownerOf(0)
    const other = cluster.nodes.find((node) => node !== owner)!
    const here = new OperatorClient(other, await other.newOperator('operator', { shard: 0 }))
    const there = new OperatorClient(owner, here)
    const market = await here.marketWithHolders({ ann: 2 })
    await here.buy(market, { player: 'ann', price: 0.2, shares: 5 })
    await there.put('/controls', { mode: 'OPEN', playerDefaults: { maxOutcomeShares: 20 } })
    await here.put('/players/ann/controls', { mode: 'OPEN', limits: { maxMarketCost: 5 } })
    await there.buy(market, { player: 'ann', price: 0.2, shares: 6 })
    const order = { player: 'ann', price: 0.2 }
    const tooDear = () => here.tryOrder(market, 'BUY', { ...order, shares: 4.01 })
    const details = { limit: 'maxMarketCost', max: '5', would: '5.002' }
    assert.deepEqual((await tooDear()).body.error.details, details)
    const shown = await here.get('/players/ann/controls')
    assert.equal(shown.usage.markets[0].cost, '4.2')
    assert.deepEqual((await there.get('/players/ann/controls')).usage, shown.usage)

    await owner.kill()
    const again = await until(tooDear, ({ status }) => status !== 503, 30_000)
    assertRefused(again, 'LIMIT_EXCEEDED')
    assert.deepEqual(again.body.error.details, details)
    assert.deepEqual(await here.get('/players/ann/controls'), shown)
    await here.buy(market, { ...order, shares: 4 })
    await here.put('/players/ann/controls', { mode: 'OPEN' })
    const many = await here.tryOrder(market, 'BUY', { ...order, shares: 3.01 })
    assert.deepEqual(many.body.error.details, {
      limit: 'maxOutcomeShares',
      max: '20',
      would: '20.01',
    })
  })
}
