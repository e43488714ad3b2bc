// The body, the id, the headers and the signature of a delivery.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Event } from '../../core/events/events.ts'
import { deliveryId, deliveryOf, headersOf, pingOf } from './delivery.ts'
import { signatureOf } from './sign.ts'

const webhookId = '019a8a30-1c00-7000-8000-0000000000aa'
const event: Event = {
  id: '019a8a30-1c00-7000-8000-000000000001',
  operatorId: '019a8a30-1c00-7000-8000-000000000002',
  sequence: 1_042,
  eventType: 'MARKET_STATUS_CHANGED',
  marketId: '019a8a30-1c00-7000-8000-000000000003',
  createdAt: Date.UTC(2026, 0, 1, 12, 0, 0, 7),
  payload: {
    marketId: '019a8a30-1c00-7000-8000-000000000003',
    operatorId: '019a8a30-1c00-7000-8000-000000000002',
    previousStatus: 'OPEN',
    status: 'SUSPENDED',
    reason: 'Blitz ⚡ über 東京 \u2028 "quoted"',
    timestamp: Date.UTC(2026, 0, 1, 12, 0, 0, 7),
  },
}

describe('a delivery', () => {
  test('has the fields of the event, in the order of the contract, and no others', () => {
    const { body, id } = deliveryOf(webhookId, event)
    const message = JSON.parse(Buffer.from(body).toString('utf8'))
    const { sequence, eventType, marketId, operatorId, payload } = event
    const timestamp = '2026-01-01T12:00:00.007Z'
    const expected = { id, sequence, eventType, marketId, operatorId, payload, timestamp }
    assert.deepEqual(message, expected)
    assert.deepEqual(Object.keys(message), Object.keys(expected))
  })

  test('has an id that depends only on its webhook and its event', () => {
    // Computed with Python: uuid.uuid5(uuid.UUID(webhookId), '1042').
    assert.equal(deliveryId(webhookId, 1_042), 'ededa9d9-734b-5646-8bbe-2e122ccb0ce7')
    assert.equal(deliveryOf(webhookId, event).id, deliveryOf(webhookId, { ...event }).id)
    const others = [deliveryId(webhookId, 1_043), deliveryId(webhookId.replace('aa', 'ab'), 1_042)]
    assert.equal(new Set([deliveryId(webhookId, 1_042), ...others]).size, 3)
  })

  test('is signed over its exact bytes, with the text of the secret as the key', () => {
    const secret = 'ab'.repeat(32)
    const { body } = deliveryOf(webhookId, event)
    // Computed with Python: hmac.new(secret, body, 'sha256').hexdigest().
    const expected = 'sha256=6536d07d1720c3951d5ced8350255aa08a9adf87e473d788efec6ec9b215d8db'
    assert.equal(signatureOf(body, secret), expected)
    assert.notEqual(signatureOf(body, secret.toUpperCase()), expected)
  })

  test('has the headers of the contract, with the time of the attempt in whole seconds', () => {
    const delivery = deliveryOf(webhookId, event)
    const secret = 'some secret'
    const headers = headersOf(delivery, { secrets: [secret], now: 1_767_268_800_999 })
    assert.deepEqual(headers, {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.from(delivery.body).length),
      'User-Agent': 'Outcry',
      'X-Webhook-Id': delivery.id,
      'X-Webhook-Event': 'MARKET_STATUS_CHANGED',
      'X-Webhook-Timestamp': '1767268800',
      'X-Webhook-Signature': signatureOf(delivery.body, secret),
      'webhook-id': delivery.id,
      'webhook-timestamp': '1767268800',
      // Computed with Python: base64 of hmac.new(secret, id + '.' + time + '.' + body, 'sha256').
      'webhook-signature': 'v1,XuBvcdKs54AuVodS8Gq+MgWpJib9FeI8Ni3FOmN8DmI=',
    })
  })
})

test('a test delivery is about no market and has sequence 0 and a random id', () => {
  const { body, id } = pingOf(event.operatorId, event.createdAt)
  assert.deepEqual(JSON.parse(Buffer.from(body).toString()), {
    id,
    sequence: 0,
    eventType: 'PING',
    marketId: null,
    operatorId: event.operatorId,
    payload: {},
    timestamp: '2026-01-01T12:00:00.007Z',
  })
  assert.notEqual(pingOf(event.operatorId, event.createdAt).id, id)
})

describe('a CloudEvent', () => {
  test('has the attributes of CloudEvents 1.0.2, in structured mode', () => {
    const delivery = deliveryOf(webhookId, event, 'CLOUDEVENTS')
    assert.deepEqual(JSON.parse(Buffer.from(delivery.body).toString()), {
      specversion: '1.0',
      id: deliveryId(webhookId, 1_042),
      source: '/operators/019a8a30-1c00-7000-8000-000000000002',
      type: 'outcry.market_status_changed.v1',
      subject: '019a8a30-1c00-7000-8000-000000000003',
      time: '2026-01-01T12:00:00.007Z',
      datacontenttype: 'application/json',
      sequence: '0000000000001042',
      data: event.payload,
    })
    const headers = headersOf(delivery, { secrets: ['secret'], now: 1_767_268_800_999 })
    assert.equal(headers['Content-Type'], 'application/cloudevents+json')
    assert.equal(headers['X-Webhook-Signature'], signatureOf(delivery.body, 'secret'))
  })

  test('about no market has no subject', () => {
    const { body, id } = pingOf(event.operatorId, event.createdAt, 'CLOUDEVENTS')
    const message = JSON.parse(Buffer.from(body).toString())
    assert.ok(!('subject' in message))
    const { type, sequence, data } = message
    assert.deepEqual(
      [message.id, type, sequence, data],
      [...[id, 'outcry.ping.v1', '0000000000000000'], {}],
    )
  })
})
