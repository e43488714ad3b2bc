// What a store guarantees for the log of delivery attempts.

import assert from 'node:assert/strict'
import {
  type AttemptRow,
  attemptsPerWebhookMax,
  type WebhookMinute,
} from '../../src/store/webhook-log-store.ts'
import { webhook } from './registry-tests.ts'
import { owner } from './sample-rows.ts'
import type { StoreFixture, StoreTests } from './store-fixture.ts'

const webhookId = webhook.id
const operatorNumber = owner
const startedAt = 1_767_225_600_000

function attempt(number: number, changes: Partial<AttemptRow> = {}): AttemptRow {
  return {
    webhookId,
    number,
    deliveryId: `delivery-${number}`,
    sequence: number,
    eventType: 'ORDER_MATCHED',
    attempt: 1,
    isRedelivery: false,
    status: 'DELIVERED',
    httpStatus: 200,
    error: null,
    response: 'ok',
    durationMs: 12,
    startedAt: startedAt + number,
    nextAt: null,
    ...changes,
  }
}

const attempts = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => attempt(from + at))

function minute(at: number, delivered: number, failed: number): WebhookMinute {
  return { webhookId, minute: at, delivered, failed }
}

async function numbers({ shard }: StoreFixture, of = webhookId): Promise<number[]> {
  const query = { operatorNumber, webhookId: of, before: null, limit: 20_000 }
  const { rows } = await shard.reads.webhookAttempts(query)
  return rows.map(({ number }) => number)
}

const prune = (fixture: StoreFixture, before: number, atMost = 1_000) =>
  fixture.shard.prune({ eventsBefore: 0, batchesBefore: 0, attemptsBefore: before, atMost })

export const webhookLogTests: StoreTests = {
  'attempts are read newest first, in pages, with every field, also after a restart': async (
    fixture,
  ) => {
    const failed = attempt(3, {
      eventType: 'PING',
      sequence: 0,
      attempt: 7,
      isRedelivery: true,
      status: 'RETRYING',
      httpStatus: null,
      error: 'The connection failed.',
      response: null,
      nextAt: startedAt + 36_000_000,
    })
    await fixture.shard.webhookLog.add({ attempts: [...attempts(1, 2), failed], minutes: [] })
    const other = attempt(1, { webhookId: 'webhook-2' })
    await fixture.shard.webhookLog.add({ attempts: [other], minutes: [] })
    await fixture.reopen()
    const page = { operatorNumber, webhookId, before: null, limit: 2 }
    const first = await fixture.shard.reads.webhookAttempts(page)
    assert.deepEqual(first, { rows: [failed, attempt(2)], hasMore: true })
    const second = await fixture.shard.reads.webhookAttempts({ ...page, before: 2 })
    assert.deepEqual(second, { rows: [attempt(1)], hasMore: false })
  },

  'adding attempts again changes nothing': async (fixture) => {
    const batch = { attempts: attempts(1, 3), minutes: [minute(100, 3, 0)] }
    for (let time = 0; time < 2; time += 1) await fixture.shard.webhookLog.add(batch)
    assert.deepEqual(await numbers(fixture), [3, 2, 1])
    const health = { operatorNumber, webhookIds: [webhookId], since: 0 }
    assert.deepEqual(await fixture.shard.reads.webhookHealth(health), [
      { webhookId, delivered: 3, failed: 0 },
    ])
  },

  'a webhook keeps its latest 10,000 attempts': async (fixture) => {
    const { webhookLog } = fixture.shard
    assert.equal(attemptsPerWebhookMax, 10_000)
    for (let from = 1; from <= 10_000; from += 500) {
      await webhookLog.add({ attempts: attempts(from, from + 499), minutes: [] })
    }
    await webhookLog.add({ attempts: attempts(10_001, 10_007), minutes: [] })
    const kept = await numbers(fixture)
    assert.deepEqual([kept.length, kept[0], kept.at(-1)], [10_000, 10_007, 8])
  },

  'a log goes on after its last attempt and with the counts of its minute': async (fixture) => {
    const minutes = [minute(99, 1, 1), minute(100, 2, 3)]
    await fixture.shard.webhookLog.add({ attempts: attempts(1, 7), minutes })
    const read = (at: number) =>
      fixture.shard.reads.webhookLogStates({ webhookIds: [webhookId, 'none'], minute: at })
    const none = { webhookId: 'none', number: 0, delivered: 0, failed: 0 }
    assert.deepEqual(await read(100), [
      { ...minute(100, 2, 3), number: 7 },
      { ...none, minute: 100 },
    ])
    assert.deepEqual(await read(101), [
      { ...minute(101, 0, 0), number: 7 },
      { ...none, minute: 101 },
    ])
  },

  'the attempts of the last hour are counted by webhook': async (fixture) => {
    const { reads, webhookLog } = fixture.shard
    const others = { ...minute(100, 5, 0), webhookId: 'webhook-2' }
    for (const each of [minute(39, 1, 1), minute(41, 4, 1), minute(100, 2, 3), others]) {
      await webhookLog.add({ attempts: [], minutes: [each] })
    }
    const ids = [webhookId, 'webhook-2', 'webhook-3']
    const query = { operatorNumber, webhookIds: ids, since: 41 }
    const counted = (await reads.webhookHealth(query)).toSorted((a, b) =>
      a.webhookId.localeCompare(b.webhookId),
    )
    assert.deepEqual(counted, [
      { webhookId, delivered: 6, failed: 4 },
      { webhookId: 'webhook-2', delivered: 5, failed: 0 },
    ])
    assert.deepEqual(await reads.webhookHealth({ ...query, since: 101 }), [])
    // The minutes that no longer count are deleted.
    const all = await reads.webhookHealth({ ...query, webhookIds: [webhookId], since: 0 })
    assert.deepEqual(all, [{ webhookId, delivered: 6, failed: 4 }])
  },

  'the state of a delivery is that of its last attempt, but for a redelivery that failed': async (
    fixture,
  ) => {
    const of = (
      sequence: number,
      status: AttemptRow['status'],
      more: Partial<AttemptRow> = {},
    ) => ({
      sequence,
      status,
      ...more,
    })
    const rows = [
      of(1, 'RETRYING', { nextAt: 5 }),
      of(2, 'FAILED', { attempt: 3 }),
      of(1, 'RETRYING', { attempt: 2, nextAt: 9 }),
      of(3, 'FAILED', { attempt: 3 }),
      of(0, 'FAILED', { eventType: 'PING' }),
      of(3, 'DELIVERED', { isRedelivery: true }),
      of(1, 'FAILED', { isRedelivery: true }),
      of(4, 'FAILED', { isRedelivery: true }),
      of(3, 'FAILED', { isRedelivery: true }),
    ]
    const attempts = rows.map((changes, at) => attempt(at + 1, changes))
    await fixture.shard.webhookLog.add({ attempts, minutes: [] })
    const read = (after: number) =>
      fixture.shard.reads.webhookDeliveries({ operatorNumber, webhookId, after })
    const states = await read(0)
    const about = { eventType: 'ORDER_MATCHED', isRedelivery: false, nextAt: null }
    assert.deepEqual(states, [
      { ...about, sequence: 1, status: 'RETRYING', attempt: 2, nextAt: 9 },
      { ...about, sequence: 2, status: 'FAILED', attempt: 3 },
      { ...about, sequence: 3, status: 'DELIVERED', attempt: 1, isRedelivery: true },
      { ...about, sequence: 4, status: 'FAILED', attempt: 1, isRedelivery: true },
    ])
    assert.deepEqual(await read(2), states.slice(2))
  },

  'old attempts are deleted in slices, and all of a deleted webhook': async (fixture) => {
    await fixture.store.registry.webhooks.put(webhook)
    const gone = attempts(1, 5).map((each) => ({ ...each, webhookId: 'webhook-9' }))
    const minutes = [{ ...minute(100, 5, 0), webhookId: 'webhook-9' }]
    await fixture.shard.webhookLog.add({ attempts: [...attempts(1, 6), ...gone], minutes })
    assert.deepEqual(await prune(fixture, startedAt + 4, 2), { hasMore: true })
    assert.deepEqual(await numbers(fixture), [6, 5, 4, 3])
    while ((await prune(fixture, startedAt + 4, 2)).hasMore);
    assert.deepEqual(await numbers(fixture), [6, 5, 4])
    assert.deepEqual(await numbers(fixture, 'webhook-9'), [])
    const query = { operatorNumber, webhookIds: ['webhook-9'], since: 0 }
    assert.deepEqual(await fixture.shard.reads.webhookHealth(query), [])
  },
}
