// The header Idempotency-Key on every POST that writes, over HTTP and over restarts.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { adminKey, type Json, newFolder, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start({ env: { WEBHOOK_ALLOW_INSECURE: 'true' } })
})
after(() => service.stop())

const markets = '/markets'
const rain = { title: 'Will it rain?' }

function posting(operator: OperatorClient, key: string) {
  return (path: string, body?: unknown) =>
    operator.request('POST', path, body, { headers: { 'idempotency-key': key } })
}

function replayedOf({ headers }: { headers: Headers }): string | null {
  return headers.get('idempotent-replayed')
}

test('a repeated request is answered as the first and carried out once', async () => {
  const operator = await OperatorClient.create(service)
  const post = posting(operator, 'create-1')
  const first = await post(markets, { ...rain, shared: true })
  assert.equal(first.status, 201)
  assert.equal(replayedOf(first), null)
  const { id } = first.body.data
  await operator.patch(`/markets/${id}`, { title: 'Changed' })
  const again = await posting(operator, '"create-1"')(markets, { shared: true, ...rain })
  assert.equal(again.status, 201)
  assert.equal(replayedOf(again), 'true')
  assert.deepEqual(again.body, first.body, 'as it was, whatever the order of its fields')
  assert.equal((await operator.get(markets)).total, 1)
  const other = await post(markets, { title: 'Will it snow?' })
  assertRefused(other, 'IDEMPOTENCY_KEY_REUSED')
})

test('keys are separate by operator and by path, with its ids', async () => {
  const [one, other] = [await OperatorClient.create(service), await OperatorClient.create(service)]
  const made = await Promise.all([one, one, other].map((operator) => operator.createMarket()))
  const [first, second, third] = made.map(({ id }: Json) => `/markets/${id}/open`)
  for (const [operator, path] of [
    [one, first],
    [one, second],
    [other, third],
  ] as const) {
    const opened = await posting(operator, 'same')(path!)
    assert.equal(opened.status, 200)
    assert.equal(replayedOf(opened), null)
  }
  const again = await posting(one, 'same')(first!, {})
  assert.equal(again.body.data.status, 'OPEN')
  assert.equal(replayedOf(again), 'true')
})

test('a key of another operator says nothing, also with the same path and body', async () => {
  const [one, other] = [await OperatorClient.create(service), await OperatorClient.create(service)]
  const first = await posting(one, 'shared')(markets, rain)
  const second = await posting(other, 'shared')(markets, rain)
  assert.deepEqual([second.status, replayedOf(second)], [201, null])
  assert.notEqual(second.body.data.id, first.body.data.id)
  const changed = await posting(other, 'shared')(markets, { title: 'Will it snow?' })
  assertRefused(changed, 'IDEMPOTENCY_KEY_REUSED')
  assert.equal((await one.get(markets)).total, 1)
  assert.equal((await other.get(markets)).total, 1)
})

test('of requests that arrive together one is carried out, and all get its answer', async () => {
  const operator = await OperatorClient.create(service)
  const post = posting(operator, 'together')
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(markets, rain)))
  assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1)
  assert.equal(answers.filter((answer) => replayedOf(answer) === 'true').length, 9)
  assert.equal((await operator.get(markets)).total, 1)
})

test('a refused request leaves its key free', async () => {
  const operator = await OperatorClient.create(service)
  const post = posting(operator, 'k')
  assertRefused(await post(markets, { title: 5 }), 'VALIDATION_ERROR')
  assertRefused(await post(markets, { ...rain, currency: 'EUR' }), 'VALIDATION_ERROR')
  assert.equal((await post(markets, rain)).status, 201)
})

test('a settlement is shown again with its totals', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ ann: 20 })
  await operator.post(`/markets/${market.id}/close`)
  const winningOutcomeId = market.outcomes[0].id
  await posting(operator, 'r')(`/markets/${market.id}/resolve`, {
    winningOutcomeId,
    resolutionSource: 'x',
  })
  const settle = () => posting(operator, 's')(`/markets/${market.id}/settle`)
  const first = await settle()
  assert.equal(first.body.data.totalPayout, '20')
  const again = await settle()
  assert.equal(replayedOf(again), 'true')
  assert.deepEqual(again.body, first.body)
})

test('on orders and sets the key is the transactionId', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const post = posting(operator, '"t-1"')
  const body = orderBody(market, 'BUY', {})
  const placed = await post('/orders', body)
  assert.equal(placed.status, 201)
  assert.equal(placed.body.data.order.transactionId, 't-1')
  const again = await post('/orders', { ...body, transactionId: 't-1' })
  assert.equal(again.status, 200)
  assert.equal(replayedOf(again), 'true')
  assert.equal(again.body.data.order.id, placed.body.data.order.id)
  const both = await post('/orders', { ...body, transactionId: 't-2' })
  assertRefused(both, 'VALIDATION_ERROR')
  assert.match(both.body.error.message, /^Idempotency-Key: must be the transactionId/)
  const mint = () =>
    posting(operator, 'm-1')(`/markets/${market.id}/mint`, { playerId: 'ann', shares: 5 })
  assert.equal((await mint()).body.data.transactionId, 'm-1')
  assert.equal((await mint()).status, 200)
  const batch = await post('/orders/batch', { orders: [body] })
  assertRefused(batch, 'VALIDATION_ERROR')
  assert.match(batch.body.error.message, /^Idempotency-Key: is not allowed/)
  assert.equal((await post('/orders/preview', body)).status, 200)
})

test('a key that is invalid is refused with the name of the header', async () => {
  const operator = await OperatorClient.create(service)
  for (const key of ['x'.repeat(256), '""', '"open']) {
    for (const path of [markets, '/orders']) {
      const answer = await posting(operator, key)(path, rain)
      assertRefused(answer, 'VALIDATION_ERROR')
      assert.match(answer.body.error.message, /^Idempotency-Key: /)
    }
  }
})

test('an answer is given again with its status', async () => {
  const operator = await OperatorClient.create(service)
  const { id } = await operator.post('/webhooks', { url: 'http://127.0.0.1:9/x' })
  const redeliver = () =>
    posting(operator, 'r')(`/webhooks/${id}/redeliver`, { fromSequence: 1, toSequence: 1 })
  const [first, again] = [await redeliver(), await redeliver()]
  assert.deepEqual([first.status, replayedOf(first)], [202, null])
  assert.deepEqual([again.status, replayedOf(again)], [202, 'true'])
  assert.deepEqual(again.body, first.body)
})

test('what is shown only once is not shown again', async () => {
  const operator = await OperatorClient.create(service)
  const hook = () => posting(operator, 'w')('/webhooks', { url: 'http://127.0.0.1:9/x' })
  const [made, again] = [await hook(), await hook()]
  assert.match(made.body.data.secret, /^[\da-f]{64}$/)
  assert.equal(again.body.data.secret, `${made.body.data.secret.slice(0, 8)}...`)
  assert.equal((await operator.get('/webhooks')).length, 1)
  const more = { headers: { 'idempotency-key': 'operator-1' } }
  const create = () =>
    service.request('POST', '/api/v1/admin/operators', {
      body: { name: 'Keyed' },
      headers: { ...more.headers, 'x-admin-key': adminKey },
    })
  const [first, second] = [await create(), await create()]
  assert.equal(typeof first.body.data.apiKey, 'string')
  assert.deepEqual(second.body.data, { operator: first.body.data.operator })
  assert.equal(second.status, 201)
})

test('the secret of a rotation and the text of a new key are not shown again', async () => {
  const operator = await OperatorClient.create(service)
  const { id } = await operator.post('/webhooks', { url: 'http://127.0.0.1:9/x' })
  const rotate = () => posting(operator, 'r')(`/webhooks/${id}/rotate-secret`, {})
  const [rotated, again] = [(await rotate()).body.data, (await rotate()).body.data]
  assert.match(rotated.secret, /^[\da-f]{64}$/)
  assert.equal(again.secret, `${rotated.secret.slice(0, 8)}...`)
  assert.equal(again.signingSecret, undefined)
  const [{ operatorId }] = await operator.get('/webhooks')
  const create = () =>
    service.request('POST', `/api/v1/admin/operators/${operatorId}/keys`, {
      body: { label: 'Keyed' },
      headers: { 'idempotency-key': 'key-1', 'x-admin-key': adminKey },
    })
  const [first, second] = [await create(), await create()]
  assert.equal(typeof first.body.data.apiKey, 'string')
  assert.deepEqual(second.body.data, { key: first.body.data.key })
})

test('answers are kept over a kill and a restart', async () => {
  const dataDir = await newFolder()
  const killed = await Service.start({ dataDir })
  const operator = await OperatorClient.create(killed)
  const first = await posting(operator, 'durable')(markets, rain)
  await killed.kill()
  const started = await Service.start({ dataDir })
  const later = new OperatorClient(started, operator)
  const again = await posting(later, 'durable')(markets, rain)
  assert.equal(replayedOf(again), 'true')
  assert.deepEqual(again.body, first.body)
  await started.stop()
})
