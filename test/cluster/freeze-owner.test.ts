// The owner of a shard is frozen for twice its lease: others take over, and it neither stores nor
// shows anything old when it wakes.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Random } from '../support/process/random.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { runFaults } from './rounds/fault-run.ts'
import { freezeOwner } from './rounds/freeze-owner.ts'

const server = await postgresOrNot('frozen owners of shards', quick)
const freezes = 2
const takeoverMsMax = 15_000

if (server !== null) {
  after(() => server.stop())

  test('a node that wakes shows no old book and stores nothing twice', async (t) => {
    const { url } = await server.newDatabase()
    const random = new Random(20_264)
    const report = await runFaults({ url, seed: 20_264 }, async (run) => {
      const found: string[] = []
      for (let freeze = 0; freeze < freezes; freeze += 1) {
        const isAskedForBooks = freeze % 2 === 0
        const { tookMs, violations } = await freezeOwner(run, { random, isAskedForBooks })
        t.diagnostic(`takeover in ${Math.round(tookMs)} ms`)
        assert.ok(tookMs < takeoverMsMax, `the takeover took ${tookMs} ms`)
        found.push(...violations)
      }
      return found
    })
    t.diagnostic(JSON.stringify(report.figures))
    assert.deepEqual(report.violations, [])
    assert.ok(report.figures.done > 100, `only ${report.figures.done} requests were done`)
  })
}
