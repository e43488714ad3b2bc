// The exchange agrees with the naive model, whatever is asked of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareOut } from './run-in-workers.ts'
import type { Report } from './seed-worker.ts'

const seeds = 200
const steps = 2_000

/** Names every failed seed, and tells of the first in full. */
function assertNoFault(reports: readonly Report[]): void {
  const failed = reports.filter(({ hash }) => hash === null)
  if (failed.length === 0) return
  assert.fail(`Failed seeds: ${failed.map(({ seed }) => seed).join(', ')}\n${failed[0]!.fault}`)
}

test(`the exchange agrees with the model in ${seeds} runs of ${steps} steps`, async () => {
  const runs = Array.from({ length: seeds }, (_, at) => ({ seed: at + 1, steps }))
  const reports = await shareOut(runs)
  assertNoFault(reports)
  assert.equal(new Set(reports.map(({ hash }) => hash)).size, seeds, 'no two runs end alike')
})

// An amended order that met one of its own player was taken out of a book that nobody was told of;
// and it counted as old as before where the newest of a match by complete sets pays less.
test('the exchange agrees with the model in the runs that once found a fault', async () => {
  const found = [30_002, 30_005, 30_017, 30_029]
  assertNoFault(await shareOut(found.map((seed) => ({ seed, steps }))))
})

test('the same seed ends in the same state', async () => {
  const reports = await shareOut([8_191, 8_191, 8_192].map((seed) => ({ seed, steps: 500 })))
  assertNoFault(reports)
  const [first, again, other] = reports
  assert.equal(again!.hash, first!.hash)
  assert.notEqual(other!.hash, first!.hash)
})
