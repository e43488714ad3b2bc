// The connections of an owner are cut under load: to PostgreSQL, and of another node to it. Nothing
// is lost or done twice, and every node serves every shard soon after the cut is healed.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Random } from '../support/process/random.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { cutNetwork } from './rounds/cut-network.ts'
import { runFaults } from './rounds/fault-run.ts'

const server = await postgresOrNot('cuts of the network of a cluster', quick)
/** Enough for a control. */
const small = { nodes: 2, shards: 1, clients: 6 }
/** By itself it takes less than 5 s; the machine of the tests may be slow. */
const progressMsMax = 15_000

if (server !== null) {
  after(() => server.stop())

  test('a cut of the network loses nothing, and stops only what it cuts off', async (t) => {
    const { url } = await server.newDatabase()
    const random = new Random(20_268)
    const options = { url, seed: 20_268, clients: 12, hasNetworks: true }
    const report = await runFaults(options, async (run) => {
      for (const [name, how] of [
        ['owner from database', 'silent'],
        ['router from owner', 'one way'],
        ['flapping', 'closed'],
      ] as const) {
        const { tookMs, backMs } = await cutNetwork(run, { random, name, how })
        const [took, back] = [tookMs, backMs].map(Math.round)
        t.diagnostic(`${name}: progress after ${took} ms, all again ${back} ms after healing`)
        assert.ok(tookMs < progressMsMax, `${name}: progress after ${took} ms`)
        assert.ok(backMs < progressMsMax, `${name}: all again after ${back} ms`)
      }
      return []
    })
    t.diagnostic(JSON.stringify(report.figures))
    assert.deepEqual(report.violations, [])
    assert.ok(report.figures.done > 100, `only ${report.figures.done} requests were done`)
  })

  test('the checks detect a router that repeats orders without a transactionId', async () => {
    const { url } = await server.newDatabase()
    const clusterDefect = 'repeats writes without a transactionId'
    const options = { url, seed: 20_269, ...small, hasNetworks: true, clusterDefect } as const
    const report = await runFaults(options, async (run) => {
      const random = new Random(20_269)
      await cutNetwork(run, { random, name: 'router from owner', how: 'one way' })
      return []
    })
    assert.match(report.violations.join('\n'), /is stored 2 times/)
  })
}
