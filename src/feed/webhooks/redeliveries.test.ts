// How many redeliveries of a webhook may wait, and damaged records, without a service.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/support/http/answers.ts'
import { DeliveryQueueFixture, delivered } from '../../../test/support/webhooks/delivery-queue.ts'
import { Redeliveries, type RedeliveryRequest, redeliveriesMax } from './redeliveries.ts'

function redeliveriesOf(fixture: DeliveryQueueFixture, failed: readonly number[] = []) {
  const { read, expand } = fixture.events
  return new Redeliveries({
    context: fixture.context,
    reads: {
      events: read,
      webhookDeliveries: async () =>
        failed.map((sequence) => ({
          ...{ sequence, eventType: 'ORDER_PLACED', status: 'FAILED' as const },
          ...{ attempt: 3, isRedelivery: false, nextAt: null },
        })),
    },
    operatorNumber: () => 1,
    expand: (_operatorId, row) => expand(row),
    untilLogged: async () => {},
  })
}

test('at most 1,000 redeliveries of a webhook wait, over all requests', async () => {
  const fixture = new DeliveryQueueFixture()
  fixture.publish(1_200)
  const redeliveries = redeliveriesOf(fixture)
  const webhook = fixture.webhook!
  const request = (fromSequence: number, toSequence: number) =>
    redeliveries.request(webhook, { fromSequence, toSequence })
  assert.equal(redeliveriesMax, 1_000)
  assert.deepEqual(await request(1, 600), { queued: 600, unreadable: 0 })
  assert.deepEqual(await request(601, 1_001), { waiting: 600 })
  assert.deepEqual(await request(601, 1_000), { queued: 400, unreadable: 0 })
  assert.deepEqual(await request(1, 1), { waiting: 1_000 })
  assert.deepEqual(await request(1_201, 1_300), { queued: 0, unreadable: 0 })
  for (let turn = 0; turn < 5; turn += 1) await fixture.answerAll(delivered)
  const left = 1_000 - fixture.attempts.length
  assert.ok(left < 1_000)
  assert.deepEqual(await request(1, 1_000), { waiting: left })
  redeliveries.close()
})

test('a repeated request queues nothing more, unless the first was refused', async () => {
  const fixture = new DeliveryQueueFixture()
  fixture.publish(1_200)
  const redeliveries = redeliveriesOf(fixture)
  const webhook = fixture.webhook!
  const first = { fromSequence: 1, toSequence: 600, requestId: 'first' }
  const same = { queued: 600, unreadable: 0 }
  const together = [redeliveries.request(webhook, first), redeliveries.request(webhook, first)]
  assert.deepEqual(await Promise.all(together), [same, same])
  assert.deepEqual(await redeliveries.request(webhook, first), same)
  const other = { fromSequence: 601, toSequence: 1_200, requestId: 'other' }
  assert.deepEqual(await redeliveries.request(webhook, other), { waiting: 600 })
  for (let turn = 0; turn < 150; turn += 1) await fixture.answerAll(delivered)
  assert.deepEqual(await redeliveries.request(webhook, other), same)
  assert.equal(new Set(fixture.sequences).size, fixture.sequences.length, 'each once')
  redeliveries.close()
})

test('events of damaged records are left out and counted, and hold up no others', async () => {
  const fixture = new DeliveryQueueFixture()
  fixture.answer = () => delivered
  fixture.publish(2)
  fixture.events.bodyOf = () => 'damaged'
  fixture.events.publish(['ORDER_PLACED', 'ORDER_MATCHED', 'POSITION_UPDATED'])
  fixture.events.bodyOf = JSON.stringify
  fixture.publish(2)
  const redeliveries = redeliveriesOf(fixture, [1, 3, 4, 7])
  const webhook = fixture.webhook!
  const queuedOf = async (request: RedeliveryRequest) => {
    fixture.arrivals.length = 0
    const answer = await redeliveries.request(webhook, request)
    await until(
      async () => fixture.arrivals.length,
      (count) => 'queued' in answer && count === answer.queued,
    )
    return { answer, sequences: fixture.sequences }
  }
  assert.deepEqual(await queuedOf({ fromSequence: 2, toSequence: 6 }), {
    answer: { queued: 2, unreadable: 3 },
    sequences: [2, 6],
  })
  assert.deepEqual(await queuedOf({ fromSequence: 4, toSequence: 4 }), {
    answer: { queued: 0, unreadable: 1 },
    sequences: [],
  })
  assert.deepEqual(await queuedOf({ failed: true }), {
    answer: { queued: 2, unreadable: 2 },
    sequences: [1, 7],
  })
  const line = 'events of a redelivery cannot be read'
  assert.deepEqual(fixture.warnings, [line, line, line])
  redeliveries.close()
})
