// The metric of how far the streams of a node are behind the owner of a shard.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startNode } from '../support/cluster/nodes.ts'
import { until } from '../support/http/answers.ts'
import { OperatorClient } from '../support/http/operator-client.ts'
import type { Service } from '../support/process/outcry-process.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { StreamClient } from '../support/stream/stream-client.ts'

const server = await postgresOrNot('the lag of streams', quick)
const env = { SHARDS: '1', RATE_LIMIT_PUBLIC: '0' }
const withinMs = 20_000

/** Null if the node has no interest in the shard. */
async function lagOf(node: Service): Promise<number | null> {
  const { body } = await node.request('GET', '/metrics')
  const value = /^outcry_event_lag_seconds\{shard="0"\} (\S+)$/m.exec(body)?.[1]
  return value === undefined ? null : Number(value)
}

if (server !== null) {
  after(() => server.stop())

  test('event_lag_seconds rises while the owner is frozen, and falls when it wakes', async (t) => {
    const { url } = await server.newDatabase()
    const owner = await startNode(url, env)
    const front = await startNode(url, { ...env, NODE_SHARDS_MAX: '0' })
    t.after(async () => {
      owner.process.kill('SIGCONT')
      await Promise.all([front.kill(), owner.kill()])
    })
    const operator = await OperatorClient.create(front)
    const market = await operator.openMarket()
    assert.equal(await lagOf(front), null)

    const streams = [await StreamClient.open(front.url), await StreamClient.open(owner.url)]
    t.after(() => streams.map(({ socket }) => socket.terminate()))
    for (const stream of streams) {
      await stream.request({ op: 'subscribe', channels: ['orderbook'], marketIds: [market.id] })
    }
    await operator.buy(market)
    const reaches = async (isReached: (seconds: number) => boolean) => {
      const isWanted = (lag: number | null) => lag !== null && isReached(lag)
      const lag = await until(() => lagOf(front), isWanted, withinMs)
      assert.ok(isWanted(lag), `${lag} s`)
    }
    await reaches((seconds) => seconds < 1)
    assert.equal(await lagOf(owner), null, 'the owner is behind no other node')
    owner.process.kill('SIGSTOP')
    await reaches((seconds) => seconds > 2)
    owner.process.kill('SIGCONT')
    await reaches((seconds) => seconds < 1)
  })
}
