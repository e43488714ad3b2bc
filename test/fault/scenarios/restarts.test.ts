// PostgreSQL restarts, crashes and drops connections while a service trades on it.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { postgresOrNot } from '../../support/store/postgres-databases.ts'
import { runRestarts } from '../rounds/restart-rounds.ts'
import { assertCaught } from '../support/assert-detected.ts'

const server = await postgresOrNot('restarts of PostgreSQL')

if (server !== null) {
  after(() => server.stop())

  test('a service outlives restarts of PostgreSQL: nothing is lost or done twice', async (t) => {
    const { figures, violations } = await runRestarts({ server, times: 6, seed: 20_262 })
    t.diagnostic(JSON.stringify(figures))
    assert.deepEqual(violations, [])
    assert.ok(figures.done > 100, `only ${figures.done} requests were done`)
    assert.ok(figures.unavailable + figures.unknown > 0, 'nobody was turned away')
  })

  test('the checks catch a service that takes a lost turn for stored', async () => {
    const broken = 'swallows errors of the store'
    const run = async (seed: number) =>
      (await runRestarts({ server, times: 3, seed, broken })).violations
    await assertCaught(run, /is there 0 times and must be 1 to 1 times|was placed and is not there/)
  })
}
