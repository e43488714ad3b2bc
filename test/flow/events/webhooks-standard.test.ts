// Deliveries follow Standard Webhooks 1.0: its official library verifies them over the raw bytes.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { assertRefused } from '../../support/http/answers.ts'
import { type Received, until } from '../../support/webhooks/receiver.ts'
import { isSigned, type Operator, WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'

const title = 'Regnet’s morgen? 明日は雨？ 🌧 "Ω≠∑"'

/** What the library makes of a delivery. */
function verified(signingSecret: string, { body, headers }: Received): unknown {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)])
  return new Webhook(signingSecret).verify(body, Object.fromEntries(texts))
}

describe('the official library of Standard Webhooks', () => {
  let fixture: WebhookFixture
  let operator: Operator
  before(async () => {
    fixture = await WebhookFixture.open()
    operator = await fixture.service.newOperator()
  })
  after(() => fixture.close())

  test('verifies each delivery with the signingSecret, and no changed one', async () => {
    const receiver = await fixture.receiver()
    const { signingSecret, secret } = await fixture.webhook(operator, receiver.url)
    assert.equal(signingSecret, `whsec_${Buffer.from(secret).toString('base64')}`)
    await fixture.market(operator, title)
    await until(() => receiver.received.length === 2)
    for (const received of receiver.received) {
      const { body, event, headers } = received
      assert.ok(body.toString().includes('明日') || event.eventType !== 'MARKET_CREATED')
      assert.deepEqual(verified(signingSecret, received), event)
      assert.equal(headers['webhook-id'], headers['x-webhook-id'])
      assert.equal(headers['webhook-timestamp'], headers['x-webhook-timestamp'])
      const other = `whsec_${Buffer.from('another').toString('base64')}`
      assert.throws(() => verified(other, received), WebhookVerificationError)
      const later = String(Number(headers['webhook-timestamp']) + 1)
      for (const changed of [
        { ...received, body: Buffer.concat([body, Buffer.from(' ')]) },
        { ...received, headers: { ...headers, 'webhook-id': 'another' } },
        { ...received, headers: { ...headers, 'webhook-timestamp': later } },
      ]) {
        assert.throws(() => verified(signingSecret, changed), WebhookVerificationError)
      }
    }
  })

  test('verifies a test delivery', async () => {
    const receiver = await fixture.receiver()
    const { id, signingSecret } = await fixture.webhook(operator, receiver.url)
    await fixture.request('POST', `/api/v1/webhooks/${id}/test`, operator)
    const [received] = receiver.received
    assert.deepEqual(verified(signingSecret, received!), received!.event)
  })
})

test('the signingSecret is shown only with the whole secret', async () => {
  const fixture = await WebhookFixture.open()
  after(() => fixture.close())
  const operator = await fixture.service.newOperator()
  const { id, signingSecret } = await fixture.webhook(operator, 'http://127.0.0.1:9/')
  assert.match(signingSecret, /^whsec_[A-Za-z0-9+/]+=*$/)
  const path = `/api/v1/webhooks/${id}`
  for (const [method, at, body] of [
    ['GET', '/api/v1/webhooks', undefined],
    ['PATCH', path, { description: 'mine' }],
  ] as const) {
    const text = JSON.stringify((await fixture.request(method, at, operator, body)).body)
    assert.ok(!text.includes('whsec_') && !text.includes('signingSecret'), method)
  }
})

describe('a rotated secret', () => {
  let fixture: WebhookFixture
  let operator: Operator
  before(async () => {
    fixture = await WebhookFixture.open()
    operator = await fixture.service.newOperator()
  })
  after(() => fixture.close())

  const rotate = (id: string, body?: object) =>
    fixture.request('POST', `/api/v1/webhooks/${id}/rotate-secret`, operator, body)

  test('signs at once, beside the old one until the overlap ends', async () => {
    const receiver = await fixture.receiver()
    const hook = await fixture.webhook(operator, receiver.url)
    const ping = async () => {
      await fixture.request('POST', `/api/v1/webhooks/${hook.id}/test`, operator)
      return receiver.received.at(-1)!
    }
    const { status, body } = await rotate(hook.id, { overlapHours: 0.0005 })
    assert.equal(status, 200)
    const made = body.data
    assert.match(made.secret, /^[0-9a-f]{64}$/)
    assert.notEqual(made.secret, hook.secret)
    assert.ok(Date.parse(made.previousSecretExpiresAt) > Date.now())
    const during = await ping()
    assert.deepEqual(verified(made.signingSecret, during), during.event)
    assert.deepEqual(verified(hook.signingSecret, during), during.event)
    assert.match(String(during.headers['webhook-signature']), /^v1,[^ ]+ v1,[^ ]+$/)
    const signature = String(during.headers['x-webhook-signature'])
    assert.ok(isSigned(during.body, signature, made.secret))
    assert.ok(!isSigned(during.body, signature, hook.secret))
    await until(async () => {
      const { body: list } = await fixture.request('GET', '/api/v1/webhooks', operator)
      const shown = list.data.find(({ id }: { id: string }) => id === hook.id)
      return shown.previousSecretExpiresAt === null
    })
    const later = await ping()
    assert.deepEqual(verified(made.signingSecret, later), later.event)
    assert.throws(() => verified(hook.signingSecret, later), WebhookVerificationError)
  })

  test('signs beside one other secret at most, also after a restart', async () => {
    const receiver = await fixture.receiver()
    const { id, signingSecret: first } = await fixture.webhook(operator, receiver.url)
    const second = (await rotate(id)).body.data
    const hoursLeft = (Date.parse(second.previousSecretExpiresAt) - Date.now()) / 3_600_000
    assert.ok(hoursLeft > 23.9 && hoursLeft <= 24, String(hoursLeft))
    const third = (await rotate(id, { overlapHours: 168 })).body.data
    await fixture.restart('stop')
    await fixture.request('POST', `/api/v1/webhooks/${id}/test`, operator)
    const received = receiver.received.at(-1)!
    for (const { signingSecret } of [second, third]) {
      assert.deepEqual(verified(signingSecret, received), received.event)
    }
    assert.throws(() => verified(first, received), WebhookVerificationError)
  })

  test('cannot overlap for less than 0 or more than 168 hours', async () => {
    const receiver = await fixture.receiver()
    const { id, secret } = await fixture.webhook(operator, receiver.url)
    for (const overlapHours of [-1, 168.1, '24', null]) {
      assertRefused(await rotate(id, { overlapHours }), 'VALIDATION_ERROR', 'overlapHours')
    }
    assertRefused(await rotate('019a8a30-1c00-7000-8000-000000000001'), 'WEBHOOK_NOT_FOUND')
    await fixture.request('POST', `/api/v1/webhooks/${id}/test`, operator)
    const [received] = receiver.received
    assert.ok(isSigned(received!.body, String(received!.headers['x-webhook-signature']), secret))
  })
})
