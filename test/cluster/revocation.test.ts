// A key is revoked under load at all nodes: once the revocation is answered, no node accepts it,
// also not a frozen one that wakes.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { revokeKey } from './rounds/revoke-key.ts'
import { Cluster, untilReady } from './support/cluster.ts'

const server = await postgresOrNot('revocations in a cluster', quick)
const rounds = 3

if (server !== null) {
  after(() => server.stop())

  test('no request with a revoked key succeeds at any node', async (t) => {
    const { url } = await server.newDatabase()
    const cluster = await Cluster.start({ url, shards: 1 })
    t.after(() => cluster.stop())
    const { id } = await cluster.nodes[0]!.newOperator()
    for (let round = 0; round < rounds; round += 1) {
      const frozen = round === 0 ? null : cluster.nodes[round % cluster.nodes.length]!
      const { succeeded, tookMs, violations } = await revokeKey(cluster, { id, frozen })
      t.diagnostic(`${succeeded} requests, revoked in ${Math.round(tookMs)} ms`)
      assert.deepEqual(violations, [])
      assert.ok(succeeded > 0, 'no request has succeeded')
      for (const node of cluster.nodes) await untilReady(node)
    }
  })

  test('the checks detect nodes that do not wait for each other', async (t) => {
    const { url } = await server.newDatabase()
    const clusterDefect = 'answers registry writes at once'
    const cluster = await Cluster.start({ url, nodes: 2, shards: 1, clusterDefect })
    t.after(() => cluster.stop())
    const { id } = await cluster.nodes[0]!.newOperator()
    const found: string[] = []
    for (let round = 0; round < rounds && found.length === 0; round += 1) {
      const frozen = cluster.nodes[1]!
      found.push(...(await revokeKey(cluster, { id, frozen })).violations)
    }
    assert.match(found.join('\n'), /succeeded at the frozen node after the revocation/)
  })
}
