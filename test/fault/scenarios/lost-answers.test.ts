// A turn that PostgreSQL has committed, while its answer was lost with the connection: the caller
// learns the outcome, or that it is unknown, and a retry gets the stored answer. Nothing happens
// twice.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { until } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { type Answer, type Json, Service } from '../../support/process/outcry-process.ts'
import { TcpProxy } from '../../support/process/tcp-proxy.ts'
import { postgresOrNot, query, quick } from '../../support/store/postgres-databases.ts'
import { serviceOptions } from '../support/process-options.ts'

/** The answer of the turn with this order is lost. */
const transactionId = 'the answer is lost'
const resumesWithinMs = 15_000

const server = await postgresOrNot('lost answers of PostgreSQL', quick)

if (server !== null) {
  after(() => server.stop())
  const newUrl = async () => (await server.newDatabase()).url

  test('a caller whose turn is found committed is answered as if nothing happened', async () => {
    await withProxy(await newUrl(), async ({ proxy, place, assertStoredOnce }) => {
      proxy.loseAnswerTo(transactionId)
      const first = await place()
      assert.equal(proxy.lost, 1)
      assert.equal(first.status, 201, JSON.stringify(first.body))
      await assertStoredOnce(first)
    })
  })

  test('a caller gets COMMIT_UNKNOWN while nothing can be read, and then its order', async () => {
    const url = await newUrl()
    await withProxy(url, async ({ proxy, place, assertStoredOnce }) => {
      proxy.loseAnswerTo(transactionId, { thenRefuses: true })
      const first = await place()
      assert.equal(proxy.lost, 1)
      assert.deepEqual([first.status, first.body.error?.code], [503, 'COMMIT_UNKNOWN'])
      const text = 'SELECT 1 FROM outcry_shard_0.orders WHERE transaction_id = $1'
      const stored = await query(url, text, [transactionId])
      assert.equal(stored.length, 1, 'the turn is committed')
      const refused = await place()
      assert.deepEqual([refused.status, refused.body.error?.code], [503, 'UNAVAILABLE'])
      proxy.refuse(false)
      const again = await until(place, ({ status }) => status !== 503, resumesWithinMs)
      assert.equal(again.status, 200, JSON.stringify(again.body))
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
      await assertStoredOnce(again)
    })
  })
}

type Setting = {
  readonly proxy: TcpProxy
  /** Places the order, always with the same transactionId. */
  readonly place: () => Promise<Answer>
  /** The answered order and its trade are stored once, with their events; so is a retry of it. */
  readonly assertStoredOnce: (answer: Answer) => Promise<void>
}

/** A service that reaches its database through a proxy, and an order that will match once. */
async function withProxy(url: string, work: (setting: Setting) => Promise<void>): Promise<void> {
  const proxy = await TcpProxy.open(url)
  const proxied = new URL(url)
  proxied.port = String(proxy.port)
  const options = serviceOptions()
  const env = { ...options.env, DATABASE_URL: proxied.href }
  const service = await Service.start({ ...options, env })
  try {
    const operator = await OperatorClient.create(service)
    const market = await operator.marketWithHolders({ ann: 10 })
    await operator.sell(market, { player: 'ann', shares: 4 })
    const before = (await operator.events()).at(-1)?.sequence
    const body = orderBody(market, 'BUY', { player: 'bob', transactionId })
    const place = () => operator.request('POST', '/orders', body)
    const assertStoredOnce = async ({ body: { data } }: Answer) => {
      const retried = await place()
      assert.deepEqual([retried.status, retried.body.data.order.id], [200, data.order.id])
      const { orders } = await operator.get('/orders?playerId=bob')
      assert.deepEqual(
        orders.map(({ id, filledShares }: Json) => [id, filledShares]),
        [[data.order.id, '4']],
      )
      const { trades } = await operator.get(`/trades?marketId=${market.id}`)
      assert.deepEqual(
        trades.map(({ id }: Json) => id),
        data.trades.map(({ id }: Json) => id),
      )
      const events = await operator.events('', before)
      const types = events.map(({ eventType }) => eventType)
      assert.equal(types.filter((type) => type === 'ORDER_PLACED').length, 1, types.join())
      const sequences = events.map(({ sequence }) => sequence)
      assert.deepEqual(
        sequences,
        sequences.map((_, at) => before + 1 + at),
      )
    }
    await work({ proxy, place, assertStoredOnce })
  } finally {
    await service.kill()
    await proxy.close()
  }
}
