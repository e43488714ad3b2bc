// Shards are added by the restart of one node after the other: until its restart, a node does not
// know them.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { startNode } from '../support/cluster/nodes.ts'
import { until } from '../support/http/answers.ts'
import { OperatorClient } from '../support/http/operator-client.ts'
import { newFolder } from '../support/process/outcry-process.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'

const server = await postgresOrNot('nodes with more shards', quick)

if (server !== null) {
  after(() => server.stop())

  test('a node refuses operators of a shard that it does not know until its restart', async (t) => {
    const { url } = await server.newDatabase()
    const dataDir = await newFolder()
    const first = await startNode(url, { SHARDS: '1' }, dataDir)
    const other = await startNode(url, { SHARDS: '2' })
    t.after(async () => {
      await Promise.all([first.kill(), other.kill()])
      await Promise.all([dataDir, other.dataDir].map((folder) => rm(folder, { recursive: true })))
    })

    const added = await OperatorClient.create(other, { shard: 1 })
    const { status, body } = await new OperatorClient(first, added).request('GET', '/orders')
    assert.deepEqual([status, body.error.code], [503, 'UNAVAILABLE'])
    assert.match(first.printed(), /shard of an operator is unknown until a restart/)
    const { body: created } = await first.admin('POST', '/api/v1/admin/operators', { name: 'new' })
    assert.equal(created.data.operator.shard, 0)

    await first.stop()
    const again = await startNode(url, { SHARDS: '2' }, dataDir)
    t.after(() => again.kill())
    const here = new OperatorClient(again, added)
    const statusOf = async () => (await here.request('POST', '/markets', { title: 'A?' })).status
    assert.equal(await until(statusOf, (is) => is === 201, 10_000), 201)
  })
}
