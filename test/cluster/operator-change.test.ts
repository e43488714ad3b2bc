// An operator that is changed while a node loads its shard is known to the engine of that node.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { startNode } from '../support/cluster/nodes.ts'
import { until } from '../support/http/answers.ts'
import { OperatorClient } from '../support/http/operator-client.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'

const server = await postgresOrNot('changes of operators during takeovers', quick)
const env = { SHARDS: '1' }

if (server !== null) {
  after(() => server.stop())

  test('the next owner of a shard has what changed while it loaded the shard', async (t) => {
    const { url } = await server.newDatabase()
    const first = await startNode(url, env)
    const front = await startNode(url, { ...env, NODE_SHARDS_MAX: '0' })
    t.after(() => front.kill())
    const operator = await OperatorClient.create(front, { supportedCurrencies: ['USD'] })
    await operator.openMarket({ currency: 'USD' })
    await first.stop()
    const blocker = new pg.Client(url)
    await blocker.connect()
    t.after(() => blocker.end())
    await blocker.query('BEGIN; LOCK TABLE outcry_shard_0.orders IN ACCESS EXCLUSIVE MODE')
    const starting = startNode(url, env)
    t.after(async () => (await starting).kill())
    const waiting = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`
    const loading = await until(
      () => query(url, waiting),
      (sessions) => sessions.length > 0,
      15_000,
    )
    assert.equal(loading.length, 1, 'the shard is being loaded')
    const changed = await front.admin('PATCH', `/api/v1/admin/operators/${operator.id}`, {
      supportedCurrencies: ['USD', 'EUR'],
    })
    assert.equal(changed.status, 200)
    await blocker.query('COMMIT')
    await starting
    assert.equal((await operator.openMarket({ currency: 'EUR' })).currency, 'EUR')
  })
}
