// The cluster as started by `npm run cluster`: it trades on when a node is killed, and ends whole.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { after, test } from 'node:test'
import { OutcryClient } from '../../client/src/outcry.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { until } from '../support/webhooks/receiver.ts'

const program = new URL('../../demo/cluster/run.ts', import.meta.url).pathname
const startMs = 60_000
const server = await postgresOrNot('the cluster of npm run cluster', quick)

if (server !== null) {
  after(() => server.stop())

  const start = async () => {
    const { url: DATABASE_URL } = await server.newDatabase()
    const args = ['--nodes', '2', '--shards', '2', '--port', '0']
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH, DATABASE_URL },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    after(() => child.kill('SIGTERM'))
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    const found = (pattern: RegExp) => pattern.exec(printed)?.[1] ?? ''
    await until(() => printed.includes('Ctrl-C ends all of it.'), startMs)
    const pids = [...printed.matchAll(/process (\d+)/g)].map(([, pid]) => Number(pid))
    assert.equal(pids.length, 2, printed)
    const isRunning = (pid: number) => existsSync(`/proc/${pid}`)
    return { child, ended, printed: () => printed, found, pids, isRunning }
  }

  test('the printed key trades after a kill of a node, and a signal ends all nodes', async () => {
    const demo = await start()
    const baseUrl = demo.found(/export URL=(\S+)/)
    const client = new OutcryClient({ baseUrl, apiKey: demo.found(/ KEY=(\S+)/) })
    const { id: marketId, outcomes } = await client.markets.create({ title: 'Will it rain?' })
    await client.markets.open(marketId)
    const [outcome] = outcomes
    const order = { marketId, outcomeId: outcome!.id, playerId: 'ann', side: 'BUY' } as const
    const place = () => client.orders.place({ ...order, type: 'LIMIT', shares: 1, price: 0.5 })
    await place()
    process.kill(demo.pids[0]!, 'SIGKILL')
    for (let count = 0; count < 5; count += 1) assert.equal((await place()).order.status, 'PENDING')
    await until(
      () => /node 1 has ended[\s\S]*node 1: - {3}node 2: 0 1/.test(demo.printed()),
      20_000,
    )
    assert.match(demo.printed(), /export OUTCRY_SECRETS_KEY=[0-9a-f]{64} ADMIN_API_KEY=\S+/)

    // npm forwards the signal that the terminal has sent to all processes already.
    demo.child.kill('SIGINT')
    await until(() => demo.printed().includes('Stopping ...'), startMs)
    demo.child.kill('SIGINT')
    assert.deepEqual(await demo.ended, [0, null])
    assert.deepEqual(demo.pids.filter(demo.isRunning), [])
  })
}
