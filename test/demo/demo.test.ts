// The demo as started by `npm run demo`: markets in every state, trades, and no data left behind.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { after, test } from 'node:test'
import { OutcryClient } from '../../client/src/outcry.ts'
import { until } from '../support/webhooks/receiver.ts'

const program = new URL('../../demo/run.ts', import.meta.url).pathname
const startMs = 60_000

function run(...args: string[]) {
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  after(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const found = (pattern: RegExp) => pattern.exec(printed)?.[1] ?? ''
  return { child, ended, printed: () => printed, found }
}

async function running(demo: ReturnType<typeof run>) {
  await until(() => demo.printed().includes('Press Ctrl-C to stop.'), startMs)
  const baseUrl = demo.found(/console +(http:\/\/\S+)\/console/)
  const apiKey = demo.found(/operator key +(\S+)/)
  const adminKey = demo.found(/admin key +(\S+)/)
  const folder = demo.found(/data folder +([^\s,]+)/)
  return { client: new OutcryClient({ baseUrl, apiKey, adminKey }), baseUrl, folder }
}

test('the demo shows markets in every state and trades, and ends after --for', async () => {
  const demo = run('--port', '0', '--for', '4')
  const { client, folder } = await running(demo)
  const { markets } = await client.markets.list({ shared: true, limit: 100 })
  const statuses = new Set(markets.map(({ status }) => status))
  assert.deepEqual([...statuses].sort(), ['CLOSED', 'OPEN', 'SETTLED', 'UPCOMING'])
  assert.ok(markets.length >= 10)
  assert.ok(
    markets.some(({ shared, operatorId }) => shared && operatorId !== markets[0]?.operatorId),
  )
  assert.ok(markets.some(({ outcomes }) => outcomes.length === 6))
  assert.ok(markets.some(({ tradingEndsAt }) => tradingEndsAt !== null))
  assert.ok(markets.every(({ category }) => category !== undefined))
  assert.equal((await client.admin.operators()).length, 3)
  const settled = markets.find(({ status }) => status === 'SETTLED')
  const paid = await client.settlements.list({ marketId: settled?.id })
  assert.ok(paid.some(({ transactionId }) => transactionId?.startsWith('payout-')))
  const { events } = await client.events.list({ eventType: 'ORDER_MATCHED' })
  assert.ok(events.length > 0)

  assert.deepEqual(await demo.ended, [0, null])
  const [orders, trades] = ['orders', 'trades'].map((name) =>
    Number(demo.found(new RegExp(`Ended after .*?(\\d+) ${name}`))),
  )
  assert.ok((orders ?? 0) > 50 && (trades ?? 0) > 0, demo.printed())
  assert.ok(!existsSync(folder))
})

test('the demo uses a free port if 8084 is in use, and ends on an interrupt', async () => {
  const blocker = createServer()
  blocker.on('error', () => undefined)
  blocker.listen(8_084, '127.0.0.1')
  try {
    const demo = run()
    const { client, baseUrl, folder } = await running(demo)
    assert.notEqual(new URL(baseUrl).port, '8084')
    assert.ok(existsSync(folder))
    demo.child.kill('SIGINT')
    assert.deepEqual(await demo.ended, [0, null])
    assert.ok(!existsSync(folder))
    await assert.rejects(client.health({ retriesMax: 0 }), { code: 'NETWORK_ERROR' })
  } finally {
    blocker.close()
  }
})

test('the demo rejects an invalid option and says what it expects', async () => {
  const child = spawn(process.execPath, [program, '--for', 'ever'])
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  assert.deepEqual(await once(child, 'close'), [2, null])
  assert.match(
    printed,
    /^--for must be a whole number from 0 to 86400, got "ever"; see --help\.\n$/,
  )
})
