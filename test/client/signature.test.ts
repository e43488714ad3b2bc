// The client verifies the signature and the age of webhook deliveries.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { readDelivery, verifySignature } from '../../client/src/outcry.ts'
import { signatureOf, standardSignatureOf } from '../../src/feed/webhooks/sign.ts'
import { until } from '../support/webhooks/receiver.ts'
import { WebhookFixture } from '../support/webhooks/webhook-fixture.ts'

const secret = '5d3c1f0a9b8e7d6c5b4a39281706f5e4d3c2b1a0998877665544332211009988'
const body = '{"sequence":1,"eventType":"PING","text":"Zürich"}'
const now = Date.UTC(2026, 0, 1)

function headersOf(text: string, { at = now, key = secret } = {}) {
  return {
    'x-webhook-signature': signatureOf(Buffer.from(text), key),
    'x-webhook-timestamp': String(Math.floor(at / 1_000)),
  }
}

test('a valid signature is accepted, with either kind of headers and body', async () => {
  const headers = headersOf(body)
  assert.equal(await verifySignature(secret, body, headers, { now }), true)
  const bytes = new TextEncoder().encode(body)
  assert.equal(await verifySignature(secret, bytes, new Headers(headers), { now }), true)
  const capital = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  )
  assert.equal(await verifySignature(secret, body, capital, { now }), true)
})

test('a changed body, a wrong secret and a missing or cut signature are rejected', async () => {
  const good = headersOf(body)
  const refused: [string, string, Record<string, string>][] = [
    [secret, `${body} `, good],
    [secret, body.replace('1', '2'), good],
    [secret.replace('5', '6'), body, good],
    ['', body, headersOf(body, { key: '' })],
    [secret, body, {}],
    [secret, body, { 'x-webhook-timestamp': good['x-webhook-timestamp'] }],
    [secret, body, { 'x-webhook-signature': good['x-webhook-signature'] }],
    [secret, body, { ...good, 'x-webhook-signature': 'sha256=' }],
    [secret, body, { ...good, 'x-webhook-signature': good['x-webhook-signature'].slice(0, -2) }],
    [secret, body, { ...good, 'x-webhook-timestamp': 'now' }],
  ]
  for (const [key, text, headers] of refused) {
    assert.equal(await verifySignature(key, text, headers, { now }), false, JSON.stringify(headers))
  }
})

test('a delivery attempt that is old or from the future is rejected', async () => {
  const minutes = 60_000
  for (const [at, isAccepted] of [
    [now - 4 * minutes, true],
    [now - 6 * minutes, false],
    [now + 6 * minutes, false],
  ] as const) {
    assert.equal(await verifySignature(secret, body, headersOf(body, { at }), { now }), isAccepted)
  }
  const old = headersOf(body, { at: now - 6 * minutes })
  assert.equal(await verifySignature(secret, body, old, { now, maxAgeSeconds: 600 }), true)
})

test('the signingSecret is accepted as the secret is', async () => {
  const signing = (text: string) => `whsec_${Buffer.from(text).toString('base64')}`
  const headers = headersOf(body)
  assert.equal(await verifySignature(signing(secret), body, headers, { now }), true)
  const delivery = await readDelivery(signing(secret), body, headers, { now })
  assert.equal(delivery?.sequence, 1)
  for (const other of [
    signing('ab'.repeat(32)),
    'whsec_',
    'whsec_*',
    'whsec_abc',
    secret.slice(1),
  ]) {
    assert.equal(await verifySignature(other, body, headers, { now }), false, other)
  }
})

test('either secret is accepted while a new one replaces the other', async () => {
  const [old, third] = ['ab'.repeat(32), 'cd'.repeat(32)]
  const [id, timestamp] = ['ededa9d9-734b-5646-8bbe-2e122ccb0ce7', String(now / 1_000)]
  const sign = (text: string) =>
    standardSignatureOf({ id, timestamp, body: Buffer.from(text) }, [secret, old])
  const standard = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': sign(body),
  }
  const all = { ...standard, ...headersOf(body) }
  for (const headers of [standard, all, new Headers(all)]) {
    for (const key of [secret, old]) {
      assert.equal(await verifySignature(key, body, headers, { now }), true)
    }
    assert.equal(await verifySignature(third, body, headers, { now }), false)
    assert.equal(await verifySignature(old, `${body} `, headers, { now }), false)
    assert.equal(await verifySignature(old, body, headers, { now: now + 360_000 }), false)
  }
  const refused = [
    { ...standard, 'webhook-id': 'another' },
    { ...standard, 'webhook-timestamp': String(now / 1_000 + 1) },
    { ...standard, 'webhook-signature': sign(body).replaceAll('v1,', 'v2,') },
    { ...standard, 'webhook-signature': sign(body).replaceAll('=', '') },
  ]
  for (const headers of refused) {
    assert.equal(await verifySignature(old, body, headers, { now }), false, JSON.stringify(headers))
  }
})

test('the example in docs/protocol/webhooks.md has a valid signature', async () => {
  const page = readFileSync(new URL('../../docs/protocol/webhooks.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/```(?:text|json)\n(.*?)\n```/gs)].map(([, text]) => text ?? '')
  const [key = '', example = '', signature = ''] = blocks
  const headers = { ...headersOf(example), 'x-webhook-signature': signature }
  assert.equal(await verifySignature(key, example, headers, { now }), true)
})

test('readDelivery returns a typed delivery, and null with a wrong secret', async () => {
  const fixture = await WebhookFixture.open()
  after(() => fixture.close())
  const receiver = await fixture.receiver()
  const operator = await fixture.service.newOperator()
  const hook = await fixture.webhook(operator, receiver.url)
  await fixture.market(operator, 'Rain in Zürich?')
  await until(() => receiver.received.length >= 2)
  const first = receiver.received.find(({ event }) => event.sequence === 1)
  assert.ok(first !== undefined)
  const raw = new Uint8Array(first.body)
  const delivery = await readDelivery(hook.secret, raw, first.headers)
  assert.ok(delivery?.eventType === 'MARKET_CREATED')
  assert.equal(delivery.payload.title, 'Rain in Zürich?')
  assert.equal(await readDelivery(secret, raw, first.headers), null)
})
