// Answers and events that cannot be sent fail their own caller: the service continues, and other
// callers notice nothing. The program of the fault tests has no last resort for uncaught failures.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { GrpcClient, orderMessage, Reader } from '../../support/grpc/grpc-client.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Answer, type Json, Service } from '../../support/process/outcry-process.ts'
import { StreamClient } from '../../support/stream/stream-client.ts'
import { Receiver, until } from '../../support/webhooks/receiver.ts'
import { insecure } from '../../support/webhooks/webhook-fixture.ts'
import { serviceOptions, unreadableOptions } from '../support/process-options.ts'
import { unreadablePlayer, unreadableTitle } from '../support/unreadable-records.ts'

let service: Service
let operator: OperatorClient
let market: Json
let order: Json
let orderId: string
before(async () => {
  const options = serviceOptions()
  const env = { ...options.env, ...insecure }
  service = await Service.start(unreadableOptions({ ...options, env }))
  operator = await OperatorClient.create(service)
  market = await operator.openMarket()
  order = {
    marketId: market.id,
    outcomeId: market.outcomes[0].id,
    playerId: unreadablePlayer,
    side: 'BUY',
    type: 'LIMIT',
    shares: 10,
    price: 0.5,
    transactionId: 'bet-1',
  }
  const placed = await operator.request('POST', '/orders', order)
  assert.equal(placed.status, 201)
  orderId = placed.body.data.order.id
})
after(() => service.stop())

async function failuresAt(edge: string): Promise<number> {
  // The metrics may be as old as a second.
  await pause(1_100)
  const { body } = await service.request('GET', '/metrics')
  return Number(new RegExp(`edge_failures_total\\{edge="${edge}"\\} (\\d+)`).exec(body)?.[1] ?? 0)
}

function assertFailed({ status, body }: Pick<Answer, 'status' | 'body'>, code: string): void {
  assert.equal(body.error?.code, code)
  assert.equal(status, code === 'COMMIT_UNKNOWN' ? 503 : 500)
}

/** On a new connection; one that has carried other requests has left the fast path. */
async function onFastPath(body: object): Promise<Pick<Answer, 'status' | 'body'>> {
  const agent = new Agent({ keepAlive: true })
  const headers = { 'x-api-key': operator.key, 'content-type': 'application/json' }
  const sent = request(`${service.url}/api/v1/orders`, { method: 'POST', agent, headers })
  sent.end(JSON.stringify(body))
  const [response]: IncomingMessage[] = await once(sent, 'response')
  const answer = { status: response!.statusCode!, body: await json(response!) }
  agent.destroy()
  return answer
}

async function assertServesOthers(): Promise<void> {
  assert.ok(!service.hasEnded, service.printed())
  await operator.buy(market, { playerId: 'ann', price: 0.4 })
}

test('a repeated order whose answer fails is COMMIT_UNKNOWN, however it is placed', async () => {
  assertFailed(await onFastPath(order), 'COMMIT_UNKNOWN')
  const headers = { te: 'trailers' }
  const framed = await operator.request('POST', '/orders', order, { headers })
  assertFailed(framed, 'COMMIT_UNKNOWN')
  const batch = await operator.request('POST', '/orders/batch', { orders: [order] })
  assertFailed(batch, 'COMMIT_UNKNOWN')
  assert.equal(await failuresAt('rest'), 3)
  await assertServesOthers()
})

test('a record that cannot be sent is INTERNAL_ERROR', async () => {
  const before = await failuresAt('rest')
  assertFailed(await operator.request('GET', `/orders/${orderId}`), 'INTERNAL_ERROR')
  assert.equal(await failuresAt('rest'), before + 1)
  await assertServesOthers()
})

test('over gRPC, a failed answer is COMMIT_UNKNOWN to an order, else INTERNAL_ERROR', async () => {
  const grpc = GrpcClient.of(service, operator.key)
  const more = { player_id: unreadablePlayer, transaction_id: 'bet-1' }
  const message = orderMessage(market, 'BUY', more)
  const placing = await grpc.failure('OrderService/PlaceOrder', message)
  assert.equal(placing.code, 'COMMIT_UNKNOWN')
  const getting = await grpc.failure('OrderService/GetOrder', { order_id: orderId })
  assert.equal(getting.code, 'INTERNAL_ERROR')
  const stream = grpc.duplex('OrderService/PlaceOrders')
  const reader = new Reader(stream)
  stream.write({ orders: [{ client_id: 'a', order: message }] })
  assert.equal((await reader.ended).code, 'COMMIT_UNKNOWN')
  assert.equal(await failuresAt('grpc'), 3)
  grpc.close()
  await assertServesOthers()
})

// A webhook that keeps up is served from memory; delivery-queue.test.ts has one that must read.
test('events that cannot be read delay their own stream only', async () => {
  const receiver = await Receiver.open()
  const hook = { url: receiver.url }
  assert.equal((await operator.request('POST', '/webhooks', hook)).status, 201)
  await operator.openMarket({ title: unreadableTitle })
  const client = await StreamClient.open(service.url, { key: operator.key })
  const subscribed = await client.request({ op: 'subscribe', channels: ['events'], since: 0 })
  assert.equal(subscribed.type, 'subscribed')
  const other = await OperatorClient.create(service)
  assert.equal((await other.request('POST', '/webhooks', hook)).status, 201)
  const listener = await StreamClient.open(service.url, { key: other.key })
  await listener.request({ op: 'subscribe', channels: ['events'] })
  await other.buy(await other.openMarket())
  await listener.until(({ type }) => type === 'event')
  await until(() => receiver.received.some(({ event }) => event.operatorId === other.id))
  assert.ok((await failuresAt('stream')) > 0)
  await Promise.all([receiver.close(), client.close(), listener.close()])
  await assertServesOthers()
})
