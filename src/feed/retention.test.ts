// Expired events are deleted every hour, in slices with pauses for orders.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settled, TestTiming } from '../../test/support/process/timing.ts'
import type { PruneRequest } from '../store/store.ts'
import { Retention, rowsPerSliceMax } from './retention.ts'

const hourMs = 3_600_000

function startRetention({ rows = 0, eventRetentionMs = 24 * hourMs } = {}) {
  const timing = new TestTiming()
  const requests: (PruneRequest & { readonly at: number })[] = []
  const logged: string[] = []
  const tested = { left: rows, failures: 0, slices: 0 }
  const retention = new Retention({
    store: {
      prune: async (request) => {
        requests.push({ ...request, at: timing.now() })
        if (tested.failures > 0) {
          tested.failures -= 1
          throw new Error('The disk is full.')
        }
        tested.left = Math.max(0, tested.left - request.atMost)
        return { hasMore: tested.left > 0 }
      },
    },
    timing,
    eventRetentionMs,
    log: { info: (event) => logged.push(event), warn: (event) => logged.push(event) },
    metrics: {
      pruned: (slices) => {
        tested.slices += slices
      },
    },
  })
  retention.start()
  return { timing, requests, logged, tested, retention, startedAt: timing.now() }
}

describe('retention', () => {
  test('runs shortly after the start and then every hour', async () => {
    const { timing, requests, startedAt, logged } = startRetention()
    await timing.pass(9_999)
    assert.equal(requests.length, 0)
    await timing.pass(2 * hourMs + 10_000)
    const times = requests.map(({ at }) => at - startedAt)
    assert.deepEqual(times, [10_000, 10_000 + hourMs, 10_000 + 2 * hourMs])
    assert.deepEqual(logged, Array(3).fill('expired events deleted'))
  })

  test('deletes events after their retention, and turns after at least a day', async () => {
    for (const [eventRetentionMs, batchesMs] of [
      [hourMs, 24 * hourMs],
      [48 * hourMs, 48 * hourMs],
    ] as const) {
      const { timing, requests } = startRetention({ eventRetentionMs })
      await timing.pass(10_000)
      const [request] = requests
      assert.equal(request!.at - request!.eventsBefore, eventRetentionMs)
      assert.equal(request!.at - request!.batchesBefore, batchesMs)
      assert.equal(request!.at - request!.attemptsBefore, eventRetentionMs)
    }
  })

  test('deletes many rows in small slices, with a pause after each', async () => {
    const { timing, requests, tested } = startRetention({ rows: 10 * rowsPerSliceMax })
    await timing.pass(20_000)
    assert.equal(requests.length, 10)
    assert.equal(tested.slices, 10)
    assert.ok(requests.every(({ atMost }) => atMost === rowsPerSliceMax && atMost <= 5_000))
    const pauses = requests.slice(1).map(({ at }, index) => at - requests[index]!.at)
    assert.ok(
      pauses.every((pause) => pause >= 20),
      String(pauses),
    )
  })

  test('tries again an hour after a failure', async () => {
    const { timing, requests, tested, logged } = startRetention({ rows: 1 })
    tested.failures = 1
    await timing.pass(10_000)
    assert.deepEqual(logged, ['expired events not deleted'])
    await timing.pass(hourMs)
    assert.equal(requests.length, 2)
    assert.equal(tested.left, 0)
  })

  test('stops at once between two slices', async () => {
    const { timing, requests, retention } = startRetention({ rows: 100 * rowsPerSliceMax })
    await timing.pass(10_000)
    await settled()
    const before = requests.length
    await retention.stop()
    await timing.pass(5 * hourMs)
    assert.equal(requests.length, before)
    assert.equal(timing.waiting, 0)
  })
})
