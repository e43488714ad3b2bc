// A short siege with few attacks; `npm run siege` is a long one with all of them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attackNamed } from '../attacks/attacks.ts'
import { runSiege, type SiegeOptions } from '../rounds/siege.ts'
import { assertDetected } from '../support/assert-detected.ts'

const short = {
  attacks: [attackNamed('connections')],
  ms: 9_000,
  seed: 17,
  phaseMs: [2_000, 3_000],
  orders: 500,
} satisfies SiegeOptions

test('a short siege starves no honest client, loses nothing and repeats nothing', async (t) => {
  const { violations, ...figures } = await runSiege(short)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})

test('a siege detects a service that answers before the commit', async () => {
  const defect = 'answers before the commit'
  const run = async (seed: number) => (await runSiege({ ...short, seed, defect })).violations
  await assertDetected(run, /is stored 0 times, expected 1 to 1|was placed and is not stored/)
})
