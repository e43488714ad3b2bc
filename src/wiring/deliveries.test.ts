// The answers of other nodes about webhooks, which may be of an earlier version.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeliveryQueueFixture } from '../../test/support/webhooks/delivery-queue.ts'
import { Feeds } from '../feed/feeds.ts'
import { RoutedDeliveries } from './deliveries.ts'

for (const [answer, shown] of [
  [{ queued: 2 }, { queued: 2, unreadable: 0 }],
  [
    { queued: 2, unreadable: 1 },
    { queued: 2, unreadable: 1 },
  ],
  [{ waiting: 1_000 }, { waiting: 1_000 }],
] as const) {
  test(`a redelivery at another node is answered ${JSON.stringify(answer)}`, async () => {
    const feeds = new Feeds({ shardOf: () => undefined, webhook: () => undefined })
    const registry = { operators: { get: () => undefined } } as never
    const deliveries = new RoutedDeliveries(feeds, { requestOf: async () => answer }, registry)
    const { webhook } = new DeliveryQueueFixture()
    assert.deepEqual(await deliveries.redeliver(webhook!, { failed: true }), shown)
  })
}
