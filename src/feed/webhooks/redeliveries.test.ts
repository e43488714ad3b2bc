// How many redeliveries of a webhook may wait, without a service.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeliveryQueueFixture, delivered } from '../../../test/support/webhooks/delivery-queue.ts'
import { Redeliveries, redeliveriesMax } from './redeliveries.ts'

test('at most 1,000 redeliveries of a webhook wait, over all requests', async () => {
  const fixture = new DeliveryQueueFixture()
  fixture.publish(1_200)
  const { read, expand } = fixture.events
  const redeliveries = new Redeliveries({
    context: fixture.context,
    reads: { events: read, webhookDeliveries: async () => [] },
    operatorNumber: () => 1,
    expand: (_operatorId, row) => expand(row),
    untilLogged: async () => {},
  })
  const webhook = fixture.webhook!
  const request = (fromSequence: number, toSequence: number) =>
    redeliveries.request(webhook, { fromSequence, toSequence })
  assert.equal(redeliveriesMax, 1_000)
  assert.deepEqual(await request(1, 600), { queued: 600 })
  assert.deepEqual(await request(601, 1_001), { waiting: 600 })
  assert.deepEqual(await request(601, 1_000), { queued: 400 })
  assert.deepEqual(await request(1, 1), { waiting: 1_000 })
  assert.deepEqual(await request(1_201, 1_300), { queued: 0 })
  for (let turn = 0; turn < 5; turn += 1) await fixture.answerAll(delivered)
  const left = 1_000 - fixture.attempts.length
  assert.ok(left < 1_000)
  assert.deepEqual(await request(1, 1_000), { waiting: left })
  redeliveries.close()
})
