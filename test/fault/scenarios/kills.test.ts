// The service is killed at random moments under load.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runKills } from '../rounds/kill-rounds.ts'
import { assertDetected } from '../support/assert-detected.ts'

const seed = 20_261

test('12 kills under load lose nothing, repeat nothing and publish nothing wrong', async (t) => {
  const { figures, violations } = await runKills({ times: 12, seed })
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
  assert.ok(figures.done > 100, `only ${figures.done} requests were done`)
  assert.ok(figures.unknown > 10, `only ${figures.unknown} requests were interrupted`)
  assert.ok(figures.streamed > 100, `only ${figures.streamed} events were streamed`)
})

test('kills of large turns, of 300 clients, lose nothing and repeat nothing', async (t) => {
  const { figures, violations, largestTurn } = await runKills({ times: 4, seed, clients: 300 })
  t.diagnostic(`${JSON.stringify(figures)}; the largest turn has ${largestTurn} commands`)
  assert.deepEqual(violations, [])
  assert.ok(figures.done > 300, `only ${figures.done} requests were done`)
  assert.ok(figures.unknown > 100, `only ${figures.unknown} requests were interrupted`)
  // More than the 16 clients of the test above can have in one.
  assert.ok(largestTurn > 16, `the largest turn has ${largestTurn} commands`)
})

test('the checks detect a service that answers before the commit', async () => {
  const defect = 'answers before the commit'
  const run = async (seed: number) => (await runKills({ times: 2, seed, defect })).violations
  await assertDetected(run, /is stored 0 times, expected 1 to 1/)
})

test('the checks detect a service that forgets transactionIds', async () => {
  const defect = 'forgets transactionIds'
  const run = async (seed: number) =>
    (await runKills({ times: 3, seed, defect, diesAtCommit: 40 })).violations
  // A repeated request is executed again, or rejected because of its first execution.
  await assertDetected(run, /times, expected|was answered with two records/)
})
