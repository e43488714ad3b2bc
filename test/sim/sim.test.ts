// The exchange agrees with the naive model, whatever is asked of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Report } from './seed-worker.ts'
import { shareOut } from './share-out.ts'

const seeds = 200
const steps = 2_000

/** The first fault in full, and the seeds of them all. */
function faultsIn(reports: readonly Report[]): string {
  const failed = reports.filter(({ hash }) => hash === null)
  if (failed.length === 0) return ''
  return `Failed seeds: ${failed.map(({ seed }) => seed).join(', ')}\n${failed[0]!.fault}`
}

test(`the exchange agrees with the model in ${seeds} runs of ${steps} steps`, async () => {
  const runs = Array.from({ length: seeds }, (_, at) => ({ seed: at + 1, steps }))
  const reports = await shareOut(runs)
  assert.equal(faultsIn(reports), '')
  assert.equal(new Set(reports.map(({ hash }) => hash)).size, seeds, 'no two runs end alike')
})

test('the same seed ends in the same state', async () => {
  const [first, again, other] = await shareOut(
    [8_191, 8_191, 8_192].map((seed) => ({ seed, steps: 500 })),
  )
  assert.equal(faultsIn([first!, again!, other!]), '')
  assert.equal(again!.hash, first!.hash)
  assert.notEqual(other!.hash, first!.hash)
})
