// The routes that list delivery attempts and send a test.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '../../support/webhooks/receiver.ts'
import { type Operator, WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'

describe('the log of attempts', () => {
  for (const end of ['stop', 'kill'] as const) {
    test(`survives a restart after a ${end}, and goes on`, async () => {
      const fixture = await WebhookFixture.open()
      after(() => fixture.close())
      const receiver = await fixture.receiver()
      const operator = await fixture.service.newOperator()
      const hook = await fixture.webhook(operator, receiver.url)
      await fixture.market(operator)
      await until(async () => (await fixture.deliveries(operator, hook)).length === 2)
      const before = await fixture.deliveries(operator, hook)
      await fixture.restart(end)
      // After a kill, deliveries that were made just before it are repeated.
      assert.deepEqual((await fixture.deliveries(operator, hook)).slice(-2), before)
      const path = `/api/v1/webhooks/${hook.id}/test`
      const { body } = await fixture.request('POST', path, operator)
      const all = await fixture.deliveries(operator, hook)
      assert.ok(all.some(({ id }) => id === body.data.id))
      assert.deepEqual(all.slice(-2), before)
    })
  }

  test('is stored once a second without being read', async () => {
    const fixture = await WebhookFixture.open()
    after(() => fixture.close())
    const receiver = await fixture.receiver()
    const operator = await fixture.service.newOperator()
    const hook = await fixture.webhook(operator, receiver.url)
    await fixture.market(operator)
    await until(() => receiver.received.length === 2)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    await fixture.restart('kill')
    assert.ok((await fixture.deliveries(operator, hook)).length >= 2)
    assert.equal(receiver.received.length, 2)
  })

  test('gives each webhook the success rate of the last hour', async () => {
    const fixture = await WebhookFixture.open()
    after(() => fixture.close())
    const receiver = await fixture.receiver((response, { event }) => {
      response.writeHead(event.eventType === 'MARKET_CREATED' ? 500 : 200).end()
    })
    const operator = await fixture.service.newOperator()
    const hook = await fixture.webhook(operator, receiver.url)
    const idle = await fixture.webhook(operator, receiver.url, { events: ['ORDER_MATCHED'] })
    const health = async ({ id }: { id: string }) => {
      const { body } = await fixture.request('GET', '/api/v1/webhooks', operator)
      return body.data.find((each: { id: string }) => each.id === id).health
    }
    const none = { attempts: 0, delivered: 0, successRate: null }
    assert.deepEqual([await health(hook), await health(idle)], [none, none])
    await fixture.market(operator)
    const some = { attempts: 2, delivered: 1, successRate: 0.5 }
    await until(async () => (await health(hook)).attempts === 2)
    assert.deepEqual([await health(hook), await health(idle)], [some, none])
    await fixture.restart('kill')
    assert.deepEqual(await health(idle), none)
    assert.ok((await health(hook)).attempts >= 2)
  })
})

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
      const isFirst = event.eventType === 'MARKET_CREATED'
      response.writeHead(isFirst ? 200 : 503).end(isFirst ? '' : 'not ☕\r\nnow\0')
    })
    const hook = await fixture.webhook(operator, receiver.url)
    await fixture.market(operator)
    await until(async () => (await fixture.deliveries(operator, hook)).length === 2)
    const [changed, created] = await fixture.deliveries(operator, hook)
    const known = receiver.received.map(({ event }) => event.id)
    assert.deepEqual([created.id, changed.id], known)
    const { durationMs, timestamp, nextAttemptAt, ...rest } = changed
    const waitedMs = Date.parse(nextAttemptAt) - Date.parse(timestamp)
    assert.ok(waitedMs >= 5_000 && waitedMs < 10_000, String(waitedMs))
    assert.ok(Number.isInteger(durationMs) && durationMs >= 0)
    assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000)
    assert.deepEqual(rest, {
      id: known[1],
      sequence: 2,
      eventType: 'MARKET_STATUS_CHANGED',
      attempt: 1,
      isRedelivery: false,
      status: 'RETRYING',
      delivered: false,
      httpStatus: 503,
      error: 'The answer was 503.',
      response: 'not ☕ now',
    })
    assert.deepEqual([created.status, created.httpStatus, created.error], ['DELIVERED', 200, null])
    assert.equal(created.delivered, true)
    assert.deepEqual([created.response, created.nextAttemptAt], ['', null])
  })

  test('are listed in pages, 100 at a time unless more are requested', async () => {
    const receiver = await fixture.receiver()
    const operator = await fixture.service.newOperator()
    const hook = await fixture.webhook(operator, receiver.url)
    const market = await fixture.market(operator)
    for (let at = 1; at <= 40; at += 1) await fixture.bid(operator, market, at / 100)
    const { length: stored } = await fixture.events(operator)
    assert.ok(stored > 110)
    await until(() => receiver.received.length === stored)
    const path = `/api/v1/webhooks/${hook.id}/deliveries`
    const page = async (query = '') =>
      (await fixture.request('GET', `${path}${query}`, operator)).body.data
    await until(async () => (await page('?limit=1000')).deliveries.length === stored)
    const whole = await page('?limit=1000')
    assert.deepEqual([whole.hasMore, whole.nextCursor], [false, null])
    const first = await page()
    assert.deepEqual([first.deliveries.length, first.hasMore], [100, true])
    const rest = await page(`?cursor=${first.nextCursor}`)
    assert.equal(rest.hasMore, false)
    assert.deepEqual([...first.deliveries, ...rest.deliveries], whole.deliveries)
    const few = await page('?limit=7')
    assert.deepEqual(few.deliveries, whole.deliveries.slice(0, 7))
    for (const query of ['?limit=0', '?limit=1001', '?cursor=x']) {
      const { status, body } = await fixture.request('GET', `${path}${query}`, operator)
      assert.deepEqual([status, body.error?.code], [400, 'VALIDATION_ERROR'], query)
    }
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

  test('of a test tell whether it was delivered, with 200 whatever the receiver does', async () => {
    const receiver = await fixture.receiver()
    const hook = await fixture.webhook(operator, receiver.url)
    const path = `/api/v1/webhooks/${hook.id}`
    const tried = async () => {
      const { status, body } = await fixture.request('POST', `${path}/test`, operator)
      assert.equal(status, 200)
      const { delivered, httpStatus, error } = body.data
      return [delivered, body.data.status, httpStatus, error]
    }
    assert.deepEqual(await tried(), [true, 'DELIVERED', 200, null])
    receiver.respond = (response) => response.writeHead(500).end()
    assert.deepEqual(await tried(), [false, 'FAILED', 500, 'The answer was 500.'])
    receiver.respond = (_response, _received, socket) => socket.destroy()
    const [delivered, status, httpStatus, error] = await tried()
    assert.deepEqual([delivered, status, httpStatus], [false, 'FAILED', null])
    assert.match(error, /^The connection /)
    await fixture.request('PATCH', path, operator, { url: 'http://127.0.0.1:1/' })
    const refused = await tried()
    assert.deepEqual(refused.slice(0, 3), [false, 'FAILED', null])
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
      const name = String(responses['404'].$ref).split('/').at(-1) ?? ''
      assert.match(body.components.responses[name].description, /WEBHOOK_NOT_FOUND/)
    }
    assert.ok(body.components.schemas.WebhookAttempt)
  })
})
