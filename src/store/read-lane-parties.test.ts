// Reads that wait for the store: one party cannot fill a lane for all others.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type LaneReader, ReadLane } from './read-lane.ts'
import type { ReadParty } from './store.ts'

const limits = { waitingMax: 8, waitingOfAddressMax: 3, waitMsMax: 1_000, deadlineMs: 5_000 }

function laneOf(waitingMax = limits.waitingMax) {
  const reader: LaneReader = { abandon() {}, close: async () => undefined }
  const lane = new ReadLane({
    name: 'callers',
    readers: [reader],
    limits: { ...limits, waitingMax },
    now: () => 0,
  })
  const store = Promise.withResolvers<void>()
  /** How many of so many reads wait; each other one is refused. */
  const waitingOf = async (party: ReadParty, count: number): Promise<number> => {
    let refused = 0
    for (let at = 0; at < count; at += 1) {
      const read = lane.run(
        { party, isGone: () => false },
        async () => at,
        () => store.promise,
      )
      read.catch((error: Error) => {
        if (/Too many reads/.test(error.message)) refused += 1
      })
    }
    await new Promise((resolve) => setImmediate(resolve))
    return count - refused
  }
  return { lane, store, waitingOf }
}

suite('reads that wait for the store', () => {
  test('are limited per operator', async () => {
    const { lane, store, waitingOf } = laneOf()
    assert.equal(await waitingOf(1, 10), 8)
    assert.equal(await waitingOf(2, 10), 8)
    store.resolve()
    // One of each operator after the other; all are done, and there is room again.
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(await waitingOf(1, 8), 8)
    await lane.close()
  })

  test('are limited per address, and for all addresses together', async () => {
    const { lane, waitingOf } = laneOf()
    assert.equal(await waitingOf('192.0.2.1', 10), 3)
    assert.equal(await waitingOf('192.0.2.2', 10), 3)
    assert.equal(await waitingOf('192.0.2.3', 10), 2)
    assert.equal(await waitingOf(1, 8), 8)
    await lane.close()
  })

  test('are limited in total', async () => {
    const { lane, waitingOf } = laneOf(10_000)
    assert.equal(await waitingOf(1, 10_000), 10_000)
    assert.equal(await waitingOf(2, 9_999), 9_999)
    assert.equal(await waitingOf(3, 10), 1)
    await lane.close()
  })
})
