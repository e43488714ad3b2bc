// The times of a lease.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaseTimes } from './lease.ts'

test('an owner relies on its lease for less than it lasts, and renews it twice before', () => {
  for (const leaseMs of [2_000, 3_000, 6_000, 60_000]) {
    const { reliedOnMs, renewEveryMs } = leaseTimes(leaseMs)
    // The clocks of two machines may run at different rates.
    assert.ok(reliedOnMs <= 0.9 * leaseMs, `relies on ${reliedOnMs} of ${leaseMs} ms`)
    assert.ok(2 * renewEveryMs < reliedOnMs, `renews every ${renewEveryMs} of ${leaseMs} ms`)
  }
})
