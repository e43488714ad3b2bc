// The history of the events is one of all nodes: takeovers and handovers keep it, and after a
// restore every node tells the new one.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runProgram } from '../audit/program.ts'
import { OperatorClient } from '../support/http/operator-client.ts'
import type { Json, Service } from '../support/process/outcry-process.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { StreamClient } from '../support/stream/stream-client.ts'
import { Cluster } from './support/cluster.ts'

const server = await postgresOrNot('the history of a cluster', quick)

type Position = { readonly latestSequence: number; readonly historyId: string }

/** What each node tells over replay and over a stream, which must be the same. */
async function told(nodes: readonly Service[], operator: OperatorClient): Promise<Position> {
  const answers: Json[] = []
  for (const node of nodes) {
    answers.push(await new OperatorClient(node, operator).get('/events'))
    const client = await StreamClient.open(node.url, { key: operator.key })
    answers.push(await client.request({ op: 'subscribe', channels: ['events'], since: 0 }))
    await client.close()
  }
  const positions = answers.map(({ latestSequence, historyId }) => ({ latestSequence, historyId }))
  for (const position of positions) assert.deepEqual(position, positions[0])
  return positions[0]!
}

if (server !== null) {
  after(() => server.stop())

  test('all nodes send the same historyId, which changes only by npm run restored', async (t) => {
    const { url } = await server.newDatabase()
    const cluster = await Cluster.start({ url, shards: 2 })
    t.after(() => cluster.stop())
    const restored = (folder: string) =>
      runProgram('restored', { folder, env: { DATABASE_URL: url } })
    const made = await cluster.nodes[0]!.newOperator('operator', { shard: 0 })
    const operator = new OperatorClient(cluster.nodes[0]!, made)
    await operator.openMarket()
    const before = await told(cluster.nodes, operator)
    assert.ok(before.latestSequence > 0)

    const owner = await cluster.ownerOf(0)
    cluster.live.remove(owner)
    await owner.kill()
    await cluster.untilOwned()
    assert.deepEqual(await told(cluster.live.all, operator), before, 'after a takeover')
    await cluster.startAgain(owner)
    await cluster.untilOwned()
    assert.deepEqual(await told(cluster.nodes, operator), before, 'after a restart')

    const folder = cluster.nodes[0]!.dataDir
    const inUse = await restored(folder)
    assert.deepEqual([inUse.code, inUse.out], [69, ''])
    assert.match(inUse.error, /^The database is in use by another Outcry service \([^\n]+\n$/)
    assert.deepEqual(await told(cluster.nodes, operator), before, 'after a refusal')

    const all = [...cluster.nodes]
    for (const node of all) cluster.live.remove(node)
    await Promise.all(all.map((node) => node.stop()))
    const done = await restored(folder)
    assert.deepEqual([done.code, done.error], [0, ''])
    for (const node of all) await cluster.startAgain(node)
    await cluster.untilOwned()
    const now = await told(cluster.nodes, operator)
    assert.notEqual(now.historyId, before.historyId)
    assert.equal(done.out, `The historyId is now ${now.historyId}.\n`)
    const { latestSequence: since, historyId } = before
    for (const node of cluster.nodes) {
      const client = new OperatorClient(node, operator)
      const path = `/events?since=${since}&historyId=${historyId}`
      const answer = await client.request('GET', path)
      assert.equal(answer.body.error?.code, 'EVENTS_REWOUND')
      assert.equal(answer.body.error.details.historyId, now.historyId)
    }
  })
}
