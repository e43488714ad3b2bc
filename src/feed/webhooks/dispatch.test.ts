// The dispatcher between committed turns and a store: each event is delivered once and in order,
// from memory or from the store.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newExchange } from '../../../test/support/core/exchange.ts'
import { Random } from '../../../test/support/process/random.ts'
import { settled, TestTiming } from '../../../test/support/process/timing.ts'
import { EventRows } from '../../../test/support/store/event-rows.ts'
import type { WebhookRow } from '../../store/store.ts'
import { Dispatcher } from './dispatch.ts'
import { rowsPerOperatorMax } from './recent-events.ts'
import type { AttemptResult } from './webhook-sender.ts'

const operatorNumber = 7
const delivered: AttemptResult = {
  httpStatus: 200,
  error: null,
  response: 'ok',
  retryAfterMs: null,
}

const exchange = newExchange({})
const [marketCreated] = exchange.eventRecords

/** Its receiver goes by its id. */
function webhookRow(id: string): WebhookRow {
  return {
    id,
    operatorId: marketCreated!.operator.id,
    url: `https://example.com/${id}`,
    sealedSecret: '',
    previousSealedSecret: null,
    previousSecretUntil: null,
    events: [],
    retrySchedule: 'STANDARD',
    format: 'OUTCRY',
    isActive: true,
    description: null,
    createdAt: 0,
    updatedAt: 0,
  }
}

class Fixture {
  readonly events = new EventRows()
  readonly timing = new TestTiming()
  readonly webhooks = new Map<string, WebhookRow>()
  readonly cursors = new Map<string, number>()
  /** The sequences of the attempts, by webhook. */
  readonly received = new Map<string, number[]>()
  /** Answers an attempt. */
  answer: () => Promise<AttemptResult> = async () => delivered
  /** Is waited for before the store is read. */
  beforeRead: () => Promise<void> = async () => undefined
  readonly dispatcher: Dispatcher
  #arrived = 0

  constructor() {
    const { events } = this
    events.bodyOf = () => JSON.stringify(marketCreated!.body)
    this.dispatcher = new Dispatcher({
      webhooks: {
        all: () => this.webhooks.values(),
        find: (id) => this.webhooks.get(id),
        secretsOf: () => ['secret'],
        isOperatorActive: () => true,
        operatorNumber: () => operatorNumber,
        deactivate: async () => undefined,
      },
      cursors: {
        all: async () =>
          Array.from(this.cursors, ([webhookId, eventSequence]) => ({ webhookId, eventSequence })),
        save: async () => undefined,
        delete: async () => undefined,
      },
      attempts: { add: async () => undefined },
      reads: {
        events: async (query) => {
          await this.beforeRead()
          return events.read(query)
        },
        webhookDeliveries: async () => [],
        webhookLogStates: async ({ webhookIds, minute }) =>
          webhookIds.map((webhookId) => ({
            ...{ webhookId, minute, number: 0 },
            ...{ delivered: 0, failed: 0 },
          })),
      },
      readsFor: () => ({ webhookAttempts: async () => ({ rows: [], hasMore: false }) }),
      ids: exchange.core.ids,
      isOwner: () => true,
      sender: {
        attempt: ({ url, body }) => {
          const { sequence } = JSON.parse(Buffer.from(body).toString())
          this.sequencesOf(new URL(url).pathname.slice(1)).push(sequence)
          return this.answer()
        },
        close: () => undefined,
      },
      timing: this.timing,
      eventRetentionMs: Number.POSITIVE_INFINITY,
      log: { warn: () => undefined },
      reportFailure: (_edge, _event, { error }) => {
        throw error
      },
      metrics: { webhookAttempt: () => undefined, webhookExpired: () => undefined },
    })
  }

  /** Stores events, each in a row of its own. */
  store(count: number): void {
    for (let at = 0; at < count; at += 1) this.events.publish(['MARKET_CREATED'], exchange.now)
  }

  /** The dispatcher hears of the next stored rows. */
  arrive(count = Number.POSITIVE_INFINITY): void {
    const rows = this.events.rows.slice(this.#arrived, this.#arrived + count)
    this.#arrived += rows.length
    this.dispatcher.onCommitted(rows.map((row) => ({ ...row, operatorNumber })))
  }

  commit(count: number): void {
    this.store(count)
    this.arrive()
  }

  async activate(id: string): Promise<void> {
    this.webhooks.set(id, webhookRow(id))
    await this.dispatcher.onWebhookChanged(id)
  }

  async delete(id: string): Promise<void> {
    this.webhooks.delete(id)
    await this.dispatcher.onWebhookChanged(id)
  }

  sequencesOf(id: string): number[] {
    const sequences = this.received.get(id) ?? []
    this.received.set(id, sequences)
    return sequences
  }

  /** Until everything that is stored is delivered. */
  async end(id: string): Promise<void> {
    this.arrive()
    for (let turn = 0; turn < 1_000; turn += 1) {
      await this.timing.pass(100)
      if (this.sequencesOf(id).at(-1) === this.events.head) return
    }
  }
}

const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at)
const [one, other] = [
  '01890000-0000-7000-8000-0000000000aa',
  '01890000-0000-7000-8000-0000000000bb',
]

describe('a webhook', () => {
  test('that keeps up is served from memory', async () => {
    const fixture = new Fixture()
    fixture.commit(5)
    await fixture.activate(one)
    const reads = fixture.events.reads.length
    for (let turn = 0; turn < 2 * rowsPerOperatorMax; turn += 20) {
      fixture.commit(20)
      await settled()
    }
    await fixture.end(one)
    assert.deepEqual(fixture.sequencesOf(one), from(6, fixture.events.head))
    assert.equal(fixture.events.reads.length, reads)
  })

  test('that falls behind is served from the store until it has caught up', async () => {
    const fixture = new Fixture()
    await fixture.activate(one)
    const reads = fixture.events.reads.length
    fixture.commit(3 * rowsPerOperatorMax)
    await fixture.end(one)
    assert.deepEqual(fixture.sequencesOf(one), from(1, fixture.events.head))
    const behind = fixture.events.reads.slice(reads).map(({ since }) => since)
    assert.ok(behind.length > 10, String(behind.length))
    assert.ok(behind.every((since) => since < 2 * rowsPerOperatorMax))
  })

  test('that was stored before continues at its cursor, from the store', async () => {
    const fixture = new Fixture()
    fixture.store(10)
    fixture.webhooks.set(one, webhookRow(one))
    fixture.cursors.set(one, 4)
    await fixture.dispatcher.start()
    await settled()
    assert.deepEqual(fixture.sequencesOf(one), from(5, 10))
  })

  // The store has the events of a turn a little before the dispatcher hears of it.
  test('misses no stored event that has not arrived yet', async () => {
    const fixture = new Fixture()
    fixture.store(8)
    fixture.arrive()
    fixture.store(2)
    fixture.webhooks.set(one, webhookRow(one))
    fixture.cursors.set(one, 8)
    // The head is read, and then no page.
    fixture.beforeRead = async () => {
      if (fixture.events.reads.length === 1) fixture.events.failures = 1
    }
    await fixture.dispatcher.start()
    await settled()
    fixture.arrive(1)
    await fixture.timing.pass(1_000)
    assert.deepEqual(fixture.sequencesOf(one), [9, 10])
    fixture.commit(1)
    await settled()
    assert.deepEqual(fixture.sequencesOf(one), [9, 10, 11])
  })

  test('that replaces a deleted one has the events since its own creation', async () => {
    const fixture = new Fixture()
    await fixture.activate(one)
    fixture.commit(5)
    await fixture.end(one)
    await fixture.delete(one)
    fixture.commit(5)
    await fixture.activate(other)
    fixture.commit(5)
    await fixture.end(other)
    assert.deepEqual(fixture.sequencesOf(one), from(1, 5))
    assert.deepEqual(fixture.sequencesOf(other), from(11, 15))
  })
})

for (const seed of from(1, 5)) {
  test(`each event is delivered once and in order, whatever waits (seed ${seed})`, async () => {
    const random = new Random(seed)
    const fixture = new Fixture()
    const pause = async () => {
      for (let at = random.between(0, 3); at > 0; at -= 1) await new Promise(setImmediate)
    }
    fixture.beforeRead = pause
    fixture.answer = async () => {
      await pause()
      return delivered
    }
    fixture.store(random.between(10, 100))
    fixture.arrive(fixture.events.head - random.between(0, 5))
    const cursor = fixture.events.head - random.between(0, 10)
    fixture.webhooks.set(one, webhookRow(one))
    fixture.cursors.set(one, cursor)
    const starting = fixture.dispatcher.start()
    for (let turn = 0; turn < 40; turn += 1) {
      fixture.store(random.between(0, random.chance(5) ? 2 * rowsPerOperatorMax : 50))
      await pause()
      fixture.arrive(random.between(0, 100))
      if (turn > 1 && random.chance(10)) fixture.events.failures = 1
      if (random.chance(20)) await fixture.timing.pass(1_000)
    }
    await starting
    await fixture.end(one)
    assert.deepEqual(fixture.sequencesOf(one), from(cursor + 1, fixture.events.head))
  })
}
