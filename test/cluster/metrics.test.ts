// The metrics of front ends and of nodes, on a port of their own and behind a key.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { startNode } from '../support/cluster/nodes.ts'
import { Service } from '../support/process/outcry-process.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'

const server = await postgresOrNot('the metrics of nodes', quick)
after(() => server?.stop())

const METRICS_KEY = 'the-key-of-the-metrics'
const withKey = { headers: { authorization: `Bearer ${METRICS_KEY}` } }

/** What the service prints as the address of its metrics. */
function metricsUrlOf(service: Service): string {
  const url = /metrics\s+(http:\S+)/.exec(service.printed())?.[1]
  assert.ok(url !== undefined, service.printed())
  return url
}

test('a service with front ends opens METRICS_PORT once, with the sums of all', async (t) => {
  const service = await Service.start({
    env: { FRONT_ENDS: '2', METRICS_PORT: '0', METRICS_KEY },
  })
  t.after(() => service.stop())
  const url = metricsUrlOf(service)
  assert.equal((await fetch(url)).status, 401)
  const response = await fetch(url, withKey)
  assert.equal(response.status, 200)
  const processes = [...(await response.text()).matchAll(/memory_bytes\{process="([^"]+)"\}/g)]
  const names = new Set(processes.map(([, name]) => name))
  assert.deepEqual([...names].toSorted(), ['engine', 'front-1', 'front-2'])
  for (let count = 0; count < 16; count += 1) {
    const headers = { ...withKey.headers, connection: 'close' }
    assert.equal((await fetch(`${service.url}/metrics`, { headers })).status, 404)
  }
})

test('every front end asks for METRICS_KEY on the port for REST', async (t) => {
  const service = await Service.start({ env: { FRONT_ENDS: '2', METRICS_KEY } })
  t.after(() => service.stop())
  const url = `${service.url}/metrics`
  for (let count = 0; count < 16; count += 1) {
    assert.equal((await fetch(url, { headers: { connection: 'close' } })).status, 401)
    const headers = { ...withKey.headers, connection: 'close' }
    assert.equal((await fetch(url, { headers })).status, 200)
  }
})

if (server !== null) {
  test('each node of a cluster has its own METRICS_PORT', async (t) => {
    const { url } = await server.newDatabase()
    const nodes = [
      await startNode(url, { SHARDS: '2', METRICS_PORT: '0', METRICS_KEY }),
      await startNode(url, { SHARDS: '2', METRICS_PORT: '0', METRICS_KEY }),
    ]
    t.after(async () => {
      for (const node of nodes) {
        await node.kill()
        await rm(node.dataDir, { recursive: true, force: true })
      }
    })
    const [one, other] = nodes.map(metricsUrlOf)
    assert.notEqual(one, other)
    for (const [at, node] of nodes.entries()) {
      const metricsUrl = [one!, other!][at]!
      assert.equal((await fetch(metricsUrl)).status, 401)
      const response = await fetch(metricsUrl, withKey)
      assert.match(await response.text(), /^outcry_links \d+$/m)
      assert.equal((await node.request('GET', '/metrics')).status, 404)
    }
  })
}
