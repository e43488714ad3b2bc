// PostgreSQL restarts, crashes and drops connections while a service trades on it.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { postgresOrNot } from '../../support/store/postgres-databases.ts'
import { runRestarts } from '../rounds/restart-rounds.ts'
import { assertDetected } from '../support/assert-detected.ts'

const server = await postgresOrNot('restarts of PostgreSQL')

if (server !== null) {
  after(() => server.stop())

  test('a service survives restarts of PostgreSQL: nothing is lost or repeated', async (t) => {
    const { figures, violations } = await runRestarts({ server, times: 6, seed: 20_262 })
    t.diagnostic(JSON.stringify(figures))
    assert.deepEqual(violations, [])
    assert.ok(figures.done > 100, `only ${figures.done} requests were done`)
    assert.ok(figures.unavailable + figures.unknown > 0, 'no request was interrupted')
  })

  test('the checks detect a service that ignores failed commits', async () => {
    const defect = 'ignores errors of the store'
    const run = async (seed: number) =>
      (await runRestarts({ server, times: 3, seed, defect })).violations
    await assertDetected(run, /is stored 0 times, expected 1 to 1|was placed and is not stored/)
  })
}
