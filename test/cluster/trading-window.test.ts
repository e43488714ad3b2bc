// The end of trading is moved at a node that does not own the shard, and a node that takes the
// shard over keeps to it.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../support/http/answers.ts'
import { OperatorClient } from '../support/http/operator-client.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { Cluster } from './support/cluster.ts'

const server = await postgresOrNot('a trading window in a cluster', quick)
const reason = 'The match starts later'

if (server !== null) {
  after(() => server.stop())

  test('a moved end of trading counts at every node, and after a takeover', async (t) => {
    const { url } = await server.newDatabase()
    const cluster = await Cluster.start({ url, nodes: 2, shards: 1 })
    t.after(() => cluster.stop())
    const owner = await cluster.ownerOf(0)
    const other = cluster.nodes.find((node) => node !== owner)!
    const here = new OperatorClient(other, await other.newOperator('operator', { shard: 0 }))
    const market = await here.openMarket()
    const move = (tradingEndsAt: string) =>
      here.post(`/markets/${market.id}/trading-window`, { tradingEndsAt, reason })

    const soon = new Date(Date.now() + 1_000).toISOString()
    assert.equal((await move(soon)).tradingEndsAt, soon)
    const there = new OperatorClient(owner, here)
    assert.equal((await there.market(market)).tradingEndsAt, soon)
    await until(
      () => here.tryOrder(market, 'BUY'),
      ({ body }) => body.error?.code === 'MARKET_NOT_OPEN',
    )
    assert.ok(Date.now() >= Date.parse(soon))

    const later = '2099-01-01T00:00:00.000Z'
    await move(later)
    assert.equal((await there.tryOrder(market, 'BUY')).status, 201)
    await owner.kill()
    const { status } = await until(
      () => here.tryOrder(market, 'BUY'),
      (answer) => answer.status !== 503,
      30_000,
    )
    assert.equal(status, 201)
    const events = await here.events('&eventType=MARKET_UPDATED')
    assert.deepEqual(
      events.map(({ payload }) => payload.tradingEndsAt),
      [soon, later],
    )
  })
}
