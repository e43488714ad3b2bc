// Managing webhooks over HTTP. Deliveries are tested in webhooks-delivery.test.ts.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused, assertShape } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { webhookShape } from '../../support/http/shapes.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

const url = 'https://example.com/outcry'

test('a new webhook is active, for all events, with a secret that is shown once', async () => {
  const operator = await OperatorClient.create(service)
  const answer = await operator.request('POST', '/webhooks', { url })
  assert.equal(answer.status, 201)
  const made = answer.body.data
  assertShape(made, webhookShape)
  assert.match(made.secret, /^[0-9a-f]{64}$/)
  assert.deepEqual([made.url, made.events, made.isActive], [url, [], true])
  assert.deepEqual([made.operatorId, made.description], [operator.id, null])
  const [listed, ...others] = await operator.get('/webhooks')
  assert.deepEqual(others, [])
  assertShape(listed, webhookShape)
  assert.ok(listed.secret.length < 32, 'truncated')
  assert.ok(made.secret.startsWith(listed.secret.slice(0, 4)))
  const { signingSecret: _, ...rest } = made
  assert.deepEqual({ ...listed, secret: '' }, { ...rest, secret: '' })
})

test('events and description are stored and edited; empty events mean all', async () => {
  const operator = await OperatorClient.create(service)
  const events = ['ORDER_MATCHED', 'MARKET_RESOLVED']
  const { id, secret } = await operator.post('/webhooks', { url, events, description: 'mine' })
  const changes = { url: 'https://example.org/', events: [], isActive: false, description: null }
  const edited = await operator.patch(`/webhooks/${id}`, changes)
  assertShape(edited, webhookShape)
  for (const [field, value] of Object.entries(changes)) assert.deepEqual(edited[field], value)
  assert.notEqual(edited.secret, secret)
  assert.deepEqual(await operator.get('/webhooks'), [edited])
  const some = await operator.patch(`/webhooks/${id}`, { events })
  assert.deepEqual([some.events, some.isActive], [events, false])
})

test('invalid fields and URLs that lead to internal addresses are refused', async () => {
  const operator = await OperatorClient.create(service)
  const { id } = await operator.post('/webhooks', { url })
  const wrong: readonly (readonly [string, object])[] = [
    ['url', { url: 'http://example.com/' }],
    ['url', { url: 'ftp://example.com/' }],
    ['url', { url: 'example.com' }],
    ['url', { url: 7 }],
    ['url', { url: 'https://localhost/' }],
    ['url', { url: 'https://127.0.0.1/' }],
    ['url', { url: 'https://10.1.2.3/' }],
    ['url', { url: 'https://192.168.0.1/' }],
    ['url', { url: 'https://169.254.169.254/latest' }],
    ['url', { url: 'https://[::1]/' }],
    ['url', { url: 'https://0x7f000001/' }],
    ['events', { url, events: ['NO_SUCH'] }],
    ['events', { url, events: 'ORDER_MATCHED' }],
    ['description', { url, description: 5 }],
    ['colour', { url, colour: 1 }],
  ]
  for (const [field, body] of wrong) {
    assertRefused(await operator.request('POST', '/webhooks', body), 'VALIDATION_ERROR', field)
    assertRefused(
      await operator.request('PATCH', `/webhooks/${id}`, body),
      'VALIDATION_ERROR',
      field,
    )
  }
  assertRefused(await operator.request('POST', '/webhooks', {}), 'VALIDATION_ERROR', 'url')
  const secret = await operator.request('PATCH', `/webhooks/${id}`, { secret: '0'.repeat(64) })
  assertRefused(secret, 'VALIDATION_ERROR', 'secret')
  assert.equal((await operator.get('/webhooks')).length, 1)
})

test('a deleted webhook is not found', async () => {
  const operator = await OperatorClient.create(service)
  const { id } = await operator.post('/webhooks', { url })
  const { message } = await operator.delete(`/webhooks/${id}`)
  assert.equal(typeof message, 'string')
  assert.deepEqual(await operator.get('/webhooks'), [])
  assertRefused(await operator.request('DELETE', `/webhooks/${id}`), 'WEBHOOK_NOT_FOUND')
  assertRefused(await operator.request('PATCH', `/webhooks/${id}`, {}), 'WEBHOOK_NOT_FOUND')
  assertRefused(await operator.request('DELETE', '/webhooks/x'), 'WEBHOOK_NOT_FOUND')
})

test('an operator has at most 20 webhooks, and may create one after a deletion', async () => {
  const operator = await OperatorClient.create(service)
  const made: Json[] = []
  for (let at = 0; at < 20; at += 1) made.push(await operator.post('/webhooks', { url }))
  assert.equal(new Set(made.map(({ secret }) => secret)).size, 20)
  assertRefused(await operator.request('POST', '/webhooks', { url }), 'WEBHOOK_LIMIT')
  await operator.delete(`/webhooks/${made[0].id}`)
  assert.equal((await operator.request('POST', '/webhooks', { url })).status, 201)
})
