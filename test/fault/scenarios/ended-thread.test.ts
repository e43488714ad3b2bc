// The thread that commits turns to PostgreSQL ends with a turn: its caller gets the outcome, a
// retry stores nothing twice, and the service goes on with another thread.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'
import { endsAfter, endsBefore } from '../../support/store/ending-writer.ts'
import { postgresOrNot, quick } from '../../support/store/postgres-databases.ts'
import { serviceOptions } from '../support/process-options.ts'

const defect = new URL('../../support/store/ending-writer.ts', import.meta.url).pathname
const resumesWithinMs = 15_000

const server = await postgresOrNot('the end of the thread that commits turns', quick)

if (server !== null) {
  after(() => server.stop())

  test('a service goes on when its thread ends, and every order is stored once', async (t) => {
    const { url } = await server.newDatabase()
    const options = serviceOptions()
    const env = { ...options.env, DATABASE_URL: url, NODE_OPTIONS: `--import=${defect}` }
    const service = await Service.start({ ...options, env })
    t.after(() => service.kill())
    const operator = await OperatorClient.create(service)
    const market = await operator.openMarket()
    const place = (transactionId: string) =>
      operator.request('POST', '/orders', { ...orderBody(market, 'BUY'), transactionId })

    const stored = await place(endsAfter)
    assert.equal(stored.status, 201, JSON.stringify(stored.body))
    const again = await place(endsAfter)
    assert.deepEqual([again.status, again.body.data.order.id], [200, stored.body.data.order.id])

    const refused = await place(endsBefore)
    assert.deepEqual([refused.status, refused.body.error?.code], [503, 'UNAVAILABLE'])
    const next = await until(
      () => place('next'),
      ({ status }) => status !== 503,
      resumesWithinMs,
    )
    assert.equal(next.status, 201, JSON.stringify(next.body))

    const { orders } = await operator.get('/orders')
    assert.deepEqual(
      orders.map(({ transactionId }: Json) => transactionId).sort(),
      [endsAfter, 'next'].sort(),
    )
  })
}
