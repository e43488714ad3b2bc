// Moves and drains in a cluster of real processes, asked of any node.

import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { startCluster, startNode } from '../support/cluster/nodes.ts'
import { until } from '../support/http/answers.ts'
import type { Json, Service } from '../support/process/outcry-process.ts'
import { type DatabaseServer, postgresOrNot, quick } from '../support/store/postgres-databases.ts'

const server = await postgresOrNot('the administration of real nodes', quick)
if (server !== null) suite('the administration of real nodes', () => checks(server))

function checks(database: DatabaseServer): void {
  let url = ''
  let nodes: readonly Service[] = []
  before(async () => {
    url = (await database.newDatabase()).url
    nodes = await startCluster({ url, nodes: 2, shards: 4 })
  })
  after(async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    for (const { dataDir } of nodes) rmSync(dataDir, { recursive: true })
    await database.stop()
  })

  const view = async (at: number): Promise<Json> =>
    (await nodes[at]!.admin('GET', '/api/v1/admin/cluster')).body.data
  const move = (at: number, shard: number, nodeId: string | null) =>
    nodes[at]!.admin('POST', `/api/v1/admin/shards/${shard}/move`, { nodeId })

  test('every node shows the same nodes and shards, with load and operators', async () => {
    const { body } = await nodes[0]!.admin('POST', '/api/v1/admin/operators', {
      name: 'Acme',
      shard: 3,
    })
    assert.equal(body.data.operator.shard, 3)
    const isWhole = ({ nodes: all, shards }: Json) =>
      all.length === 2 && shards.every(({ openOrders }: Json) => openOrders === 0)
    const [one, other] = [await until(() => view(0), isWhole), await until(() => view(1), isWhole)]
    assert.ok(isWhole(one) && isWhole(other), JSON.stringify([one, other]))
    assert.deepEqual(
      one.shards.map(({ operators }: Json) => operators),
      [0, 0, 0, 1],
    )
    const ofNodes = (shown: Json) =>
      shown.nodes.map(({ id, address, state }: Json) => ({ id, address, state }))
    assert.deepEqual(ofNodes(one), ofNodes(other))
    for (const { state, loopLagMs } of one.nodes) {
      assert.deepEqual([state, typeof loopLagMs], ['ACTIVE', 'number'])
    }
    const owned = one.nodes.flatMap(({ shards }: Json) => shards).sort()
    assert.deepEqual(owned, [0, 1, 2, 3])
    assert.equal(one.takeovers.filter(({ reason }: Json) => reason === 'FIRST').length, 4)
  })

  test('a shard moves to each node when either is asked, and stays pinned', async () => {
    const ids = (await view(0)).nodes.map(({ id }: Json) => id)
    for (const [at, to] of [
      [0, ids[1]],
      [1, ids[0]],
      [0, ids[1]],
      [1, ids[0]],
    ] as const) {
      const { status, body } = await move(at, 3, to)
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual([body.data.nodeId, body.data.pinnedTo], [to, to])
      assert.equal((await view(1 - at)).shards[3].nodeId, to)
    }
    const unpinned = await move(0, 3, null)
    assert.deepEqual([unpinned.status, unpinned.body.data.pinnedTo], [200, null])
  })

  test('a drained node hands over every shard, serves on, and a restart undoes it', async () => {
    const { nodes: all } = await view(0)
    const self = all.find(({ id }: Json) => id === idIn(nodes[1]!))
    assert.equal((await move(0, 2, self.id)).status, 200, 'it has a shard to hand over')
    const drained = await nodes[0]!.admin('POST', `/api/v1/admin/nodes/${self.id}/drain`)
    assert.deepEqual([drained.status, drained.body.data.state], [200, 'DRAINING'])
    const isEmpty = ({ nodes: rows }: Json) =>
      rows.find(({ id }: Json) => id === self.id)?.shards.length === 0
    const after = await until(() => view(1), isEmpty, 15_000)
    assert.ok(isEmpty(after), JSON.stringify(after.shards))
    const created = await nodes[1]!.admin('POST', '/api/v1/admin/operators', { name: 'Late' })
    assert.equal(created.status, 201)
    const refused = await move(0, 0, self.id)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'NODE_CANNOT_OWN'])

    const { dataDir } = nodes[1]!
    assert.equal(await nodes[1]!.stop(), 0)
    nodes = [nodes[0]!, await startNode(url, { SHARDS: '4' }, dataDir)]
    const again = (await view(0)).nodes.find(({ id }: Json) => id === self.id)
    assert.equal(again.state, 'ACTIVE')
    assert.equal((await move(0, 0, self.id)).status, 200)
  })
}

function idIn({ dataDir }: Service): string {
  return readFileSync(join(dataDir, 'place.id'), 'utf8').split(' ')[0]!
}
