// The power fails while the service writes: what was answered is on the disk.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runPowerCuts } from '../rounds/power-cuts.ts'
import { assertDetected } from '../support/assert-detected.ts'
import { hasStrace } from '../support/fault-injection.ts'

const points = 8

test('power cuts lose nothing that was answered, and leave records that are right', async (t) => {
  if (!hasStrace(t)) return
  const { violations, ...figures } = await runPowerCuts({ points, seed: 12, answers: 400 })
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
  // Otherwise the cuts had nothing to lose.
  assert.ok(figures.acknowledged > points * 20, `only ${figures.acknowledged} acknowledged`)
  assert.ok(figures.unsynced > points, `only ${figures.unsynced} changes were not synced`)
  assert.ok(figures.checkpointWrites > 50, `only ${figures.checkpointWrites} checkpoint writes`)
})

test('the cuts detect a database that does not sync each commit', async (t) => {
  if (!hasStrace(t)) return
  const run = async (seed: number) =>
    (await runPowerCuts({ points: 2, seed, answers: 150, synchronous: 'NORMAL' })).violations
  await assertDetected(run, /is stored 0 times, expected 1 to 1/)
})
