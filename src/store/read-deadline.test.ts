// The reads of a start have no deadline.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LaneReader, ReadLane } from './read-lane.ts'

const caller = { party: 1, isGone: () => false }

test('a read without a deadline is not dropped, however long it takes', async () => {
  let now = 0
  const reader: LaneReader = { abandon() {}, close: async () => undefined }
  const limits = { waitingMax: 10, waitingOfAddressMax: 10, waitMsMax: 1_000, deadlineMs: 5_000 }
  const lane = new ReadLane({ name: 'service', readers: [reader], limits, now: () => now })
  const { promise: slow, resolve } = Promise.withResolvers<string>()
  const running = lane.run({ ...caller, hasNoDeadline: true }, () => slow)
  const waiting = lane.run({ ...caller, hasNoDeadline: true }, async () => 'waited')
  const dropped = lane.run(caller, async () => 'never')
  now = limits.deadlineMs
  lane.check()
  await assert.rejects(dropped, /not done in time/)
  resolve('read')
  assert.deepEqual(await Promise.all([running, waiting]), ['read', 'waited'])
})
