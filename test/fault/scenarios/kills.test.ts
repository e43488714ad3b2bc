// Death without warning, at any moment, under load.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runKills } from '../rounds/kill-rounds.ts'
import { assertCaught } from '../support/assert-detected.ts'

const seed = 20_261

test('thirty kills under load lose nothing, do nothing twice and tell nothing wrong', async (t) => {
  const { figures, violations } = await runKills({ times: 30, seed })
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
  assert.ok(figures.done > 300, `only ${figures.done} requests were done`)
  assert.ok(figures.unknown > 30, `only ${figures.unknown} requests were cut off`)
})

test('the checks catch a service that answers before it stores', async () => {
  const broken = 'answers before it stores'
  const run = async (seed: number) => (await runKills({ times: 2, seed, broken })).violations
  await assertCaught(run, /is there 0 times and must be 1 to 1 times/)
})

test('the checks catch a service that forgets transactionIds', async () => {
  const broken = 'forgets transactionIds'
  const run = async (seed: number) =>
    (await runKills({ times: 3, seed, broken, diesAtCommit: 40 })).violations
  // What is asked again is done again, or refused for what its first time did.
  await assertCaught(run, /times and must be|was answered with two records/)
})
