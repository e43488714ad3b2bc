// The log of attempts in front of a store: batches, numbers, and failures of the store.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settled, TestTiming } from '../../../test/support/process/timing.ts'
import type { AttemptBatch, AttemptRow, LogState } from '../../store/store.ts'
import { type Attempt, AttemptLog, attemptsPerWriteMax, pendingMax } from './attempt-log.ts'

function attempt(sequence: number, status: Attempt['status'] = 'DELIVERED'): Attempt {
  return {
    id: `delivery-${sequence}`,
    sequence,
    eventType: 'ORDER_PLACED',
    attempt: 1,
    isRedelivery: false,
    status,
    httpStatus: 200,
    error: null,
    response: '',
    durationMs: 1,
    startedAt: 0,
    nextAt: null,
  }
}

function fixture({ state }: { state?: Partial<LogState> } = {}) {
  const timing = new TestTiming()
  const batches: AttemptBatch[] = []
  const warnings: string[] = []
  const tested = { failures: 0, stateReads: 0 }
  const log = new AttemptLog({
    store: {
      add: async (batch) => {
        if (tested.failures > 0) {
          tested.failures -= 1
          throw new Error('disk full')
        }
        batches.push(batch)
      },
    },
    states: async ({ webhookIds, minute }) => {
      tested.stateReads += webhookIds.length
      const none = { minute, number: 0, delivered: 0, failed: 0 }
      return webhookIds.map((webhookId) => ({ ...none, webhookId, ...state }))
    },
    timing,
    log: { warn: (event) => warnings.push(event) },
  })
  log.start()
  const rows = () => batches.flatMap(({ attempts }): readonly AttemptRow[] => attempts)
  return { timing, log, batches, rows, warnings, tested }
}

const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)

test('attempts are stored together, a second after the last write', async () => {
  const { timing, log, batches, rows, tested } = fixture()
  for (const sequence of upTo(20)) log.add(sequence % 2 === 0 ? 'a' : 'b', attempt(sequence))
  await timing.pass(999)
  assert.equal(batches.length, 0)
  await timing.pass(1)
  assert.equal(batches.length, 1)
  const numbersOf = (id: string) =>
    rows().flatMap(({ webhookId, number }) => (webhookId === id ? [number] : []))
  assert.deepEqual([numbersOf('a'), numbersOf('b')], [upTo(10), upTo(10)])
  log.add('a', attempt(21))
  await timing.pass(1_000)
  assert.deepEqual(numbersOf('a'), upTo(11))
  assert.equal(tested.stateReads, 2)
  await timing.pass(10_000)
  assert.equal(batches.length, 2)
})

test('a write has at most 500 attempts, and the next follows at once', async () => {
  const { timing, log, batches, rows } = fixture()
  for (const sequence of upTo(1_234)) log.add('a', attempt(sequence))
  await timing.pass(1_000)
  assert.deepEqual(
    batches.map(({ attempts }) => attempts.length),
    [attemptsPerWriteMax, attemptsPerWriteMax, 234],
  )
  assert.deepEqual(
    rows().map(({ number, sequence }) => [number, sequence]),
    upTo(1_234).map((each) => [each, each]),
  )
})

test('numbers and counts go on where the stored ones end, minute by minute', async () => {
  const minute = Date.UTC(2026, 0, 1) / 60_000
  const { timing, log, batches } = fixture({
    state: { number: 70, minute, delivered: 5, failed: 1 },
  })
  log.add('a', attempt(1))
  log.add('a', attempt(2, 'RETRYING'))
  await timing.pass(59_999)
  log.add('a', attempt(3, 'FAILED'))
  await timing.pass(1)
  log.add('a', attempt(4))
  await timing.pass(1_000)
  const minutes = batches.flatMap((batch) => batch.minutes)
  assert.deepEqual(minutes.at(0), { webhookId: 'a', minute, delivered: 6, failed: 2 })
  const last = minutes.filter((each) => each.minute === minute).at(-1)
  assert.deepEqual(last, { webhookId: 'a', minute, delivered: 6, failed: 3 })
  const next = { webhookId: 'a', minute: minute + 1, delivered: 1, failed: 0 }
  assert.deepEqual(minutes.at(-1), next)
  assert.equal(batches.at(-1)?.attempts.at(-1)?.number, 74)
})

test('a write that failed is repeated with the same numbers, and nothing is lost', async () => {
  const { timing, log, rows, warnings, tested } = fixture()
  tested.failures = 2
  log.add('a', attempt(1))
  await timing.pass(1_000)
  log.add('a', attempt(2))
  await timing.pass(2_000)
  assert.deepEqual(
    rows().map(({ number, sequence }) => [number, sequence]),
    [
      [1, 1],
      [2, 2],
    ],
  )
  assert.deepEqual(warnings, Array(2).fill('webhook attempts not stored'))
})

test('a store that fails for long costs the oldest attempts, and the log says so', async () => {
  const { timing, log, rows, warnings, tested } = fixture()
  tested.failures = 1
  for (const sequence of upTo(pendingMax + 3)) log.add('a', attempt(sequence))
  await timing.pass(2_000)
  assert.equal(rows()[0]?.sequence, 4)
  assert.equal(rows().length, pendingMax)
  assert.ok(warnings.includes('webhook attempts not logged'))
})

test('a page has what has just ended; a stop stores the rest; a deletion forgets it', async () => {
  const { log, rows } = fixture()
  const query = { operatorNumber: 1, webhookId: 'a', before: null, limit: 10 }
  const read = async () => ({ rows: rows().toReversed(), hasMore: false })
  log.add('a', attempt(1))
  const page = await log.page(query, read)
  assert.deepEqual(
    page.rows.map(({ sequence }) => sequence),
    [1],
  )
  log.add('a', attempt(2))
  log.add('b', attempt(3))
  log.delete('b')
  await log.stop()
  await settled()
  assert.deepEqual(
    rows().map(({ sequence }) => sequence),
    [1, 2],
  )
})
