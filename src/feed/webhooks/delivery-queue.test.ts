// One webhook: the order of its attempts, when they are repeated, how many there are at once, and
// where it stands.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settled } from '../../../test/support/process/timing.ts'
import {
  broken,
  DeliveryQueueFixture,
  delivered,
} from '../../../test/support/webhooks/delivery-queue.ts'
import { outstandingMax, repeatsMax } from './delivery-queue.ts'

const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)

describe('first attempts', () => {
  test('start in the order of the events, each once', async () => {
    const scene = new DeliveryQueueFixture()
    scene.answer = () => delivered
    scene.publish(500)
    await scene.wake()
    for (let turn = 0; turn < 100 && scene.queue.outstanding > 0; turn += 1) await settled()
    assert.deepEqual(scene.sequences, upTo(500))
    assert.equal(scene.queue.finishedThrough, 500)
  })

  test('are eight at once from the beginning, and never more', async () => {
    const scene = new DeliveryQueueFixture()
    scene.publish(1_000)
    await scene.wake()
    assert.deepEqual(scene.sequences, upTo(8))
    for (let turn = 0; turn < 20; turn += 1) {
      await scene.answerAll(delivered)
      assert.ok(scene.underWay <= 8, String(scene.underWay))
    }
    assert.equal(scene.underWay, 8)
    assert.deepEqual(scene.sequences, upTo(scene.sequences.length))
  })

  test('go on while others wait for their next attempt', async () => {
    const scene = new DeliveryQueueFixture()
    scene.answer = (sequence) => (sequence % 2 === 0 ? broken : delivered)
    scene.publish(50)
    await scene.wake()
    await scene.timing.pass(1_000)
    assert.deepEqual(scene.sequences, upTo(50))
  })
})

describe('a delivery that fails', () => {
  test('is attempted again after 5 s and after 30 s more, and then lost', async () => {
    const scene = new DeliveryQueueFixture()
    scene.answer = () => broken
    scene.publish(1)
    await scene.wake()
    await scene.timing.pass(300_000)
    const times = scene.arrivals.map(({ at }) => at - scene.startedAt)
    assert.deepEqual(times, [0, 5_000, 35_000])
    assert.deepEqual(
      scene.attempts.map(({ attempt, status, httpStatus }) => [attempt, status, httpStatus]),
      [
        [1, 'RETRYING', 500],
        [2, 'RETRYING', 500],
        [3, 'FAILED', 500],
      ],
    )
    assert.equal(new Set(scene.attempts.map(({ id }) => id)).size, 1)
    assert.equal(scene.queue.finishedThrough, 1)
    assert.deepEqual(scene.warnings, ['webhook deliveries lost'])
  })

  test('waits from the end of the attempt before, not from its start', async () => {
    const scene = new DeliveryQueueFixture()
    scene.publish(1)
    await scene.wake()
    await scene.timing.pass(9_000)
    scene.arrivals[0]!.answer(broken)
    await scene.timing.pass(4_999)
    assert.equal(scene.arrivals.length, 1)
    await scene.timing.pass(1)
    assert.equal(scene.arrivals.length, 2)
  })

  test('sends the same bytes under the same id, with a time of its own', async () => {
    const scene = new DeliveryQueueFixture()
    scene.answer = () => broken
    scene.publish(1)
    await scene.wake()
    await scene.timing.pass(60_000)
    const headers = scene.arrivals.map(({ posting }) => posting.headers)
    assert.equal(new Set(headers.map((each) => each['X-Webhook-Id'])).size, 1)
    assert.equal(new Set(scene.arrivals.map(({ posting }) => posting.body.toString())).size, 1)
    const times = headers.map((each) => Number(each['X-Webhook-Timestamp']))
    assert.deepEqual(
      times.map((time) => time - times[0]!),
      [0, 5, 35],
    )
  })

  test('is attempted in time beside others that hang, and holds up none that are new', async () => {
    const scene = new DeliveryQueueFixture()
    scene.publish(3)
    await scene.wake()
    await scene.timing.pass(10_000)
    await scene.answerAll(broken)
    await scene.timing.pass(5_000)
    scene.publish(2)
    await scene.wake()
    const times = scene.arrivals.map(({ at }) => at - scene.startedAt)
    assert.deepEqual(times, [0, 0, 0, 15_000, 15_000, 15_000, 15_000, 15_000])
    assert.deepEqual(scene.sequences, [1, 2, 3, 1, 2, 3, 4, 5])
  })

  test('is over once an attempt succeeds', async () => {
    const scene = new DeliveryQueueFixture()
    scene.answer = () => (scene.arrivals.length === 1 ? broken : delivered)
    scene.publish(1)
    await scene.wake()
    await scene.timing.pass(300_000)
    assert.deepEqual(
      scene.attempts.map(({ status }) => status),
      ['RETRYING', 'DELIVERED'],
    )
  })

  test('is over when the service itself cannot make the attempt', async () => {
    const scene = new DeliveryQueueFixture()
    Object.defineProperty(scene, 'secret', {
      get: () => {
        throw new Error('sealed with another key')
      },
    })
    scene.publish(1)
    await scene.wake()
    await scene.timing.pass(300_000)
    assert.equal(scene.attempts.length, 3)
    assert.equal(scene.queue.finishedThrough, 1)
    assert.ok(scene.warnings.includes('webhook attempt broken'))
  })
})

describe('a webhook', () => {
  test('stands before the first event that is not over', async () => {
    const scene = new DeliveryQueueFixture()
    scene.answer = (sequence) => (sequence === 3 ? broken : delivered)
    scene.publish(20)
    await scene.wake()
    await scene.timing.pass(1_000)
    assert.equal(scene.queue.finishedThrough, 2)
    await scene.timing.pass(60_000)
    assert.equal(scene.queue.finishedThrough, 20)
  })

  test('has at most 1,000 deliveries outstanding, and goes on when some are over', async () => {
    const scene = new DeliveryQueueFixture()
    scene.answer = () => broken
    scene.publish(5_000)
    await scene.wake()
    for (let turn = 0; turn < 300; turn += 1) {
      await settled()
      assert.ok(scene.queue.outstanding <= outstandingMax)
    }
    assert.equal(outstandingMax, 1_000)
    assert.equal(scene.sequences.length, 1_000)
    assert.equal(scene.queue.finishedThrough, 0)
    scene.answer = () => delivered
    for (let pass = 0; pass < 100; pass += 1) await scene.timing.pass(1_000)
    assert.equal(scene.queue.finishedThrough, 5_000)
    assert.equal(new Set(scene.sequences).size, 5_000)
  })

  test('holds no more than some MiB, however large its events are', async () => {
    const scene = new DeliveryQueueFixture({ payloadBytes: 1024 * 1024 })
    scene.publish(50)
    await scene.wake()
    assert.equal(scene.queue.outstanding, 4)
    for (let turn = 0; turn < 50; turn += 1) await scene.answerAll(delivered)
    assert.equal(scene.queue.finishedThrough, 50)
  })

  test('whose receiver hangs holds few attempts in the end, first and repeated ones', async () => {
    const scene = new DeliveryQueueFixture()
    scene.publish(1_000)
    await scene.wake()
    for (let turn = 0; turn < 10; turn += 1) await scene.answerAll(delivered)
    assert.equal(scene.underWay, 8)
    for (let turn = 0; turn < 5; turn += 1) {
      await scene.timing.pass(10_000)
      await scene.answerAll(broken)
    }
    assert.ok(scene.underWay <= 2 + repeatsMax, String(scene.underWay))
  })

  test('counts the events that expired before it was told of them', async () => {
    const scene = new DeliveryQueueFixture({ eventRetentionMs: 60_000 })
    scene.answer = () => delivered
    scene.publish(3)
    await scene.timing.pass(61_000)
    scene.publish(2)
    await scene.wake()
    await scene.timing.pass(0)
    assert.equal(scene.expired, 3)
    assert.deepEqual(scene.sequences, [4, 5])
  })

  test('reads again a second after a reading has failed', async () => {
    const scene = new DeliveryQueueFixture()
    scene.answer = () => delivered
    scene.told.failures = 2
    scene.publish(2)
    await scene.wake()
    await scene.timing.pass(999)
    assert.equal(scene.told.reads.length, 1)
    await scene.timing.pass(1_001)
    assert.deepEqual(scene.sequences, [1, 2])
  })
})

describe('an edit takes effect before the next attempt', () => {
  test('of the URL and of the secret', async () => {
    const scene = new DeliveryQueueFixture()
    scene.answer = () => broken
    scene.publish(1)
    await scene.wake()
    scene.webhook = { ...scene.webhook!, url: 'https://other.example.com/' }
    scene.secret = 'another'
    scene.queue.edited()
    await scene.timing.pass(5_000)
    const [first, second] = scene.arrivals.map(({ posting }) => posting)
    assert.equal(second?.url, 'https://other.example.com/')
    const signature = 'X-Webhook-Signature'
    assert.notEqual(second?.headers[signature], first?.headers[signature])
  })

  test('of the filter, for what waits and for what comes', async () => {
    const scene = new DeliveryQueueFixture()
    scene.answer = () => broken
    scene.publish(1)
    await scene.wake()
    scene.webhook = { ...scene.webhook!, events: ['ORDER_MATCHED'] }
    scene.queue.edited()
    scene.told.publish(['ORDER_PLACED', 'ORDER_MATCHED'], scene.timing.now())
    await scene.wake()
    await scene.timing.pass(10_000)
    assert.deepEqual(scene.sequences, [1, 3, 3])
    assert.equal(scene.queue.finishedThrough, 2)
  })

  test('of the filter, for what was read by the old one and not taken yet', async () => {
    const scene = new DeliveryQueueFixture()
    scene.webhook = { ...scene.webhook!, events: ['ORDER_PLACED'] }
    // More than are taken ahead: the last of them are read and wait.
    scene.publish(110)
    scene.told.publish(['ORDER_MATCHED'])
    scene.told.publish(['ORDER_PLACED'])
    await scene.wake()
    scene.webhook = { ...scene.webhook, events: [] }
    scene.queue.edited()
    for (let turn = 0; turn < 100; turn += 1) await scene.answerAll(delivered)
    assert.deepEqual(scene.sequences, upTo(112))
  })

  test('of its end: nothing is attempted any more', async () => {
    const scene = new DeliveryQueueFixture()
    scene.answer = () => broken
    scene.publish(1)
    await scene.wake()
    scene.webhook = undefined
    scene.queue.close()
    scene.publish(5)
    await scene.wake()
    await scene.timing.pass(60_000)
    assert.deepEqual(scene.sequences, [1])
  })
})

describe('a stop', () => {
  test('starts nothing new, and counts what is under way', async () => {
    const scene = new DeliveryQueueFixture()
    scene.publish(10)
    await scene.wake()
    scene.queue.pause()
    scene.arrivals[0]!.answer(delivered)
    scene.arrivals[1]!.answer(broken)
    await scene.timing.pass(60_000)
    assert.deepEqual(scene.sequences, upTo(8))
    assert.equal(scene.queue.finishedThrough, 1)
  })

  test('that does not wait any longer counts nothing that comes after it', async () => {
    const scene = new DeliveryQueueFixture()
    scene.publish(10)
    await scene.wake()
    scene.queue.close()
    await scene.answerAll(broken)
    assert.equal(scene.queue.finishedThrough, 0)
    assert.equal(scene.attempts.length, 0)
  })
})
