// Every node is stopped by turns under load: clients see no error.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { runFaults } from './rounds/fault-run.ts'
import { rollingRestart, stopNode } from './rounds/rolling-restart.ts'

const server = await postgresOrNot('rolling restarts of a cluster', quick)
/** Enough for a control. */
const small = { nodes: 2, shards: 1, clients: 6 }
/** On a quiet machine it takes less than 1 s. */
const gapMsMax = 10_000

if (server !== null) {
  after(() => server.stop())

  test('a rolling restart refuses no request', async (t) => {
    const { url } = await server.newDatabase()
    const report = await runFaults({ url, seed: 20_266, clients: 12 }, async (run) => {
      const restarts = await rollingRestart(run)
      const gaps = restarts.map(({ gapMs }) => Math.round(gapMs))
      t.diagnostic(`gaps of ${gaps.join(', ')} ms`)
      assert.ok(Math.max(...gaps) < gapMsMax, `gaps of ${gaps.join(', ')} ms`)
      return restarts.flatMap(({ violations }) => violations)
    })
    t.diagnostic(JSON.stringify(report.figures))
    assert.deepEqual(report.violations, [])
    assert.ok(report.figures.done > 100, `only ${report.figures.done} requests were done`)
  })

  test('the checks detect a node that releases its shards before it drains them', async () => {
    const { url } = await server.newDatabase()
    const clusterDefect = 'releases before it drains'
    const options = { url, seed: 20_272, ...small, clusterDefect } as const
    const report = await runFaults(options, async (run) => {
      const owner = await run.cluster.ownerOf(0)
      return (await stopNode(run, owner)).violations
    })
    assert.match(report.violations.join('\n'), /requests failed during a stop/)
  })
}
