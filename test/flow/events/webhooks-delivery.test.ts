// Webhook deliveries from a running service to real receivers: contents, time and order.

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Receiver, respondOk, until } from '../../support/webhooks/receiver.ts'
import { receiverCertificate } from '../../support/webhooks/receiver-certificate.ts'
import { isSigned, WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('deliveries', () => {
  let fixture: WebhookFixture
  before(async () => {
    fixture = await WebhookFixture.open()
  })
  after(() => fixture.close())

  test('carry every stored event, with all headers, signed over the bytes', async () => {
    const receiver = await fixture.receiver()
    const operator = await fixture.service.newOperator('operator ☔')
    const { secret } = await fixture.webhook(operator, receiver.url)
    const market = await fixture.market(operator, 'Regnet’s morgen? 明日は雨？ 🌧"')
    await fixture.bid(operator, market, 0.4)
    await fixture.request('POST', `/api/v1/markets/${market.id}/suspend`, operator, {
      reason: 'Ω≠∑\n"',
    })
    const events = await fixture.events(operator)
    await until(() => receiver.received.length >= events.length)
    const received = receiver.received.toSorted((a, b) => a.event.sequence - b.event.sequence)
    assert.equal(received.length, events.length)
    for (const [at, event] of events.entries()) {
      const { method, path, headers, body, event: delivered } = received[at]!
      const { sequence, eventType, marketId, operatorId, payload, createdAt } = event
      const { id } = delivered
      const timestamp = createdAt
      const expected = { id, sequence, eventType, marketId, operatorId, payload, timestamp }
      assert.deepEqual(delivered, expected)
      assert.match(id, uuid)
      assert.deepEqual([method, path], ['POST', '/hook'])
      assert.equal(headers['content-type'], 'application/json')
      assert.equal(headers['content-length'], String(body.length))
      assert.equal(headers['x-webhook-event'], eventType)
      assert.equal(headers['x-webhook-id'], id)
      assert.ok(Math.abs(Number(headers['x-webhook-timestamp']) - Date.now() / 1_000) < 60)
      assert.ok(isSigned(body, String(headers['x-webhook-signature']), secret))
      assert.ok(!isSigned(Buffer.from(`${body} `), String(headers['x-webhook-signature']), secret))
    }
    assert.equal(new Set(received.map(({ event }) => event.id)).size, received.length)
  })

  test('wait while their operator is not active, also over a restart, then continue', async () => {
    const [operator, participant] = [
      await fixture.service.newOperator(),
      await fixture.service.newOperator(),
    ]
    const [toOperator, toParticipant] = [await fixture.receiver(), await fixture.receiver()]
    const only = { events: ['ORDER_MATCHED'] }
    await fixture.webhook(operator, toOperator.url, only)
    await fixture.webhook(participant, toParticipant.url, only)
    const shared = { title: 'Rain?', shared: true }
    const { body } = await fixture.request('POST', '/api/v1/markets', operator, shared)
    const market = body.data
    await fixture.request('POST', `/api/v1/markets/${market.id}/open`, operator)
    for (const price of [0.4, 0.41]) await fixture.bid(operator, market, price)
    const sets = { playerId: 'bob', shares: 2 }
    await fixture.request('POST', `/api/v1/markets/${market.id}/mint`, participant, sets)
    const setActive = (isActive: boolean) =>
      fixture.service.admin('PATCH', `/api/v1/admin/operators/${operator.id}`, { isActive })
    const sell = () => fixture.bid(participant, market, 0.4, { side: 'SELL' })

    await setActive(false)
    await sell()
    await until(() => toParticipant.received.length === 1)
    await fixture.restart('stop')
    await sell()
    await until(() => toParticipant.received.length === 2)
    assert.deepEqual(toOperator.sequences, [])
    await setActive(true)
    await until(() => toOperator.received.length === 2)
    const matched = (await fixture.events(operator)).filter(
      ({ eventType }) => eventType === 'ORDER_MATCHED',
    )
    const sequences = matched.map(({ sequence }) => sequence)
    assert.deepEqual(
      toOperator.sequences.toSorted((a, b) => a - b),
      sequences,
    )
  })

  test('start with the first event after the creation of the webhook, and miss none', async () => {
    const receiver = await fixture.receiver()
    const operator = await fixture.service.newOperator()
    const market = await fixture.market(operator)
    for (let turn = 1; turn <= 10; turn += 1) {
      const { length: head } = await fixture.events(operator)
      receiver.received.length = 0
      const { id } = await fixture.webhook(operator, receiver.url)
      await fixture.bid(operator, market, turn / 100)
      const expected = (await fixture.events(operator, head)).map(({ sequence }) => sequence)
      await until(() => receiver.received.length >= expected.length)
      assert.deepEqual(
        receiver.sequences.toSorted((a, b) => a - b),
        expected,
      )
      await fixture.request('DELETE', `/api/v1/webhooks/${id}`, operator)
    }
  })

  test('have the event types of the filter, and after an edit those of the new one', async () => {
    const receiver = await fixture.receiver()
    const operator = await fixture.service.newOperator()
    const market = await fixture.market(operator)
    const events = ['ORDER_PLACED']
    const { id } = await fixture.webhook(operator, receiver.url, { events })
    await fixture.bid(operator, market, 0.3)
    await until(() => receiver.received.length === 1)
    const edit = { events: ['PRICE_UPDATED', 'ORDER_BOOK_UPDATE'] }
    await fixture.request('PATCH', `/api/v1/webhooks/${id}`, operator, edit)
    await fixture.bid(operator, market, 0.4)
    await until(() => receiver.received.length === 3)
    await fixture.request('PATCH', `/api/v1/webhooks/${id}`, operator, { events: [] })
    await fixture.bid(operator, market, 0.5)
    await until(() => receiver.received.length === 6)
    assert.deepEqual(
      receiver.received.map(({ event }) => event.eventType),
      [
        ...['ORDER_PLACED', 'ORDER_BOOK_UPDATE', 'PRICE_UPDATED'],
        ...['ORDER_PLACED', 'ORDER_BOOK_UPDATE', 'PRICE_UPDATED'],
      ],
    )
  })

  test('are made only while the webhook is active, and start again at its activation', async () => {
    const receiver = await fixture.receiver()
    const operator = await fixture.service.newOperator()
    const market = await fixture.market(operator)
    const { id } = await fixture.webhook(operator, receiver.url, { events: ['ORDER_PLACED'] })
    const path = `/api/v1/webhooks/${id}`
    await fixture.bid(operator, market, 0.1)
    await until(() => receiver.received.length === 1)
    await fixture.request('PATCH', path, operator, { isActive: false })
    await fixture.bid(operator, market, 0.2)
    await fixture.request('PATCH', path, operator, { isActive: true })
    await fixture.bid(operator, market, 0.3)
    await until(() => receiver.received.length === 2)
    await fixture.request('DELETE', path, operator)
    await fixture.bid(operator, market, 0.4)
    await fixture.restart('stop')
    await fixture.bid(operator, market, 0.5)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const prices = receiver.received.map(({ event }) => JSON.stringify(event.payload))
    assert.equal(prices.length, 2)
    assert.match(prices[1]!, /"price":0.3/)
  })

  test('that keep up with orders read nothing from the store', async () => {
    const receiver = await fixture.receiver()
    const operator = await fixture.service.newOperator()
    await fixture.webhook(operator, receiver.url)
    const market = await fixture.market(operator)
    await until(() => receiver.received.length === 2)
    const before = await serviceReads(fixture)
    for (let order = 1; order <= 50; order += 1) {
      await fixture.bid(operator, market, order / 100)
      await until(() => receiver.received.length === 2 + order * 3)
    }
    assert.equal(await serviceReads(fixture), before)
    const stored = await fixture.events(operator)
    const received = receiver.received.toSorted((a, b) => a.event.sequence - b.event.sequence)
    assert.deepEqual(
      received.map(({ event }) => [event.sequence, event.payload]),
      stored.map(({ sequence, payload }) => [sequence, payload]),
    )
  })

  test('of one operator are never sent to another', async () => {
    const [one, other] = [await fixture.receiver(), await fixture.receiver()]
    const [operator, participant] = [
      await fixture.service.newOperator(),
      await fixture.service.newOperator(),
    ]
    await fixture.webhook(operator, one.url)
    await fixture.webhook(participant, other.url)
    await fixture.market(operator)
    await fixture.market(participant)
    await until(() => one.received.length >= 2 && other.received.length >= 2)
    assert.ok(one.received.every(({ event }) => event.operatorId === operator.id))
    assert.ok(other.received.every(({ event }) => event.operatorId === participant.id))
  })

  test('use an edited URL from the next attempt', async () => {
    const wrong = await fixture.receiver((response) => response.writeHead(500).end())
    const right = await fixture.receiver()
    const operator = await fixture.service.newOperator()
    const { id } = await fixture.webhook(operator, wrong.url, { events: ['MARKET_CREATED'] })
    await fixture.market(operator)
    await until(() => wrong.received.length === 1)
    await fixture.request('PATCH', `/api/v1/webhooks/${id}`, operator, { url: right.url })
    await until(() => right.received.length === 1)
    const [first, second] = [wrong.received[0]!, right.received[0]!]
    assert.deepEqual(second.body, first.body)
    assert.equal(wrong.received.length, 1)
    const waitedMs = second.at - first.at
    assert.ok(waitedMs >= 4_900 && waitedMs < 10_000, `${waitedMs} ms`)
  })
})

/** How often the service has read the store for itself, as it does for webhooks. */
async function serviceReads({ service }: WebhookFixture): Promise<number> {
  // The service sends the same text of metrics for a second.
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  const { body } = await service.request('GET', '/metrics')
  const count = /^outcry_read_wait_seconds_count{lane="service"} (\d+)$/m.exec(String(body))?.[1]
  assert.ok(count !== undefined)
  return Number(count)
}

describe('a restart', () => {
  test('continues each webhook at its position: no event is missed or sent twice', async () => {
    const fixture = await WebhookFixture.open()
    after(() => fixture.close())
    const receiver = await fixture.receiver()
    const operator = await fixture.service.newOperator()
    await fixture.webhook(operator, receiver.url)
    const market = await fixture.market(operator)
    for (let turn = 1; turn <= 5; turn += 1) {
      for (let order = 0; order < 5; order += 1) await fixture.bid(operator, market, turn / 100)
      await fixture.restart('stop')
    }
    const expected = (await fixture.events(operator)).map(({ sequence }) => sequence)
    await until(() => receiver.received.length >= expected.length)
    assert.deepEqual(
      receiver.sequences.toSorted((a, b) => a - b),
      expected,
    )
  })

  test('waits briefly for pending attempts, and repeats those without a response', async () => {
    const fixture = await WebhookFixture.open()
    after(() => fixture.close())
    const receiver = await fixture.receiver((response, { event }) => {
      if (event.eventType === 'MARKET_CREATED') setTimeout(() => response.end(), 1_000)
    })
    const operator = await fixture.service.newOperator()
    await fixture.webhook(operator, receiver.url)
    await fixture.market(operator)
    await until(() => receiver.received.length === 2)
    receiver.received.length = 0
    const started = performance.now()
    await fixture.service.stop()
    const tookMs = performance.now() - started
    assert.ok(tookMs > 900 && tookMs < 6_000, `${tookMs} ms`)
    receiver.respond = respondOk
    await fixture.restart('stop')
    await until(() => receiver.received.length === 1)
    assert.equal(receiver.received[0]?.event.eventType, 'MARKET_STATUS_CHANGED')
  })
})

test('a webhook over https is delivered without the proxies of the environment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'outcry-certificate-'))
  const file = join(folder, 'certificate.pem')
  await writeFile(file, receiverCertificate)
  const proxy = await Receiver.open()
  after(async () => {
    await proxy.close()
    await rm(folder, { recursive: true })
  })
  const proxies = { HTTPS_PROXY: new URL(proxy.url).origin, HTTP_PROXY: new URL(proxy.url).origin }
  const env = { NODE_EXTRA_CA_CERTS: file, NODE_USE_ENV_PROXY: '1', ...proxies }
  const fixture = await WebhookFixture.open({ env })
  after(() => fixture.close())
  const receiver = await fixture.receiver(respondOk, { isSecure: true })
  const operator = await fixture.service.newOperator()
  const url = `https://localhost:${receiver.port}/hook`
  const hook = await fixture.webhook(operator, url)
  await fixture.market(operator)
  await until(() => receiver.received.length === 2)
  assert.equal(receiver.received[0]?.headers.host, `localhost:${receiver.port}`)
  await until(async () => (await fixture.deliveries(operator, hook)).length === 2)
  assert.equal(proxy.connections, 0)
})
