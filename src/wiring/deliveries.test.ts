// The answers of other nodes about webhooks, which may be of an earlier version.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeliveryQueueFixture } from '../../test/support/webhooks/delivery-queue.ts'
import { lostResponse } from '../cluster/link/link-client.ts'
import { CommitUnknown, Unavailable } from '../engine/commands.ts'
import { Feeds } from '../feed/feeds.ts'
import { RoutedDeliveries } from './deliveries.ts'

const { webhook } = new DeliveryQueueFixture()

function routed(answer: unknown): RoutedDeliveries {
  const feeds = new Feeds({ shardOf: () => undefined, webhook: () => undefined })
  const registry = { operators: { get: () => undefined } } as never
  return new RoutedDeliveries(feeds, { requestOf: async () => answer }, registry)
}

test('the outcome of a redelivery or a test is unknown if the link to the node broke', async () => {
  const lost = routed(lostResponse)
  await assert.rejects(lost.redeliver(webhook!, { failed: true }), CommitUnknown)
  await assert.rejects(lost.test(webhook!), CommitUnknown)
  await assert.rejects(lost.attempts(webhook!, { before: null, limit: 1 }), Unavailable)
  await assert.rejects(routed(undefined).redeliver(webhook!, { failed: true }), Unavailable)
})

for (const [answer, shown] of [
  [{ queued: 2 }, { queued: 2, unreadable: 0 }],
  [
    { queued: 2, unreadable: 1 },
    { queued: 2, unreadable: 1 },
  ],
  [{ waiting: 1_000 }, { waiting: 1_000 }],
] as const) {
  test(`a redelivery at another node is answered ${JSON.stringify(answer)}`, async () => {
    assert.deepEqual(await routed(answer).redeliver(webhook!, { failed: true }), shown)
  })
}
