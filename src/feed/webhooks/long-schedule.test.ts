// A webhook with the schedule LONG: waits of hours, restarts, and receivers that are gone.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settled } from '../../../test/support/process/timing.ts'
import {
  DeliveryQueueFixture,
  delivered,
  failed,
} from '../../../test/support/webhooks/delivery-queue.ts'
import type { DeliveryState } from '../../store/store.ts'
import { outstandingMax } from './delivery-queue.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const retrySchedule = 'LONG'

function long(more: object = {}) {
  return new DeliveryQueueFixture({ retrySchedule, ...more })
}

const state = (sequence: number, changes: Partial<DeliveryState> = {}): DeliveryState => ({
  sequence,
  eventType: 'ORDER_PLACED',
  status: 'DELIVERED',
  attempt: 1,
  isRedelivery: false,
  nextAt: null,
  ...changes,
})

describe('a delivery that fails', () => {
  test('is attempted seven times in about 18 hours, and later events are not delayed', async () => {
    const fixture = long()
    fixture.answer = (sequence) => (sequence === 1 ? failed : delivered)
    fixture.publish(2)
    await fixture.wake()
    await fixture.timing.pass(24 * hourMs)
    const times = fixture.arrivals
      .filter(({ sequence }) => sequence === 1)
      .map(({ at }) => (at - fixture.startedAt) / 1_000)
    assert.deepEqual(times, [0, 5, 305, 2_105, 9_305, 27_305, 63_305])
    assert.equal(fixture.arrivals.find(({ sequence }) => sequence === 2)?.at, fixture.startedAt)
    const own = fixture.attempts.filter(({ sequence }) => sequence === 1)
    assert.deepEqual(
      own.map(({ attempt }) => attempt),
      [1, 2, 3, 4, 5, 6, 7],
    )
    assert.equal(own.at(-1)?.status, 'FAILED')
    assert.equal(own[2]?.nextAt, fixture.startedAt + 2_105_000)
    assert.equal(fixture.queue.finishedThrough, 2)
  })

  test('waits as long as its receiver asks for', async () => {
    const fixture = long()
    fixture.answer = () => ({ ...failed, httpStatus: 429, retryAfterMs: 2 * minuteMs })
    fixture.publish(1)
    await fixture.wake()
    await fixture.timing.pass(2 * minuteMs - 1)
    assert.equal(fixture.arrivals.length, 1)
    await fixture.timing.pass(1)
    assert.equal(fixture.arrivals.length, 2)
  })

  test('is lost when the next attempt would come after its event is deleted', async () => {
    const fixture = long({ eventRetentionMs: hourMs })
    fixture.answer = () => failed
    fixture.publish(1)
    await fixture.wake()
    await fixture.timing.pass(24 * hourMs)
    assert.deepEqual(
      fixture.attempts.map(({ status }) => status),
      ['RETRYING', 'RETRYING', 'RETRYING', 'FAILED'],
    )
  })

  test('does not wait for hours any more once the schedule is STANDARD', async () => {
    const fixture = long()
    fixture.answer = () => failed
    fixture.publish(1)
    await fixture.wake()
    await fixture.timing.pass(306_000)
    assert.equal(fixture.arrivals.length, 3)
    fixture.webhook = { ...fixture.webhook!, retrySchedule: 'STANDARD' }
    fixture.queue.onEdited()
    await fixture.timing.pass(30_000)
    assert.equal(fixture.attempts.at(-1)?.status, 'FAILED')
    assert.equal(fixture.queue.outstanding, 0)
  })
})

describe('after a restart', () => {
  test('waits go on, and only what was not delivered or lost is attempted', async () => {
    const states = [
      state(1, { status: 'RETRYING', attempt: 3, nextAt: Date.UTC(2026, 0, 1) + 20 * minuteMs }),
      state(2),
      state(3, { status: 'FAILED', attempt: 7 }),
      state(4, { status: 'FAILED', isRedelivery: true }),
      state(5, { status: 'RETRYING', nextAt: Date.UTC(2025, 11, 31) }),
    ]
    const fixture = long({ states })
    fixture.answer = () => failed
    fixture.publish(6)
    await fixture.wake()
    assert.deepEqual(fixture.sequences.toSorted(), [4, 6])
    await fixture.timing.pass(1)
    assert.deepEqual(fixture.sequences.toSorted(), [4, 5, 6])
    assert.equal(fixture.queue.finishedThrough, 0)
    await fixture.timing.pass(20 * minuteMs - 2)
    assert.ok(!fixture.sequences.includes(1))
    await fixture.timing.pass(1)
    const first = fixture.attempts.find(({ sequence }) => sequence === 1)
    assert.deepEqual([first?.attempt, first?.nextAt], [4, fixture.timing.now() + 2 * hourMs])
  })
})

describe('a full window', () => {
  async function fullWindow() {
    const fixture = long()
    fixture.answer = () => failed
    fixture.publish(outstandingMax + 500)
    await fixture.wake()
    for (let pass = 0; pass < 100; pass += 1) await fixture.timing.pass(40_000)
    assert.equal(fixture.queue.outstanding, outstandingMax)
    assert.ok(fixture.sequences.every((sequence) => sequence <= outstandingMax))
    return fixture
  }

  test('is probed every five minutes, and drains once the receiver is back', async () => {
    const fixture = await fullWindow()
    await fixture.timing.pass(10 * minuteMs)
    fixture.answer = () => delivered
    await fixture.timing.pass(5 * minuteMs)
    for (let turn = 0; turn < 400 && fixture.queue.outstanding > 0; turn += 1) {
      await settled()
    }
    const since = fixture.timing.now() - 6 * minuteMs
    // Those that waited for hours; the others began only now.
    const { size } = new Set(
      fixture.arrivals
        .filter(({ at, sequence }) => at > since && sequence <= outstandingMax)
        .map(({ sequence }) => sequence),
    )
    assert.ok(size > 100, String(size))
  })
})

test('a receiver that answers 410 is reported as gone, and its delivery is lost', async () => {
  const gone = { ...failed, httpStatus: 410 }
  const fixture = long()
  fixture.answer = () => gone
  fixture.publish(1)
  await fixture.wake()
  await fixture.timing.pass(1)
  assert.deepEqual(fixture.gone, [fixture.webhook!.id])
  assert.equal(fixture.attempts[0]?.status, 'FAILED')
  const standard = new DeliveryQueueFixture()
  standard.answer = () => gone
  standard.publish(1)
  await standard.wake()
  await standard.timing.pass(1)
  assert.deepEqual(standard.gone, [])
  assert.equal(standard.attempts[0]?.status, 'RETRYING')
})
