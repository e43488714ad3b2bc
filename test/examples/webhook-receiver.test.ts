// The webhook-receiver example accepts real deliveries only, and the example delivery in
// docs/protocol/webhooks.md is what the service would send.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { deliveryId } from '../../src/feed/webhooks/delivery.ts'
import { signatureOf } from '../../src/feed/webhooks/sign.ts'
import { Receiver, until } from '../support/webhooks/receiver.ts'
import { isSigned, WebhookFixture } from '../support/webhooks/webhook-fixture.ts'

const root = `${import.meta.dirname}/../..`

async function freePort(): Promise<number> {
  const receiver = await Receiver.open()
  const { port } = receiver
  await receiver.close()
  return port
}

test('the webhook-receiver example handles each signed delivery once and no others', async () => {
  const fixture = await WebhookFixture.open()
  after(() => fixture.close())
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const operator = await fixture.service.newOperator()
  const { id, secret } = await fixture.webhook(operator, url)
  const receiver = spawn(process.execPath, [`${root}/examples/webhook-receiver.ts`], {
    env: { ...process.env, SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(async () => {
    receiver.kill()
    await once(receiver, 'exit')
  })
  let printed = ''
  receiver.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  await until(() => printed.includes('listening'))
  await fixture.market(operator)
  await until(() => printed.includes('2 MARKET_STATUS_CHANGED'))
  assert.match(printed, /1 MARKET_CREATED/)

  const body = '{"sequence":99,"eventType":"ORDER_PLACED"}'
  for (const signature of ['', 'sha256=', signatureOf(Buffer.from(body), 'another')]) {
    const headers = { 'x-webhook-signature': signature }
    assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 401)
  }
  for (let turn = 0; turn < 2; turn += 1) {
    const headers = { 'x-webhook-signature': signatureOf(Buffer.from(body), secret) }
    assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 204)
  }
  const tested = await fixture.request('POST', `/api/v1/webhooks/${id}/test`, operator)
  assert.equal(tested.body.data.status, 'DELIVERED')
  await until(() => printed.includes('0 PING'))
  assert.equal(printed.match(/99 ORDER_PLACED/g)?.length, 1)
})

describe('the example delivery in docs/protocol/webhooks.md', () => {
  const page = readFileSync(`${root}/docs/protocol/webhooks.md`, 'utf8')
  const blocks = [...page.matchAll(/```(?:text|json)\n(.*?)\n```/gs)].map(([, text]) => text!)
  const [secret = '', body = '', signature = ''] = blocks
  const [, webhookId = ''] = /The webhook `(.*?)`/.exec(page) ?? []

  test('has the signature that the service computes', () => {
    assert.match(secret, /^[0-9a-f]{64}$/)
    assert.equal(signatureOf(Buffer.from(body), secret), signature)
    assert.ok(isSigned(Buffer.from(body), signature, secret))
    assert.ok(page.includes(`${Buffer.from(body).length} bytes`))
  })

  test('has the fields and the id of a delivery', () => {
    const delivery = JSON.parse(body)
    const fields = ['id', 'sequence', 'eventType', 'marketId', 'operatorId', 'payload', 'timestamp']
    assert.deepEqual(Object.keys(delivery), fields)
    assert.equal(delivery.id, deliveryId(webhookId, delivery.sequence))
  })
})
