// The PostgreSQL primary is lost under the load of a cluster, and its standby is promoted.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Random } from '../support/process/random.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { runFaults } from './rounds/fault-run.ts'
import { bothServers, losePrimary, startStandby } from './rounds/lose-primary.ts'

const synchronous = await postgresOrNot('failover of PostgreSQL in a cluster', quick)
const small = { nodes: 2, shards: 2, clients: 12 }
/** By itself it takes less than 3 s; the machine of the tests may be slow. */
const backMsMax = 15_000

if (synchronous !== null) {
  const primary = synchronous
  after(() => primary.stop())

  test('a synchronous standby has everything that was answered', async (t) => {
    const { url } = await primary.newDatabase()
    const standby = await startStandby(primary, { isSynchronous: true })
    t.after(() => standby.stop())
    const random = new Random(20_270)
    const options = { url: bothServers(url, standby), seed: 20_270, ...small }
    const report = await runFaults(options, async (run) => {
      const { backMs, violations } = await losePrimary(run, { primary, standby, random })
      t.diagnostic(`back ${Math.round(backMs)} ms after the promotion`)
      assert.ok(backMs < backMsMax, `back after ${backMs} ms`)
      return violations
    })
    t.diagnostic(JSON.stringify(report.figures))
    assert.deepEqual(report.violations, [])
    assert.ok(report.figures.done > 100, `only ${report.figures.done} requests were done`)
    assert.ok(report.figures.unavailable + report.figures.unknown > 0, 'nothing was interrupted')
  })

  test('the checks detect what an asynchronous standby has not received', async (t) => {
    const other = (await postgresOrNot('failover to an asynchronous standby', quick))!
    t.after(() => other.stop())
    const { url } = await other.newDatabase()
    const standby = await startStandby(other, { isSynchronous: false })
    t.after(() => standby.stop())
    const random = new Random(20_271)
    // Of several nodes, one could acquire a shard in an epoch that is lost with the primary.
    const options = { url: bothServers(url, standby), seed: 20_271, ...small, nodes: 1 }
    const report = await runFaults(options, async (run) => {
      await losePrimary(run, { primary: other, standby, random })
      return []
    })
    assert.match(report.violations.join('\n'), /is stored 0 times, expected 1/)
  })
}
