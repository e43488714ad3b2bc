// A node that does not fit to the others does not start: it prints one line and ends with a code.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import type { ClusterNode } from '../../src/cluster/node.ts'
import { Metrics } from '../../src/ops/metrics.ts'
import { joinCluster } from '../../src/wiring/node.ts'
import { nodeSettings, startNode } from '../support/cluster/nodes.ts'
import { failedStart, Service } from '../support/process/outcry-process.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'

const server = await postgresOrNot('starts of nodes that do not fit', quick)

const otherKey = 'f'.repeat(64)

if (server !== null) {
  after(() => server.stop())

  const oneNode = async (t: TestContext) => {
    const { url } = await server.newDatabase()
    const node = await startNode(url, { SHARDS: '2' })
    t.after(async () => {
      await node.kill()
      await rm(node.dataDir, { recursive: true, force: true })
    })
    return { node, url }
  }

  for (const [what, env] of [
    ['another rate limit', { RATE_LIMIT_ORDERS: '7' }],
    ['another fee', { DEFAULT_TRADING_FEE_PERCENT: '3' }],
    ['another secrets key', { OUTCRY_SECRETS_KEY: otherKey }],
  ] as const) {
    test(`a node with ${what} than the others does not join`, async (t) => {
      const { node, url } = await oneNode(t)
      const { code, printed } = await failedStart({ env: { ...nodeSettings(url), ...env } })
      assert.match(printed, /^The node at \S+ has other settings; all nodes .+\n$/)
      assert.equal(code, 78)
      assert.equal(node.hasEnded, false)
    })
  }

  test('a node whose secrets key did not make the stored keys does not start', async (t) => {
    const { node, url } = await oneNode(t)
    await node.newOperator()
    const env = { ...nodeSettings(url), OUTCRY_SECRETS_KEY: otherKey }
    const { code, printed } = await failedStart({ env })
    assert.match(printed, /^OUTCRY_SECRETS_KEY does not match the database: .+\n$/)
    assert.equal(code, 69)
  })

  test('a node with a link protocol that another does not understand does not join', async (t) => {
    const { node, url } = await oneNode(t)
    await query(url, 'UPDATE nodes SET protocol = protocol + 2')
    const { code, printed } = await failedStart({ env: nodeSettings(url) })
    assert.match(printed, /^The node at \S+ has version \S+ with link protocol \d+, and .+\n$/)
    assert.equal(code, 78)
    assert.equal(node.hasEnded, false)
  })

  test('a service with front ends alone, and a cluster, do not share a database', async (t) => {
    const { node, url } = await oneNode(t)
    const { OUTCRY_SECRETS_KEY = '' } = nodeSettings(url)
    const alone = { DATABASE_URL: url, OUTCRY_SECRETS_KEY, FRONT_ENDS: '1' }
    const joining = await failedStart({ env: alone })
    assert.match(joining.printed, /^The node at \S+ uses the database; set CLUSTER=true .+\n$/m)
    assert.equal(joining.code, 78)
    await query(url, `UPDATE nodes SET address = 'unix:/tmp/link'`)
    const { code, printed } = await failedStart({ env: nodeSettings(url) })
    assert.match(printed, /^A service with FRONT_ENDS and without CLUSTER=true uses the .+\n$/)
    assert.equal(code, 78)
    assert.equal(node.hasEnded, false)
  })

  test('a node whose port for others is in use does not start, and says which', async (t) => {
    const { node, url } = await oneNode(t)
    const [row] = await query<{ address: string }>(url, 'SELECT address FROM nodes')
    const CLUSTER_PORT = row!.address.split(':')[1]!
    const { code, printed } = await failedStart({ env: { ...nodeSettings(url), CLUSTER_PORT } })
    assert.equal(
      printed,
      `Port ${CLUSTER_PORT} is in use by another process; set CLUSTER_PORT to a free port.\n`,
    )
    assert.equal(code, 69)
    assert.equal(node.hasEnded, false)
  })

  test('a second process in the same folder does not start', async (t) => {
    const { node, url } = await oneNode(t)
    const { code, printed } = await failedStart({ dataDir: node.dataDir, env: nodeSettings(url) })
    assert.match(printed, /^The data folder .+ is in use by another .+\n$/)
    assert.equal(code, 69)
    assert.equal(node.hasEnded, false)
  })

  test('a node whose port for links is in use does not start', async (t) => {
    const { url } = await server.newDatabase()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    t.after(() => other.close())
    const { port } = other.address() as AddressInfo
    const env = { ...nodeSettings(url), CLUSTER_PORT: String(port) }
    const { code, printed } = await failedStart({ env })
    const line = `Port ${port} is in use by another process; set CLUSTER_PORT to a free port.\n`
    assert.deepEqual({ code, printed }, { code: 69, printed: line })
  })

  test('a service that is not a node does not start on a database of nodes', async (t) => {
    const { node, url } = await oneNode(t)
    const { code, printed } = await failedStart({ env: { DATABASE_URL: url } })
    assert.match(printed, /^The database is in use by another Outcry service \(.+\); .+\n$/)
    assert.equal(code, 69)
    assert.equal(node.hasEnded, false)
  })

  test('a node does not start on the database of a service that is not a node', async (t) => {
    const { url } = await server.newDatabase()
    const { OUTCRY_SECRETS_KEY = '' } = nodeSettings(url)
    const service = await Service.start({ env: { DATABASE_URL: url, OUTCRY_SECRETS_KEY } })
    t.after(() => service.kill())
    const { code, printed } = await failedStart({ env: nodeSettings(url) })
    assert.match(printed, /^The database is in use by another Outcry service \(.+\); .+\n$/)
    assert.equal(code, 69)
    assert.equal(service.hasEnded, false)
  })
}

test('a node whose clock is off by more than 500 ms leaves again', async () => {
  for (const clockOffMs of [-800, 501, 500, 0]) {
    let hasStopped = false
    const node = {
      clockOffMs,
      join: async () => undefined,
      stop: async () => {
        hasStopped = true
      },
    }
    const joined = joinCluster(node as unknown as ClusterNode, new Metrics())
    const message = /^The clock of this machine differs by (800|501) ms from that of the database/
    if (Math.abs(clockOffMs) > 500) await assert.rejects(joined, { name: 'SetupProblem', message })
    else await joined
    assert.equal(hasStopped, Math.abs(clockOffMs) > 500)
  }
})
