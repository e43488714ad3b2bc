// Owners of shards are killed under load: other nodes take over, nothing is lost or done twice.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Random } from '../support/process/random.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { dieAfterCommit } from './rounds/die-after-commit.ts'
import { runFaults } from './rounds/fault-run.ts'
import { killOwner } from './rounds/kill-owner.ts'

const server = await postgresOrNot('kills of owners of shards', quick)
const kills = 2
/** By itself it takes less than 5 s; the machine of the tests may be slow. */
const takeoverMsMax = 15_000

if (server !== null) {
  after(() => server.stop())

  test('nodes take over the shards of a killed node: nothing is lost or done twice', async (t) => {
    const { url } = await server.newDatabase()
    const random = new Random(20_263)
    const report = await runFaults({ url, seed: 20_263 }, async (run) => {
      for (let kill = 0; kill < kills; kill += 1) {
        const tookMs = await killOwner(run, random)
        t.diagnostic(`takeover in ${Math.round(tookMs)} ms`)
        assert.ok(tookMs < takeoverMsMax, `the takeover took ${tookMs} ms`)
      }
      return []
    })
    t.diagnostic(JSON.stringify(report.figures))
    assert.deepEqual(report.violations, [])
    assert.ok(report.figures.done > 100, `only ${report.figures.done} requests were done`)
    assert.ok(report.figures.unknown > 0, 'no request was interrupted')
  })

  for (const hasTransactionIds of [true, false]) {
    const orders = hasTransactionIds ? 'an order' : 'an order without a transactionId'
    test(`${orders} is stored once if its owner dies before it answers`, async () => {
      const { url } = await server.newDatabase()
      assert.deepEqual(await dieAfterCommit({ url, hasTransactionIds }), [])
    })
  }

  test('the checks detect a router that repeats orders without a transactionId', async () => {
    const { url } = await server.newDatabase()
    const clusterDefect = 'repeats writes without a transactionId'
    const found = await dieAfterCommit({ url, hasTransactionIds: false, clusterDefect })
    assert.match(found.join('\n'), /is stored 2 times/)
  })
}
