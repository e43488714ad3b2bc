// Failing writes and syncs are never answered as a success.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type IoError, runIoErrors } from '../rounds/io-error-rounds.ts'
import { assertDetected } from '../support/assert-detected.ts'
import { hasStrace } from '../support/fault-injection.ts'

const seed = 3

/** A commit has about twenty writes and one sync. */
const syncs = ['1', '2', '4', '7', '5+'].map(
  (when) => ({ calls: 'fsync,fdatasync', when }) as const,
)
const writes = ['1', '2', '9', '33', '120', '350', '60+'].map(
  (when) => ({ calls: 'pwrite64', when }) as const,
)

test('an I/O error ends the process and is never answered as a success', async (t) => {
  if (!hasStrace(t)) return
  const { violations, ...figures } = await runIoErrors([...syncs, ...writes], { seed })
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
  assert.ok(figures.ends.serving >= 6, JSON.stringify(figures))
})

test('the checks detect a service that answers before the commit', async (t) => {
  if (!hasStrace(t)) return
  const errors: IoError[] = ['90', '150'].map((when) => ({ calls: 'pwrite64', when }))
  const defect = 'answers before the commit'
  const run = async (seed: number) => (await runIoErrors(errors, { seed, defect })).violations
  await assertDetected(run, /is stored 0 times, expected 1 to 1/)
})
