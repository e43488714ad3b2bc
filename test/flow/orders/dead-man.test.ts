// Dead-man switches over REST, gRPC and the stream: what they refuse, who gets the events, and a
// deadline that passes while the service is down.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GrpcClient } from '../../support/grpc/grpc-client.ts'
import { assertRefused, until } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import type { Json } from '../../support/process/outcry-process.ts'
import { StreamClient } from '../../support/stream/stream-client.ts'
import { WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'

let fixture: WebhookFixture
before(async () => {
  fixture = await WebhookFixture.open()
})
after(() => fixture.close())

const path = '/dead-man'
const long = 300_000
const short = 1_000
const enoughMs = 30_000

const newOperator = () => OperatorClient.create(fixture.service)

function arm(operator: OperatorClient, body: object) {
  return operator.request('PUT', path, body)
}

function stateOf(operator: OperatorClient, query = ''): Promise<Json> {
  return operator.get(`${path}${query}`)
}

async function triggered(operator: OperatorClient, query = ''): Promise<Json> {
  return until(
    () => stateOf(operator, query),
    ({ state }) => state === 'TRIGGERED',
    enoughMs,
  )
}

test('a switch is answered with its deadline, and renewed by arming it again', async () => {
  const operator = await newOperator()
  const before = Date.now()
  const { status, body } = await arm(operator, { timeoutMs: long })
  assert.equal(status, 200)
  const { deadline, ...rest } = body.data
  assert.deepEqual(rest, { playerId: null, state: 'ARMED', timeoutMs: long })
  assert.ok(Date.parse(deadline) >= before + long - 2_000, deadline)
  assert.deepEqual(await stateOf(operator), body.data)
  const renewed = (await arm(operator, { timeoutMs: long - 1 })).body.data
  assert.equal(renewed.timeoutMs, long - 1)
  assert.deepEqual(await stateOf(operator), renewed)
  assertRefused(await operator.request('GET', `${path}?playerId=ann`), 'NOT_FOUND')
  assertRefused(await (await newOperator()).request('GET', path), 'NOT_FOUND')
})

test('a timeout is 1,000 to 300,000 ms', async () => {
  const operator = await newOperator()
  for (const timeoutMs of [999, 300_001, 1_000.5, '2000', null, undefined]) {
    assertRefused(await arm(operator, { timeoutMs }), 'VALIDATION_ERROR', 'timeoutMs')
  }
  for (const body of [
    { timeoutMs: long, playerId: '' },
    { timeoutMs: long, more: 1 },
  ]) {
    assertRefused(await arm(operator, body), 'VALIDATION_ERROR')
  }
  assertRefused(await operator.request('GET', path), 'NOT_FOUND')
  assert.equal((await arm(operator, { timeoutMs: 1_000, playerId: 'dave' })).status, 200)
  assert.equal((await arm(operator, { timeoutMs: 300_000 })).status, 200)
})

test('a cleared switch is gone, also a triggered one', async () => {
  const operator = await newOperator()
  const market = await operator.openMarket()
  assertRefused(await operator.request('DELETE', path), 'NOT_FOUND')
  await arm(operator, { timeoutMs: long })
  assert.equal((await operator.request('DELETE', path)).status, 200)
  assertRefused(await operator.request('GET', path), 'NOT_FOUND')
  await arm(operator, { timeoutMs: short })
  await triggered(operator)
  assertRefused(await operator.tryOrder(market, 'BUY'), 'DEAD_MAN_TRIGGERED')
  assert.equal((await operator.request('DELETE', path)).status, 200)
  assert.equal((await operator.tryOrder(market, 'BUY')).status, 201)
})

test('a triggered switch sends its event, cancels open orders and refuses new ones', async () => {
  const operator = await newOperator()
  const market = await operator.marketWithHolders({ ann: 10 })
  const receiver = await fixture.receiver()
  await fixture.webhook(operator, receiver.url, { events: ['DEAD_MAN_TRIGGERED'] })
  const { order } = await operator.buy(market, { player: 'maker', price: 0.4 })
  const { order: kept } = await operator.buy(market, { player: 'bob', price: 0.3 })
  const armed = (await arm(operator, { timeoutMs: short, playerId: 'maker' })).body.data
  const query = '?playerId=maker'
  assert.deepEqual(await triggered(operator, query), { ...armed, state: 'TRIGGERED' })
  const { status } = await until(
    () => operator.get(`/orders/${order.id}`),
    ({ status }) => status === 'CANCELLED',
    enoughMs,
  )
  assert.equal(status, 'CANCELLED')

  const own = { player: 'maker', price: 0.4 }
  const body = orderBody(market, 'BUY', own)
  const { transactionId: _, ...previewed } = body as Json
  assertRefused(await operator.tryOrder(market, 'BUY', own), 'DEAD_MAN_TRIGGERED')
  assertRefused(await operator.request('POST', '/orders/preview', previewed), 'DEAD_MAN_TRIGGERED')
  const other = orderBody(market, 'BUY', { player: 'bob', price: 0.3 })
  const batch = await operator.request('POST', '/orders/batch', { orders: [body, other] })
  const results: Json[] = batch.body.data.results
  assert.deepEqual(
    results.map(({ error }) => error?.code ?? null),
    ['DEAD_MAN_TRIGGERED', null],
  )
  assert.deepEqual(results[0]!.error.details, { playerId: 'maker' })
  assert.equal((await operator.request('PATCH', `/orders/${kept.id}`, { shares: 5 })).status, 200)
  await operator.mint(market, 'maker', 1)

  const events = await operator.events()
  const [first, second, ...rest] = events.filter(({ eventType, payload }) => {
    return eventType === 'DEAD_MAN_TRIGGERED' || payload.reason === 'DEAD_MAN'
  })
  const { deadline, timeoutMs } = armed
  assert.deepEqual(first!.payload, {
    playerId: 'maker',
    deadline,
    timeoutMs,
    timestamp: Date.parse(first!.createdAt),
  })
  assert.ok(first!.createdAt >= deadline)
  assert.equal(first!.marketId, null)
  assert.deepEqual([second!.eventType, second!.payload.orderId], ['ORDER_CANCELLED', order.id])
  assert.ok(second!.sequence > first!.sequence)
  assert.deepEqual(rest, [])
  const delivered = await until(
    async () => receiver.received.map(({ event }) => event),
    ([event]) => event !== undefined,
    enoughMs,
  )
  assert.deepEqual(
    delivered.map(({ eventType, marketId, payload }) => [eventType, marketId, payload]),
    [['DEAD_MAN_TRIGGERED', null, first!.payload]],
  )

  await arm(operator, { timeoutMs: long, playerId: 'maker' })
  assert.equal((await operator.tryOrder(market, 'BUY', own)).status, 201)
})

test('a switch is armed over the stream with the scope trade', async () => {
  const operator = await newOperator()
  const reading = await operator.withKey({ scopes: ['read'] })
  const { url } = fixture.service
  const message = { op: 'deadMan', timeoutMs: long, playerId: 'maker' }
  const stranger = await StreamClient.open(url)
  assert.equal((await stranger.request(message)).error.code, 'UNAUTHORIZED')
  await stranger.close()
  const reader = await StreamClient.open(url, { key: reading.key })
  assert.equal((await reader.request(message)).error.code, 'FORBIDDEN')
  await reader.close()
  const trader = await StreamClient.open(url, { key: operator.key })
  const wrong = await trader.request({ ...message, timeoutMs: 999 })
  assert.equal(wrong.error.code, 'VALIDATION_ERROR')
  const { type, id, ...answer } = await trader.request(message)
  await trader.close()
  assert.equal(type, 'deadMan')
  assert.deepEqual(answer, await stateOf(operator, '?playerId=maker'))
})

test('a switch is armed, read and cleared over gRPC as over REST', async (t) => {
  const operator = await newOperator()
  const grpc = GrpcClient.of(fixture.service, operator.key)
  t.after(() => grpc.close())
  const armed = await grpc.data('OrderService/ArmDeadMan', { timeout_ms: long })
  const { deadline, timeoutMs } = await stateOf(operator)
  assert.equal(armed.state, 'DEAD_MAN_STATE_ARMED')
  assert.deepEqual([armed.deadline, armed.timeout_ms], [deadline, timeoutMs])
  assert.deepEqual(await grpc.data('OrderService/GetDeadMan', {}), armed)
  const ofPlayer = { player_id: 'maker' }
  const failure = (name: string, body: object) => grpc.failure(`OrderService/${name}`, body)
  assert.equal((await failure('GetDeadMan', ofPlayer)).code, 'NOT_FOUND')
  const short = { ...ofPlayer, timeout_ms: 999 }
  assert.equal((await failure('ArmDeadMan', short)).code, 'VALIDATION_ERROR')
  const long_ = { player_id: 'x'.repeat(129), timeout_ms: long }
  assert.equal((await failure('ArmDeadMan', long_)).code, 'VALIDATION_ERROR')
  assert.equal((await failure('ClearDeadMan', ofPlayer)).code, 'NOT_FOUND')
  await grpc.data('OrderService/ClearDeadMan', {})
  assertRefused(await operator.request('GET', path), 'NOT_FOUND')
  const ofMaker = await grpc.data('OrderService/ArmDeadMan', { ...ofPlayer, timeout_ms: long })
  assert.equal(ofMaker.player_id, 'maker')
  assert.equal((await stateOf(operator, '?playerId=maker')).deadline, ofMaker.deadline)
  assertRefused(await operator.request('GET', path), 'NOT_FOUND')
  const { key } = await operator.withKey({ scopes: ['read'] })
  const reader = GrpcClient.of(fixture.service, key)
  t.after(() => reader.close())
  assert.deepEqual(await reader.data('OrderService/GetDeadMan', ofPlayer), ofMaker)
  for (const [name, body] of [
    ['ArmDeadMan', { ...ofPlayer, timeout_ms: long }],
    ['ClearDeadMan', ofPlayer],
  ] as const) {
    assert.equal((await reader.failure(`OrderService/${name}`, body)).code, 'FORBIDDEN')
  }
})

test('a deadline that passes while the service is down is kept first thing after it', async () => {
  const operator = await newOperator()
  const market = await operator.openMarket()
  const { order } = await operator.buy(market, { player: 'maker', price: 0.4 })
  await arm(operator, { timeoutMs: short })
  await arm(operator, { timeoutMs: long, playerId: 'bob' })
  await fixture.restart('kill')
  const again = new OperatorClient(fixture.service, operator)
  await triggered(again)
  assertRefused(await again.tryOrder(market, 'BUY'), 'DEAD_MAN_TRIGGERED')
  const { status } = await until(
    () => again.get(`/orders/${order.id}`),
    ({ status }) => status === 'CANCELLED',
    enoughMs,
  )
  assert.equal(status, 'CANCELLED')
  assert.equal((await stateOf(again, '?playerId=bob')).state, 'ARMED')
  await fixture.restart('kill')
  const last = new OperatorClient(fixture.service, operator)
  assert.equal((await stateOf(last)).state, 'TRIGGERED')
  assertRefused(await last.tryOrder(market, 'BUY'), 'DEAD_MAN_TRIGGERED')
})
