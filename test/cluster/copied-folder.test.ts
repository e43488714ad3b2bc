// A copy of a node's data folder, on the same machine or on another disk, does not run as that
// node.

import assert from 'node:assert/strict'
import { cp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { nodeSettings, startNode } from '../support/cluster/nodes.ts'
import { until } from '../support/http/answers.ts'
import { OperatorClient } from '../support/http/operator-client.ts'
import { failedStart, newFolder, type Service } from '../support/process/outcry-process.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'
import { untilReady } from './support/cluster.ts'

const server = await postgresOrNot('copies of the folder of a node', quick)
const env = { SHARDS: '1' }

if (server !== null) {
  after(() => server.stop())

  const nodeAndCopy = async (t: TestContext) => {
    const { url } = await server.newDatabase()
    const node = await startNode(url, env)
    const copy = await newFolder()
    t.after(async () => {
      await node.kill()
      for (const folder of [node.dataDir, copy]) await rm(folder, { recursive: true, force: true })
    })
    await untilReady(node)
    const operator = await OperatorClient.create(node)
    const market = await operator.openMarket()
    // Not the lock, which is of a running process.
    await cp(join(node.dataDir, 'place.id'), join(copy, 'place.id'))
    return { url, node, copy, operator, market }
  }

  /** As on a disk that was copied as a whole, where the file has the same inode. */
  const likeCopiedDisk = async (folder: string) => {
    const file = join(folder, 'place.id')
    const [id] = (await readFile(file, 'utf8')).split(' ')
    await writeFile(file, `${id} ${(await stat(file)).ino}`)
  }

  const epochOf = async (url: string) => {
    const [head] = await query<{ epoch: string }>(url, 'SELECT epoch FROM outcry_shard_0.head')
    return Number(head!.epoch)
  }

  // A busy machine may answer 503 at first.
  const nodeCount = async (node: Service) => {
    const view = () => node.admin('GET', '/api/v1/admin/cluster')
    const { status, body } = await until(view, (answer) => answer.status === 200)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data.nodes.length
  }

  test('a copy on another disk does not start while the node runs, which goes on', async (t) => {
    const { url, node, copy, operator, market } = await nodeAndCopy(t)
    await likeCopiedDisk(copy)
    const epoch = await epochOf(url)
    const { code, printed } = await failedStart({
      dataDir: copy,
      env: { ...nodeSettings(url), ...env },
    })
    assert.match(printed, /^DATA_DIR is a copy of the folder of the node at \S+, which .+\n$/)
    assert.equal(code, 69)
    await operator.buy(market)
    assert.equal(await epochOf(url), epoch)
    assert.equal(node.hasEnded, false)
  })

  test('a copied folder on the same disk is another node', async (t) => {
    const { url, node, copy, operator, market } = await nodeAndCopy(t)
    const second: Service = await startNode(url, env, copy)
    t.after(() => second.kill())
    assert.equal(await nodeCount(second), 2)
    await new OperatorClient(second, operator).buy(market)
    assert.equal(node.hasEnded, false)
  })

  test('a killed node joins again from its folder before it counts as dead', async (t) => {
    const { url, node } = await nodeAndCopy(t)
    await node.kill()
    await query(url, "UPDATE nodes SET alive_until = clock_timestamp() + interval '1 hour'")
    const again = await startNode(url, env, node.dataDir)
    t.after(() => again.kill())
    assert.equal(await nodeCount(again), 1)
  })

  test('a killed node that starts again in its folder does not wait for its lease', async (t) => {
    const { url } = await server.newDatabase()
    const longLease = { ...env, SHARD_LEASE_MS: '30000' }
    const first = await startNode(url, longLease)
    await untilReady(first)
    const operator = await OperatorClient.create(first)
    const market = await operator.openMarket()
    await first.kill()
    const killedAt = performance.now()
    const second = await startNode(url, longLease, first.dataDir)
    t.after(() => second.kill())
    await untilReady(second)
    assert.ok(performance.now() - killedAt < 25_000, 'the lease of the first has not ended yet')
    await new OperatorClient(second, operator).buy(market, { price: 0.1 })
  })
}
