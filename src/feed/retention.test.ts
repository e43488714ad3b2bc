// Expired events go every hour, in slices that leave the store to the orders.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { settled, TestTiming } from '../../test/support/process/timing.ts'
import type { PruneRequest } from '../store/store.ts'
import { Retention, rowsPerSliceMax } from './retention.ts'

const hourMs = 3_600_000

function scene({ rows = 0, eventRetentionMs = 24 * hourMs } = {}) {
  const timing = new TestTiming()
  const asks: (PruneRequest & { readonly at: number })[] = []
  const logged: string[] = []
  const tested = { left: rows, failures: 0, slices: 0 }
  const retention = new Retention({
    shard: {
      prune: async (ask) => {
        asks.push({ ...ask, at: timing.now() })
        if (tested.failures > 0) {
          tested.failures -= 1
          throw new Error('The disk is full.')
        }
        tested.left = Math.max(0, tested.left - ask.atMost)
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
  return { timing, asks, logged, tested, retention, startedAt: timing.now() }
}

describe('retention', () => {
  test('runs shortly after the start and then every hour', async () => {
    const { timing, asks, startedAt, logged } = scene()
    await timing.pass(9_999)
    assert.equal(asks.length, 0)
    await timing.pass(2 * hourMs + 10_000)
    const times = asks.map(({ at }) => at - startedAt)
    assert.deepEqual(times, [10_000, 10_000 + hourMs, 10_000 + 2 * hourMs])
    assert.deepEqual(logged, Array(3).fill('expired events deleted'))
  })

  test('lets go of events by their retention, and of turns after at least a day', async () => {
    for (const [eventRetentionMs, batchesMs] of [
      [hourMs, 24 * hourMs],
      [48 * hourMs, 48 * hourMs],
    ] as const) {
      const { timing, asks } = scene({ eventRetentionMs })
      await timing.pass(10_000)
      const [ask] = asks
      assert.equal(ask!.at - ask!.eventsBefore, eventRetentionMs)
      assert.equal(ask!.at - ask!.batchesBefore, batchesMs)
    }
  })

  test('goes through many rows in small slices, with a pause after each', async () => {
    const { timing, asks, tested } = scene({ rows: 10 * rowsPerSliceMax })
    await timing.pass(20_000)
    assert.equal(asks.length, 10)
    assert.equal(tested.slices, 10)
    assert.ok(asks.every(({ atMost }) => atMost === rowsPerSliceMax && atMost <= 5_000))
    const pauses = asks.slice(1).map(({ at }, index) => at - asks[index]!.at)
    assert.ok(
      pauses.every((pause) => pause >= 20),
      String(pauses),
    )
  })

  test('tries again after a failure', async () => {
    const { timing, asks, tested, logged } = scene({ rows: 1 })
    tested.failures = 1
    await timing.pass(10_000)
    assert.deepEqual(logged, ['expired events not deleted'])
    await timing.pass(hourMs)
    assert.equal(asks.length, 2)
    assert.equal(tested.left, 0)
  })

  test('stops between two slices, at once', async () => {
    const { timing, asks, retention } = scene({ rows: 100 * rowsPerSliceMax })
    await timing.pass(10_000)
    await settled()
    const before = asks.length
    await retention.stop()
    await timing.pass(5 * hourMs)
    assert.equal(asks.length, before)
    assert.equal(timing.waiting, 0)
  })
})
