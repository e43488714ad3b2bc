// One service with several shards: each operator is served by its shard, and no client notices.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { auditPostgres } from '../../../src/cli/audit-postgres.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { type Json, newFolder, Service } from '../../support/process/outcry-process.ts'
import { postgresOrNot, quick } from '../../support/store/postgres-databases.ts'
import { StreamClient } from '../../support/stream/stream-client.ts'
import { Receiver, until } from '../../support/webhooks/receiver.ts'

const server = await postgresOrNot('a service with several shards', quick)

if (server !== null) {
  after(() => server.stop())

  test('operators trade in three shards, before and after a restart', async (t) => {
    const { url } = await server.newDatabase()
    const env = {
      DATABASE_URL: url,
      SHARDS: '3',
      DEMO_OPERATOR: 'false',
      WEBHOOK_ALLOW_INSECURE: 'true',
    }
    const dataDir = await newFolder()
    const service = await Service.start({ env, dataDir })
    const receiver = await Receiver.open()
    t.after(() => receiver.close())
    const operators = await Promise.all(
      [0, 1, 2].map((shard) => OperatorClient.create(service, { shard })),
    )
    const markets = await Promise.all(
      operators.map(async (operator) => {
        await operator.post('/webhooks', { url: receiver.url, events: ['ORDER_MATCHED'] })
        return operator.openMarket({ shared: true })
      }),
    )
    const stream = await StreamClient.open(service.url)
    t.after(() => stream.socket.terminate())
    const marketIds = markets.map(({ id }) => id)
    const subscribed = await stream.request({
      op: 'subscribe',
      channels: ['trades', 'orderbook'],
      marketIds,
    })
    assert.equal(subscribed.type, 'subscribed')

    for (const [shard, operator] of operators.entries()) {
      const market = markets[shard]!
      const [order] = await trade(operator, market)
      assert.equal((await operator.get(`/orders/${order.id}`)).status, 'FILLED')
      const book = `/api/v1/markets/${market.id}/orderbook/${market.outcomes[0].id}`
      assert.equal((await service.request('GET', book)).status, 200)
      const tape = `/api/v1/markets/${market.id}/trades/${market.outcomes[0].id}`
      assert.equal((await service.request('GET', tape)).body.data.total, 1)
      assert.equal((await operator.get('/trades')).total, 1)
    }
    const delivered = () => new Set(receiver.received.map(({ event }) => event.operatorId))
    await until(() => delivered().size === 3)
    await until(() => stream.ofType('trade').length === 3)

    // A market of another shard does not exist for an operator, although it is shared.
    const foreign = orderBody(markets[1]!, 'BUY')
    const refused = await operators[0]!.request('POST', '/orders', foreign)
    assert.deepEqual([refused.status, refused.body.error.code], [404, 'MARKET_NOT_FOUND'])
    const hidden = await operators[0]!.request('GET', `/markets/${marketIds[1]}`)
    assert.equal(hidden.status, 404)
    assert.equal((await operators[0]!.get('/markets')).total, 1)

    assert.equal(await service.stop(), 0)
    const again = await Service.start({ env: { ...env, SHARDS: '1' }, dataDir })
    t.after(() => again.stop())
    for (const [shard, { id, key }] of operators.entries()) {
      const operator = new OperatorClient(again, { id, key })
      await trade(operator, markets[shard]!)
      assert.equal((await operator.get('/trades')).total, 2)
    }
    const { violations, counts } = await auditPostgres(url)
    assert.deepEqual(violations, [])
    assert.deepEqual([counts.markets, counts.orders, counts.trades], [3, 12, 6])
  })
}

/** A trade between two players; returns their orders. */
async function trade(operator: OperatorClient, market: Json): Promise<Json[]> {
  await operator.post(`/markets/${market.id}/mint`, { playerId: 'seller', shares: 10 })
  const sell = await operator.post('/orders', orderBody(market, 'SELL', { player: 'seller' }))
  const buy = await operator.post('/orders', orderBody(market, 'BUY', { player: 'buyer' }))
  return [sell.order, buy.order]
}
