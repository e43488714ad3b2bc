// The brake on the whole exchange is in force on every shard of a cluster when it is answered, and
// a node that takes a shard over obeys it before the first command.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../support/http/answers.ts'
import { OperatorClient } from '../support/http/operator-client.ts'
import type { Json } from '../support/process/outcry-process.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { Cluster } from './support/cluster.ts'

const server = await postgresOrNot('the brake on the exchange in a cluster', quick)
const path = '/api/v1/admin/controls'
const halted = { mode: 'HALTED', reason: 'A fault' }

if (server !== null) {
  after(() => server.stop())

  test('a brake on the exchange halts every shard, also one that changes its owner', async (t) => {
    const { url } = await server.newDatabase()
    const cluster = await Cluster.start({ url, nodes: 2, shards: 2 })
    t.after(() => cluster.stop())
    const other = await cluster.ownerOf(1)
    const here = cluster.nodes.find((node) => node !== other)!
    const operators: OperatorClient[] = []
    const markets: Json[] = []
    for (const shard of [0, 1]) {
      const operator = new OperatorClient(here, await here.newOperator('operator', { shard }))
      const market = await operator.openMarket()
      await operator.buy(market, { price: 0.3 })
      operators.push(operator)
      markets.push(market)
    }
    const codes = async (answered: (code: string | undefined, status: number) => boolean) => {
      for (const [at, operator] of operators.entries()) {
        const { status, body } = await until(
          () => operator.tryOrder(markets[at]!, 'BUY'),
          (answer) => answer.status !== 503,
          30_000,
        )
        assert.ok(answered(body.error?.code, status), `${status} ${body.error?.code}`)
      }
    }
    const isHalted = (code: string | undefined) => code === 'TRADING_RESTRICTED'

    const put = await here.admin('PUT', path, halted)
    assert.deepEqual([put.status, put.body.data?.cancelled], [200, 2])
    await codes(isHalted)
    assert.equal((await here.admin('PUT', path, { mode: 'OPEN' })).status, 200)
    await codes((_, status) => status === 201)

    // Whatever the answer is while a shard has no owner: its next one obeys.
    await other.kill()
    const answer = await here.admin('PUT', path, halted)
    const isInForce = answer.status === 200 || answer.body.error.code === 'COMMIT_UNKNOWN'
    assert.ok(isInForce, JSON.stringify(answer.body))
    await codes(isHalted)
    const status = await here.request('GET', '/api/v1/status')
    assert.equal(status.body.data.trading, false)
    assert.equal((await here.admin('PUT', path, halted)).status, 200)
  })
  test('a brake that a shard without an owner has not got yet is stored and logged', async (t) => {
    const { url } = await server.newDatabase()
    const cluster = await Cluster.start({ url, nodes: 0, shards: 2 })
    t.after(() => cluster.stop())
    const first = await cluster.add({ NODE_SHARDS_MAX: '1' })
    const { status, body } = await first.admin('PUT', path, halted)
    assert.deepEqual([status, body.error?.code], [503, 'COMMIT_UNKNOWN'])
    assert.equal((await first.request('GET', '/api/v1/status')).body.data.trading, false)
    const { data } = (await first.admin('GET', '/api/v1/admin/audit')).body
    const acts = data.entries.map((entry: Json) => [entry.action, entry.reason, entry.outcome])
    assert.deepEqual(acts, [['putExchangeControls', 'A fault', 'UNKNOWN']])

    const second = await cluster.add()
    await cluster.untilOwned()
    for (const shard of [0, 1]) {
      const operator = new OperatorClient(second, await second.newOperator('operator', { shard }))
      const refused = await operator.tryOrder(await operator.openMarket(), 'BUY')
      assert.equal(refused.body.error.code, 'TRADING_RESTRICTED')
    }
  })
}
