// What a caller learns of an answer beside its data, and what the service learns of the client.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { answerOf } from '../../client/src/outcry.ts'
import { TcpProxy } from '../support/process/tcp-proxy.ts'
import { ClientFixture, limit } from './fixture.ts'

const fixture = await ClientFixture.open()
const proxy = await TcpProxy.open(fixture.service.url)
after(async () => {
  await proxy.close()
  await fixture.close()
})

test('the answer to a success has its status and the id of the request', async () => {
  let sent: string | null = null
  const client = fixture.clientOf({
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      sent = response.headers.get('x-request-id')
      return response
    },
  })
  const market = await client.markets.create({ title: 'Snow?' })
  assert.ok(sent !== null)
  assert.deepEqual(answerOf(market), {
    status: 201,
    requestId: sent,
    isReplayed: false,
    attempts: 1,
  })
  const lists = [await client.positions.list(), await client.positions.page()]
  for (const list of lists) assert.equal(answerOf(list)?.status, 200)
})

test('the answer to a repeated order is marked as replayed', async () => {
  const market = await fixture.market()
  const order = { ...limit(market, 'BUY'), transactionId: `twice-${market.marketId}` }
  const first = await fixture.client.orders.place(order)
  const second = await fixture.client.orders.place(order)
  assert.equal(answerOf(first)?.isReplayed, false)
  assert.equal(answerOf(second)?.isReplayed, true)
  assert.notEqual(answerOf(first)?.requestId, answerOf(second)?.requestId)
  assert.deepEqual(second.order, first.order)
})

test('the answer to a request that the client repeated says so', async () => {
  const market = await fixture.market()
  proxy.loseAnswers(1)
  const client = fixture.clientOf({ baseUrl: proxy.url })
  const placement = await client.orders.place(limit(market, 'BUY'))
  const { isReplayed, attempts } = answerOf(placement) ?? {}
  assert.deepEqual({ isReplayed, attempts }, { isReplayed: true, attempts: 2 })
})

test('an object that is no answer has none, and the data have no field more', async () => {
  const market = await fixture.client.markets.create({ title: 'Hail?' })
  assert.equal(answerOf({ ...market }), null)
  assert.equal(answerOf(market.outcomes), null)
  const { body } = await fixture.service.request('GET', `/api/v1/markets/${market.id}`, {
    headers: { 'x-api-key': fixture.apiKey },
  })
  assert.deepEqual(Object.keys(market), Object.keys(body.data))
})
