// PostgreSQL restarts and crashes under the load of a cluster: nothing is lost or done twice.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Random } from '../support/process/random.ts'
import { postgresOrNot } from '../support/store/postgres-databases.ts'
import { runFaults } from './rounds/fault-run.ts'
import { restartDatabase } from './rounds/restart-database.ts'

const server = await postgresOrNot('restarts of the PostgreSQL of a cluster')
/** By itself it takes less than 5 s; the machine of the tests may be slow. */
const backMsMax = 15_000

if (server !== null) {
  after(() => server.stop())

  test('a cluster survives restarts of PostgreSQL: nothing is lost or done twice', async (t) => {
    const { url } = await server.newDatabase()
    const random = new Random(20_267)
    const report = await runFaults({ url, seed: 20_267 }, async (run) => {
      for (const how of ['fast', 'immediate'] as const) {
        const backMs = await restartDatabase(run, { server, how, random })
        t.diagnostic(`${how}: back after ${Math.round(backMs)} ms`)
        assert.ok(backMs < backMsMax, `${how}: back after ${backMs} ms`)
      }
      return []
    })
    t.diagnostic(JSON.stringify(report.figures))
    assert.deepEqual(report.violations, [])
    assert.ok(report.figures.unavailable + report.figures.unknown > 0, 'nothing was interrupted')
  })
}
