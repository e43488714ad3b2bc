// The deliveries of one webhook: the order of attempts, retries, concurrency, and the cursor.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settled } from '../../../test/support/process/timing.ts'
import {
  DeliveryQueueFixture,
  delivered,
  failed,
} from '../../../test/support/webhooks/delivery-queue.ts'
import { outstandingMax, retriesMax } from './delivery-queue.ts'

const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)

describe('first attempts', () => {
  test('start in the order of the events, each once', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.answer = () => delivered
    fixture.publish(500)
    await fixture.wake()
    for (let turn = 0; turn < 100 && fixture.queue.outstanding > 0; turn += 1) await settled()
    assert.deepEqual(fixture.sequences, upTo(500))
    assert.equal(fixture.queue.finishedThrough, 500)
  })

  test('run eight at a time from the start, and never more', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.publish(1_000)
    await fixture.wake()
    assert.deepEqual(fixture.sequences, upTo(8))
    for (let turn = 0; turn < 20; turn += 1) {
      await fixture.answerAll(delivered)
      assert.ok(fixture.inFlight <= 8, String(fixture.inFlight))
    }
    assert.equal(fixture.inFlight, 8)
    assert.deepEqual(fixture.sequences, upTo(fixture.sequences.length))
  })

  test("carry the machine's time, also when logical time is ahead of it", async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.timing.leadMs = 3_600_000
    fixture.answer = () => delivered
    fixture.publish(1)
    await fixture.wake()
    const at = fixture.startedAt - 3_600_000
    const { headers } = fixture.arrivals[0]!.request
    assert.equal(headers['X-Webhook-Timestamp'], String(at / 1_000))
    assert.equal(fixture.attempts[0]?.startedAt, at)
  })

  test('continue while other deliveries wait for a retry', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.answer = (sequence) => (sequence % 2 === 0 ? failed : delivered)
    fixture.publish(50)
    await fixture.wake()
    await fixture.timing.pass(1_000)
    assert.deepEqual(fixture.sequences, upTo(50))
  })
})

test('an attempt whose end fails is reported, and releases its slot', async () => {
  const fixture = new DeliveryQueueFixture()
  fixture.recordFailures = 1
  fixture.publish(1)
  await fixture.wake()
  assert.equal(fixture.inFlight, 1)
  await fixture.answerAll(delivered)
  assert.equal(fixture.inFlight, 0)
  assert.deepEqual(fixture.warnings, ['webhook delivery failed'])
})

test('events that cannot be expanded are tried again later, and none is skipped', async () => {
  const fixture = new DeliveryQueueFixture()
  fixture.answer = () => delivered
  fixture.events.expansionFailures = 2
  fixture.publish(3)
  await fixture.wake()
  assert.deepEqual(fixture.sequences, [])
  await fixture.timing.pass(3_000)
  assert.deepEqual(fixture.sequences, upTo(3))
  assert.deepEqual(fixture.warnings, Array(2).fill('webhook backlog not expanded'))
})

describe('a delivery that fails', () => {
  test('is retried after 5 s and after another 30 s, and then lost', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.answer = () => failed
    fixture.publish(1)
    await fixture.wake()
    await fixture.timing.pass(300_000)
    const times = fixture.arrivals.map(({ at }) => at - fixture.startedAt)
    assert.deepEqual(times, [0, 5_000, 35_000])
    assert.deepEqual(
      fixture.attempts.map(({ attempt, status, httpStatus }) => [attempt, status, httpStatus]),
      [
        [1, 'RETRYING', 500],
        [2, 'RETRYING', 500],
        [3, 'FAILED', 500],
      ],
    )
    assert.equal(new Set(fixture.attempts.map(({ id }) => id)).size, 1)
    assert.equal(fixture.queue.finishedThrough, 1)
    assert.deepEqual(fixture.warnings, ['webhook deliveries lost'])
  })

  test('waits from the end of the previous attempt, not from its start', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.publish(1)
    await fixture.wake()
    await fixture.timing.pass(9_000)
    fixture.arrivals[0]!.answer(failed)
    await fixture.timing.pass(4_999)
    assert.equal(fixture.arrivals.length, 1)
    await fixture.timing.pass(1)
    assert.equal(fixture.arrivals.length, 2)
  })

  test('is retried with the same bytes and id, and a new timestamp', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.answer = () => failed
    fixture.publish(1)
    await fixture.wake()
    await fixture.timing.pass(60_000)
    const headers = fixture.arrivals.map(({ request }) => request.headers)
    assert.equal(new Set(headers.map((each) => each['X-Webhook-Id'])).size, 1)
    assert.equal(new Set(fixture.arrivals.map(({ request }) => request.body.toString())).size, 1)
    const times = headers.map((each) => Number(each['X-Webhook-Timestamp']))
    assert.deepEqual(
      times.map((time) => time - times[0]!),
      [0, 5, 35],
    )
  })

  test('is retried on time while others hang, and does not delay new events', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.publish(3)
    await fixture.wake()
    await fixture.timing.pass(10_000)
    await fixture.answerAll(failed)
    await fixture.timing.pass(5_000)
    fixture.publish(2)
    await fixture.wake()
    const times = fixture.arrivals.map(({ at }) => at - fixture.startedAt)
    assert.deepEqual(times, [0, 0, 0, 15_000, 15_000, 15_000, 15_000, 15_000])
    assert.deepEqual(fixture.sequences, [1, 2, 3, 1, 2, 3, 4, 5])
  })

  test('is not retried once an attempt succeeds', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.answer = () => (fixture.arrivals.length === 1 ? failed : delivered)
    fixture.publish(1)
    await fixture.wake()
    await fixture.timing.pass(300_000)
    assert.deepEqual(
      fixture.attempts.map(({ status }) => status),
      ['RETRYING', 'DELIVERED'],
    )
  })

  test('is lost after three attempts that the service itself failed to start', async () => {
    const fixture = new DeliveryQueueFixture()
    Object.defineProperty(fixture, 'secret', {
      get: () => {
        throw new Error('encrypted with another key')
      },
    })
    fixture.publish(1)
    await fixture.wake()
    await fixture.timing.pass(300_000)
    assert.equal(fixture.attempts.length, 3)
    assert.equal(fixture.queue.finishedThrough, 1)
    assert.ok(fixture.warnings.includes('webhook attempt not started'))
  })
})

describe('a webhook', () => {
  test('has its cursor before the first unfinished delivery', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.answer = (sequence) => (sequence === 3 ? failed : delivered)
    fixture.publish(20)
    await fixture.wake()
    await fixture.timing.pass(1_000)
    assert.equal(fixture.queue.finishedThrough, 2)
    await fixture.timing.pass(60_000)
    assert.equal(fixture.queue.finishedThrough, 20)
  })

  test('has at most 1,000 unfinished deliveries, and continues when some finish', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.answer = () => failed
    fixture.publish(5_000)
    await fixture.wake()
    for (let turn = 0; turn < 300; turn += 1) {
      await settled()
      assert.ok(fixture.queue.outstanding <= outstandingMax)
    }
    assert.equal(outstandingMax, 1_000)
    assert.equal(fixture.sequences.length, 1_000)
    assert.equal(fixture.queue.finishedThrough, 0)
    fixture.answer = () => delivered
    for (let pass = 0; pass < 100; pass += 1) await fixture.timing.pass(1_000)
    assert.equal(fixture.queue.finishedThrough, 5_000)
    assert.equal(new Set(fixture.sequences).size, 5_000)
  })

  test('keeps about 4 MiB of deliveries in memory, however large its events are', async () => {
    const fixture = new DeliveryQueueFixture({ payloadBytes: 1024 * 1024 })
    fixture.publish(50)
    await fixture.wake()
    assert.equal(fixture.queue.outstanding, 4)
    for (let turn = 0; turn < 50; turn += 1) await fixture.answerAll(delivered)
    assert.equal(fixture.queue.finishedThrough, 50)
  })

  test('whose receiver hangs is limited to few concurrent attempts', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.publish(1_000)
    await fixture.wake()
    for (let turn = 0; turn < 10; turn += 1) await fixture.answerAll(delivered)
    assert.equal(fixture.inFlight, 8)
    for (let turn = 0; turn < 5; turn += 1) {
      await fixture.timing.pass(10_000)
      await fixture.answerAll(failed)
    }
    assert.ok(fixture.inFlight <= 2 + retriesMax, String(fixture.inFlight))
  })

  test('counts the events that expired before delivery', async () => {
    const fixture = new DeliveryQueueFixture({ eventRetentionMs: 60_000 })
    fixture.answer = () => delivered
    fixture.publish(3)
    await fixture.timing.pass(61_000)
    fixture.publish(2)
    await fixture.wake()
    await fixture.timing.pass(0)
    assert.equal(fixture.expired, 3)
    assert.deepEqual(fixture.sequences, [4, 5])
  })

  test('reads its backlog again a second after a read has failed', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.answer = () => delivered
    fixture.events.failures = 2
    fixture.publish(2)
    await fixture.wake()
    await fixture.timing.pass(999)
    assert.equal(fixture.events.reads.length, 1)
    await fixture.timing.pass(1_001)
    assert.deepEqual(fixture.sequences, [1, 2])
  })
})

describe('an edit takes effect before the next attempt', () => {
  test('of the URL and of the secret', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.answer = () => failed
    fixture.publish(1)
    await fixture.wake()
    fixture.webhook = { ...fixture.webhook!, url: 'https://other.example.com/' }
    fixture.secret = 'another'
    fixture.queue.onEdited()
    await fixture.timing.pass(5_000)
    const [first, second] = fixture.arrivals.map(({ request }) => request)
    assert.equal(second?.url, 'https://other.example.com/')
    const signature = 'X-Webhook-Signature'
    assert.notEqual(second?.headers[signature], first?.headers[signature])
  })

  test('of the filter, for waiting retries and for new events', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.answer = () => failed
    fixture.publish(1)
    await fixture.wake()
    fixture.webhook = { ...fixture.webhook!, events: ['ORDER_MATCHED'] }
    fixture.queue.onEdited()
    fixture.events.publish(['ORDER_PLACED', 'ORDER_MATCHED'], fixture.timing.now())
    await fixture.wake()
    await fixture.timing.pass(10_000)
    assert.deepEqual(fixture.sequences, [1, 3, 3])
    assert.equal(fixture.queue.finishedThrough, 2)
  })

  test('of the filter, for events that were loaded with the old one', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.webhook = { ...fixture.webhook!, events: ['ORDER_PLACED'] }
    // More than are read ahead, so that the last ones are still in the loaded page.
    fixture.publish(110)
    fixture.events.publish(['ORDER_MATCHED'])
    fixture.events.publish(['ORDER_PLACED'])
    await fixture.wake()
    fixture.webhook = { ...fixture.webhook, events: [] }
    fixture.queue.onEdited()
    for (let turn = 0; turn < 100; turn += 1) await fixture.answerAll(delivered)
    assert.deepEqual(fixture.sequences, upTo(112))
  })

  test('of a deletion: no further attempt is made', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.answer = () => failed
    fixture.publish(1)
    await fixture.wake()
    fixture.webhook = undefined
    fixture.queue.close()
    fixture.publish(5)
    await fixture.wake()
    await fixture.timing.pass(60_000)
    assert.deepEqual(fixture.sequences, [1])
  })
})

describe('a delivery queue', () => {
  test('that is paused starts no attempt and counts the results of running ones', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.publish(10)
    await fixture.wake()
    fixture.queue.pause()
    fixture.arrivals[0]!.answer(delivered)
    fixture.arrivals[1]!.answer(failed)
    await fixture.timing.pass(60_000)
    assert.deepEqual(fixture.sequences, upTo(8))
    assert.equal(fixture.queue.finishedThrough, 1)
  })

  test('that is closed ignores the results of running attempts', async () => {
    const fixture = new DeliveryQueueFixture()
    fixture.publish(10)
    await fixture.wake()
    fixture.queue.close()
    await fixture.answerAll(failed)
    assert.equal(fixture.queue.finishedThrough, 0)
    assert.equal(fixture.attempts.length, 0)
  })
})
