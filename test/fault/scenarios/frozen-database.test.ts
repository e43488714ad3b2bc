// A PostgreSQL server that keeps its connections and answers nothing: the service says within
// seconds that it is not ready, and commands in flight keep waiting for their outcome.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { Service } from '../../support/process/outcry-process.ts'
import { postgresOrNot, query, quick } from '../../support/store/postgres-databases.ts'

/** Three seconds, and as much again for a busy machine; a commit is given up only after 15. */
const noticedWithinMs = 6_000

const server = await postgresOrNot('a frozen PostgreSQL server', quick)

if (server !== null) {
  after(() => server.stop())

  test('/ready is 503 soon after PostgreSQL stops answering, and 200 again later', async (t) => {
    const { url } = await server.newDatabase()
    const service = await Service.start({ env: { DATABASE_URL: url } })
    try {
      const operator = await OperatorClient.create(service)
      const market = await operator.openMarket()
      await untilReady(service, 200)
      const body = { ...orderBody(market, 'BUY'), transactionId: 'in flight' }
      server.freeze()
      const inFlight = operator.request('POST', '/orders', body)
      const answered: number[] = []
      void inFlight.then(({ status }) => answered.push(status))
      t.diagnostic(`not ready after ${await untilReady(service, 503)} ms`)
      assert.deepEqual(answered, [])
      assert.equal((await service.request('GET', '/health')).status, 200)
      server.thaw()
      t.diagnostic(`ready again after ${await untilReady(service, 200)} ms`)
      const first = await inFlight
      assert.equal(first.status, 201, JSON.stringify(first.body))
      const again = await operator.request('POST', '/orders', body)
      assert.equal(again.status, 200)
      assert.equal(again.body.data.order.id, first.body.data.order.id)
      const stored = await query(url, 'SELECT count(*)::int AS n FROM outcry_shard_0.orders')
      assert.deepEqual(stored, [{ n: 1 }])
    } finally {
      server.thaw()
      await service.kill()
    }
  })
}

/** Returns after how many milliseconds /ready had that status. */
async function untilReady(service: Service, status: 200 | 503): Promise<number> {
  const from = performance.now()
  for (;;) {
    const answer = await service.request('GET', '/ready')
    const passedMs = Math.round(performance.now() - from)
    if (answer.status === status) return passedMs
    assert.ok(passedMs < noticedWithinMs, `/ready is still ${answer.status} after ${passedMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
