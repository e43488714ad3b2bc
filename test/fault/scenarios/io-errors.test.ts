// Failing writes and syncs are never answered as a success.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type IoError, runIoErrors } from '../rounds/io-error-rounds.ts'
import { assertDetected } from '../support/assert-detected.ts'
import { hasStrace } from '../support/fault-injection.ts'

const seed = 3

/** A commit has a few writes and one sync. */
const errorsOfLog = (file: 'outcry.db-turns-wal' | 'outcry.db-wal'): readonly IoError[] => [
  ...['1', '4', '5+'].map((when) => ({ file, calls: 'fsync,fdatasync', when }) as const),
  ...['2', '33', '60+'].map((when) => ({ file, calls: 'pwrite64', when }) as const),
]
/** Those of checkpoints. */
const errorsOfDatabase = (file: 'outcry.db-turns' | 'outcry.db'): readonly IoError[] => [
  { file, calls: 'fsync,fdatasync', when: '2' },
  { file, calls: 'pwrite64', when: '1' },
  { file, calls: 'pwrite64', when: '9+' },
]

test('an I/O error ends the process and is never answered as a success', async (t) => {
  if (!hasStrace(t)) return
  const errors = [
    ...errorsOfLog('outcry.db-turns-wal'),
    ...errorsOfDatabase('outcry.db-turns'),
    ...errorsOfLog('outcry.db-wal'),
    ...errorsOfDatabase('outcry.db'),
  ]
  const ends: string[] = []
  const onError = ({ file, calls, when }: IoError, end: string) =>
    ends.push(`${file} ${calls} ${when}: ${end}`)
  const { violations, ...figures } = await runIoErrors(errors, { seed, onError })
  t.diagnostic(ends.join('\n'))
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
  assert.ok(figures.ends.serving >= 6, JSON.stringify(figures))
})

test('the checks detect a service that answers before the commit', async (t) => {
  if (!hasStrace(t)) return
  const file = 'outcry.db-turns-wal'
  const errors: IoError[] = ['90', '150'].map((when) => ({ file, calls: 'pwrite64', when }))
  const defect = 'answers before the commit'
  const run = async (seed: number) => (await runIoErrors(errors, { seed, defect })).violations
  await assertDetected(run, /is stored 0 times, expected 1 to 1/)
})
