// The routes that list delivery attempts and send a test.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '../../support/webhooks/receiver.ts'
import { type Operator, WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'

describe('the attempts of a webhook', () => {
  let fixture: WebhookFixture
  let operator: Operator
  before(async () => {
    fixture = await WebhookFixture.open()
    operator = await fixture.service.newOperator()
  })
  after(() => fixture.close())

  test('are listed, newest first, with the result of each', async () => {
    const receiver = await fixture.receiver((response, { event }) => {
      response.writeHead(event.eventType === 'MARKET_CREATED' ? 200 : 503).end()
    })
    const hook = await fixture.webhook(operator, receiver.url)
    await fixture.market(operator)
    await until(async () => (await fixture.deliveries(operator, hook)).length === 2)
    const [changed, created] = await fixture.deliveries(operator, hook)
    const known = receiver.received.map(({ event }) => event.id)
    assert.deepEqual([created.id, changed.id], known)
    const { durationMs, timestamp, ...rest } = changed
    assert.ok(Number.isInteger(durationMs) && durationMs >= 0)
    assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000)
    assert.deepEqual(rest, {
      id: known[1],
      sequence: 2,
      eventType: 'MARKET_STATUS_CHANGED',
      attempt: 1,
      status: 'RETRYING',
      httpStatus: 503,
      error: 'The answer was 503.',
    })
    assert.deepEqual([created.status, created.httpStatus, created.error], ['DELIVERED', 200, null])
  })

  test('are listed up to the last 100', async () => {
    const receiver = await fixture.receiver()
    const operator = await fixture.service.newOperator()
    const hook = await fixture.webhook(operator, receiver.url)
    const market = await fixture.market(operator)
    for (let at = 1; at <= 40; at += 1) await fixture.bid(operator, market, at / 100)
    const { length: stored } = await fixture.events(operator)
    await until(() => receiver.received.length === stored)
    await until(async () => (await fixture.deliveries(operator, hook))[0].sequence === stored)
    const shown = await fixture.deliveries(operator, hook)
    assert.ok(stored > 110)
    assert.equal(shown.length, 100)
  })

  test('include the result of a test, also of a webhook that is not active', async () => {
    const receiver = await fixture.receiver((response) => response.writeHead(418).end())
    const hook = await fixture.webhook(operator, receiver.url)
    const path = `/api/v1/webhooks/${hook.id}`
    await fixture.request('PATCH', path, operator, { isActive: false })
    const { status, body } = await fixture.request('POST', `${path}/test`, operator)
    assert.equal(status, 200)
    const { sequence, eventType, attempt, httpStatus } = body.data
    assert.deepEqual(
      [sequence, eventType, attempt, body.data.status, httpStatus],
      [0, 'PING', 1, 'FAILED', 418],
    )
    assert.equal(receiver.received[0]?.event.id, body.data.id)
    assert.deepEqual(await fixture.deliveries(operator, hook), [body.data])
  })

  test('and tests are refused to other operators and to keys without the scope', async () => {
    const receiver = await fixture.receiver()
    const hook = await fixture.webhook(operator, receiver.url)
    const participant = await fixture.service.newOperator('participant')
    const ids = [hook.id, '01890000-0000-7000-8000-000000000009', 'no-id']
    for (const [at, id] of ids.entries()) {
      for (const [method, action] of [
        ['GET', 'deliveries'],
        ['POST', 'test'],
      ] as const) {
        const caller = at === 0 ? participant : operator
        const { status, body } = await fixture.request(
          method,
          `/api/v1/webhooks/${id}/${action}`,
          caller,
        )
        assert.deepEqual([status, body.error?.code], [404, 'WEBHOOK_NOT_FOUND'], `${action} ${id}`)
      }
    }
    const keys = `/api/v1/admin/operators/${operator.id}/keys`
    const { body } = await fixture.service.admin('POST', keys, { scopes: ['read'] })
    const reader = { ...operator, key: body.data.apiKey }
    const path = `/api/v1/webhooks/${hook.id}`
    assert.equal((await fixture.request('GET', `${path}/deliveries`, reader)).status, 200)
    assert.equal((await fixture.request('POST', `${path}/test`, reader)).status, 403)
    assert.equal(receiver.received.length, 0)
  })

  test('of tests are limited to four at a time per operator', async () => {
    const receiver = await fixture.receiver((response) => setTimeout(() => response.end(), 1_000))
    const operator = await fixture.service.newOperator()
    const hook = await fixture.webhook(operator, receiver.url)
    const path = `/api/v1/webhooks/${hook.id}/test`
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => fixture.request('POST', path, operator)),
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429])
    const refused = answers.find(({ status }) => status === 429)
    assert.equal(refused?.headers.get('retry-after'), '1')
    assert.equal((await fixture.request('POST', path, operator)).status, 200)
  })

  test('have their routes in the OpenAPI document', async () => {
    const { body } = await fixture.service.request('GET', '/openapi.json')
    const shown = body.paths['/api/v1/webhooks/{id}/deliveries'].get
    const tested = body.paths['/api/v1/webhooks/{id}/test'].post
    for (const { responses } of [shown, tested]) {
      assert.ok(responses['200'])
      assert.match(responses['404'].description, /WEBHOOK_NOT_FOUND/)
    }
    assert.ok(body.components.schemas.WebhookAttempt)
  })
})
