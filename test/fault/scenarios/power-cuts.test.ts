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
  for (const [file, writes] of Object.entries(figures.checkpointWrites)) {
    assert.ok(writes > 50, `only ${writes} checkpoint writes to ${file}`)
  }
})

test('power cuts in a start lose nothing of what the start derives', async (t) => {
  if (!hasStrace(t)) return
  const options = { points, seed: 13, answers: 200, isAtStart: true }
  const { violations, ...figures } = await runPowerCuts(options)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
  assert.ok(figures.pending > 0, 'nothing was pending')
  assert.ok(figures.unsynced > points, `only ${figures.unsynced} changes were not synced`)
})

test('the cuts detect a start that deletes turns before the tables are synced', async (t) => {
  if (!hasStrace(t)) return
  const defect = { points: 6, answers: 100, isAtStart: true, unsyncedFile: 'outcry.db' } as const
  const run = async (seed: number) => (await runPowerCuts({ ...defect, seed })).violations
  await assertDetected(run, /is stored 0 times, expected 1 to 1|does not start/)
})

test('the cuts detect turns that are answered before they are synced', async (t) => {
  if (!hasStrace(t)) return
  const run = async (seed: number) =>
    (await runPowerCuts({ points: 2, seed, answers: 150, unsyncedFile: 'outcry.db-turns' }))
      .violations
  await assertDetected(run, /is stored 0 times, expected 1 to 1|does not start/)
})

test('the cuts detect turns that are deleted before the tables are synced', async (t) => {
  if (!hasStrace(t)) return
  const run = async (seed: number) =>
    (await runPowerCuts({ points: 2, seed, answers: 150, unsyncedFile: 'outcry.db' })).violations
  await assertDetected(run, /outcry\.db-turns cannot be used: the commands \d+ to \d+ are missing/)
})
