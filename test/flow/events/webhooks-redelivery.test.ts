// Redeliveries, the schedule LONG and CloudEvents, over HTTP and to real receivers.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { assertRefused } from '../../support/http/answers.ts'
import type { Json } from '../../support/process/outcry-process.ts'
import { type Receiver, respondOk, until } from '../../support/webhooks/receiver.ts'
import { type Hook, type Operator, WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'

let fixture: WebhookFixture
before(async () => {
  fixture = await WebhookFixture.open()
})
after(() => fixture.close())

const redeliver = (operator: Operator, { id }: Hook, body: object, at = fixture) =>
  at.request('POST', `/api/v1/webhooks/${id}/redeliver`, operator, body)
const ascending = (sequences: readonly number[]) => sequences.toSorted((a, b) => a - b)

async function queuedOf(operator: Operator, hook: Hook, body: object): Promise<number> {
  const answer = await redeliver(operator, hook, body)
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  return answer.body.data.queued
}

describe('a redelivery', () => {
  let operator: Operator
  let receiver: Receiver
  let hook: Hook
  let market: Json
  before(async () => {
    operator = await fixture.service.newOperator()
    receiver = await fixture.receiver()
    hook = await fixture.webhook(operator, receiver.url)
    market = await fixture.market(operator)
    for (const price of [0.1, 0.2]) await fixture.bid(operator, market, price)
    await until(() => receiver.received.length === 8)
  })

  test('repeats the events of a range with their ids and bytes, bounds included', async () => {
    const first = new Map(receiver.received.map((each) => [each.event.sequence, each]))
    receiver.received.length = 0
    const range = { fromSequence: 3, toSequence: 6 }
    assert.equal(await queuedOf(operator, hook, range), 4)
    await until(() => receiver.received.length === 4)
    assert.deepEqual(ascending(receiver.sequences), [3, 4, 5, 6])
    for (const { body, event, headers } of receiver.received) {
      const before = first.get(event.sequence)!
      assert.deepEqual(body, before.body)
      assert.equal(headers['x-webhook-id'], before.headers['x-webhook-id'])
    }
    const logged = await fixture.deliveries(operator, hook)
    assert.deepEqual(
      logged
        .slice(0, 4)
        .map(({ isRedelivery, attempt, status }) => [isRedelivery, attempt, status]),
      Array(4).fill([true, 1, 'DELIVERED']),
    )
    assert.deepEqual(
      logged.slice(4).map(({ isRedelivery }) => isRedelivery),
      Array(8).fill(false),
    )
  })

  test('has only events that exist and that the webhook subscribes to', async () => {
    const other = await fixture.receiver()
    const events = ['ORDER_PLACED']
    const placed = await fixture.webhook(operator, other.url, { events })
    const range = { fromSequence: 1, toSequence: 1_000 }
    assert.equal(await queuedOf(operator, placed, range), 2)
    await until(() => other.received.length === 2)
    assert.deepEqual(
      other.received.map(({ event }) => event.eventType),
      ['ORDER_PLACED', 'ORDER_PLACED'],
    )
    const beyond = { fromSequence: 1_000_000, toSequence: 1_000_999 }
    assert.equal(await queuedOf(operator, placed, beyond), 0)
  })

  test('works while the webhook is inactive, and does not move its position', async () => {
    const path = `/api/v1/webhooks/${hook.id}`
    await fixture.request('PATCH', path, operator, { isActive: false })
    receiver.received.length = 0
    await queuedOf(operator, hook, { fromSequence: 1, toSequence: 2 })
    await until(() => receiver.received.length === 2)
    await fixture.request('PATCH', path, operator, { isActive: true })
    await fixture.bid(operator, market, 0.3)
    await until(() => receiver.received.length === 5)
    assert.deepEqual(ascending(receiver.sequences), [1, 2, 9, 10, 11])
  })

  test('is refused if its body is wrong, and to other operators', async () => {
    const cases: readonly (readonly [object, string])[] = [
      [{}, 'fromSequence'],
      [{ fromSequence: 1 }, 'toSequence'],
      [{ toSequence: 1 }, 'fromSequence'],
      [{ fromSequence: 0, toSequence: 1 }, 'fromSequence'],
      [{ fromSequence: 2, toSequence: 1 }, 'toSequence'],
      [{ fromSequence: 1, toSequence: 1_001 }, 'toSequence'],
      [{ fromSequence: 1.5, toSequence: 2 }, 'fromSequence'],
      [{ failed: false }, 'failed'],
      [{ failed: true, fromSequence: 1, toSequence: 2 }, 'failed'],
      [{ failed: true, colour: 1 }, 'colour'],
    ]
    for (const [body, field] of cases) {
      assertRefused(await redeliver(operator, hook, body), 'VALIDATION_ERROR', field)
    }
    const { body } = await redeliver(operator, hook, { failed: false })
    assert.equal(body.error.message, 'failed: must be true')
    const participant = await fixture.service.newOperator()
    assertRefused(await redeliver(participant, hook, { failed: true }), 'WEBHOOK_NOT_FOUND')
  })
})

test('failed: true repeats exactly the deliveries that have failed, once each', async () => {
  const operator = await fixture.service.newOperator()
  // With LONG and 410, a delivery fails at once, and the webhook is made inactive.
  const receiver = await fixture.receiver((response, { event }) => {
    response.writeHead(event.sequence === 2 ? 410 : 200).end('bye')
  })
  const hook = await fixture.webhook(operator, receiver.url, { retrySchedule: 'LONG' })
  assert.equal(await queuedOf(operator, hook, { failed: true }), 0)
  await fixture.market(operator)
  await until(() => receiver.received.length === 2)
  const isActive = async () => {
    const { body } = await fixture.request('GET', '/api/v1/webhooks', operator)
    return body.data[0].isActive
  }
  await until(async () => !(await isActive()))
  assert.equal(await queuedOf(operator, hook, { failed: true }), 1)
  await until(() => receiver.received.length === 3)
  assert.deepEqual(receiver.sequences.toSorted(), [1, 2, 2])
  receiver.respond = respondOk
  await until(async () => (await fixture.deliveries(operator, hook)).length === 3)
  assert.equal(await queuedOf(operator, hook, { failed: true }), 1)
  await until(async () => (await fixture.deliveries(operator, hook))[0].delivered)
  assert.equal(await queuedOf(operator, hook, { failed: true }), 0)
  assert.equal(await isActive(), false)
})

test('a delivery of a LONG webhook goes on where it was after a restart', async () => {
  const own = await WebhookFixture.open()
  after(() => own.close())
  const operator = await own.service.newOperator()
  const receiver = await own.receiver((response, { event }) => {
    response.writeHead(event.sequence === 1 ? 503 : 200).end()
  })
  const hook = await own.webhook(operator, receiver.url, { retrySchedule: 'LONG' })
  await own.market(operator)
  await until(() => receiver.received.length === 3)
  await until(async () => (await own.deliveries(operator, hook)).length === 3)
  const [before] = await own.deliveries(operator, hook)
  assert.deepEqual([before.attempt, before.status], [2, 'RETRYING'])
  const waitMs = Date.parse(before.nextAttemptAt) - Date.parse(before.timestamp)
  assert.ok(waitMs > 260_000 && waitMs < 340_000, String(waitMs))
  await own.restart('kill')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  assert.deepEqual(ascending(receiver.sequences), [1, 1, 2])
})

test('a redelivery leaves out events whose record is damaged, and counts them', async () => {
  const own = await WebhookFixture.open()
  after(() => own.close())
  const operator = await own.service.newOperator()
  const receiver = await own.receiver()
  const hook = await own.webhook(operator, receiver.url)
  const market = await own.market(operator)
  for (const price of [0.1, 0.2]) await own.bid(operator, market, price)
  await until(() => receiver.received.length === 8)
  // The tables have all that was committed.
  await own.restart('stop')
  receiver.received.length = 0
  const database = new DatabaseSync(join(own.dataDir, 'outcry.db'), { timeout: 5_000 })
  const damage = `UPDATE event_records SET body = '[1' WHERE first_sequence = 3`
  assert.equal(database.prepare(damage).run().changes, 1)
  database.close()
  const range = { fromSequence: 2, toSequence: 7 }
  const { status, body } = await redeliver(operator, hook, range, own)
  assert.deepEqual([status, body.data], [202, { queued: 3, unreadable: 3 }])
  await until(() => receiver.received.length === 3)
  assert.deepEqual(ascending(receiver.sequences), [2, 6, 7])
})

test('a webhook with CloudEvents gets them signed, and its format can be changed', async () => {
  const operator = await fixture.service.newOperator()
  const receiver = await fixture.receiver()
  const hook = await fixture.webhook(operator, receiver.url, { format: 'CLOUDEVENTS' })
  await fixture.market(operator, 'Regnet’s? 明日は雨？')
  await until(() => receiver.received.length === 2)
  const events = await fixture.events(operator)
  for (const { body, event, headers } of receiver.received) {
    const sequence = Number(event.sequence)
    const { payload, marketId, eventType, createdAt } = events[sequence - 1]!
    assert.equal(headers['content-type'], 'application/cloudevents+json')
    assert.deepEqual(event, {
      specversion: '1.0',
      id: headers['x-webhook-id'],
      source: `/operators/${operator.id}`,
      type: `outcry.${eventType.toLowerCase()}.v1`,
      subject: marketId,
      time: createdAt,
      datacontenttype: 'application/json',
      sequence: String(sequence).padStart(16, '0'),
      data: payload,
    })
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)])
    const verified = new Webhook(hook.signingSecret).verify(body, Object.fromEntries(texts))
    assert.deepEqual(verified, event)
  }
  receiver.received.length = 0
  const path = `/api/v1/webhooks/${hook.id}`
  const { body } = await fixture.request('PATCH', path, operator, { format: 'OUTCRY' })
  assert.deepEqual([body.data.format, body.data.retrySchedule], ['OUTCRY', 'STANDARD'])
  await fixture.request('POST', `${path}/test`, operator)
  assert.equal(receiver.received[0]?.event.eventType, 'PING')
  const wrong = await fixture.request('PATCH', path, operator, { format: 'XML' })
  assertRefused(wrong, 'VALIDATION_ERROR', 'format')
  const schedule = await fixture.request('PATCH', path, operator, { retrySchedule: 'NEVER' })
  assertRefused(schedule, 'VALIDATION_ERROR', 'retrySchedule')
})
