// Managing webhooks, over HTTP. What they are sent is tested where they are sent from.

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

test('a webhook is created active, for all events, with a secret that is shown once', async () => {
  const house = await OperatorClient.create(service)
  const answer = await house.ask('POST', '/webhooks', { url })
  assert.equal(answer.status, 201)
  const made = answer.body.data
  assertShape(made, webhookShape)
  assert.match(made.secret, /^[0-9a-f]{64}$/)
  assert.deepEqual([made.url, made.events, made.isActive], [url, [], true])
  assert.deepEqual([made.operatorId, made.description], [house.id, null])
  const [listed, ...others] = await house.get('/webhooks')
  assert.deepEqual(others, [])
  assertShape(listed, webhookShape)
  assert.ok(listed.secret.length < 32, 'truncated')
  assert.ok(made.secret.startsWith(listed.secret.slice(0, 4)))
  assert.deepEqual({ ...listed, secret: '' }, { ...made, secret: '' })
})

test('events and description are kept and edited; empty events mean all', async () => {
  const house = await OperatorClient.create(service)
  const events = ['ORDER_MATCHED', 'MARKET_RESOLVED']
  const { id, secret } = await house.post('/webhooks', { url, events, description: 'mine' })
  const changes = { url: 'https://example.org/', events: [], isActive: false, description: null }
  const edited = await house.patch(`/webhooks/${id}`, changes)
  assertShape(edited, webhookShape)
  for (const [field, value] of Object.entries(changes)) assert.deepEqual(edited[field], value)
  assert.notEqual(edited.secret, secret)
  assert.deepEqual(await house.get('/webhooks'), [edited])
  const some = await house.patch(`/webhooks/${id}`, { events })
  assert.deepEqual([some.events, some.isActive], [events, false])
})

test('wrong fields are refused, and so are addresses that lead inside', async () => {
  const house = await OperatorClient.create(service)
  const { id } = await house.post('/webhooks', { url })
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
    assertRefused(await house.ask('POST', '/webhooks', body), 'VALIDATION_ERROR', field)
    assertRefused(await house.ask('PATCH', `/webhooks/${id}`, body), 'VALIDATION_ERROR', field)
  }
  assertRefused(await house.ask('POST', '/webhooks', {}), 'VALIDATION_ERROR', 'url')
  const secret = await house.ask('PATCH', `/webhooks/${id}`, { secret: '0'.repeat(64) })
  assertRefused(secret, 'VALIDATION_ERROR', 'secret')
  assert.equal((await house.get('/webhooks')).length, 1)
})

test('a deleted webhook is gone', async () => {
  const house = await OperatorClient.create(service)
  const { id } = await house.post('/webhooks', { url })
  const { message } = await house.delete(`/webhooks/${id}`)
  assert.equal(typeof message, 'string')
  assert.deepEqual(await house.get('/webhooks'), [])
  assertRefused(await house.ask('DELETE', `/webhooks/${id}`), 'WEBHOOK_NOT_FOUND')
  assertRefused(await house.ask('PATCH', `/webhooks/${id}`, {}), 'WEBHOOK_NOT_FOUND')
  assertRefused(await house.ask('DELETE', '/webhooks/x'), 'WEBHOOK_NOT_FOUND')
})

test('an operator has at most 20, and may have another once one is deleted', async () => {
  const house = await OperatorClient.create(service)
  const made: Json[] = []
  for (let at = 0; at < 20; at += 1) made.push(await house.post('/webhooks', { url }))
  assert.equal(new Set(made.map(({ secret }) => secret)).size, 20)
  assertRefused(await house.ask('POST', '/webhooks', { url }), 'WEBHOOK_LIMIT')
  await house.delete(`/webhooks/${made[0].id}`)
  assert.equal((await house.ask('POST', '/webhooks', { url })).status, 201)
})
