// A disk that fails: nobody is told that something is stored when it may not be.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type IoError, runIoErrors } from '../rounds/io-error-rounds.ts'
import { assertCaught } from '../support/assert-detected.ts'
import { hasStrace } from '../support/fault-injection.ts'

const seed = 3

/** A commit writes some twenty times and syncs once. */
const syncs = ['1', '2', '4', '7', '5+'].map(
  (when) => ({ calls: 'fsync,fdatasync', when }) as const,
)
const writes = ['1', '2', '9', '33', '120', '350', '60+'].map(
  (when) => ({ calls: 'pwrite64', when }) as const,
)

test('an error of the disk ends the process and is never answered as done', async (t) => {
  if (!hasStrace(t)) return
  const { violations, ...figures } = await runIoErrors([...syncs, ...writes], { seed })
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
  assert.ok(figures.ends.serving >= 6, JSON.stringify(figures))
})

test('the checks catch a service that answers before it stores', async (t) => {
  if (!hasStrace(t)) return
  const errors: IoError[] = ['90', '150'].map((when) => ({ calls: 'pwrite64', when }))
  const broken = 'answers before it stores'
  const run = async (seed: number) => (await runIoErrors(errors, { seed, broken })).violations
  await assertCaught(run, /is there 0 times and must be 1 to 1 times/)
})
