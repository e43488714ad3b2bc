// The examples that use the client work against a running service.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { startMessage } from '../../src/ops/start-message.ts'
import { ClientFixture, limit } from '../client/fixture.ts'
import { until } from '../support/webhooks/receiver.ts'

const fixture = await ClientFixture.open({
  env: { WEBHOOK_ALLOW_INSECURE: 'true', RATE_LIMIT_PUBLIC: '0' },
})
after(() => fixture.close())

/** What a newcomer pastes: the variables of the line that the first start prints. */
function pastedEnv(): Readonly<Record<string, string>> {
  const { url } = fixture.service
  const message = startMessage({
    version: '',
    url,
    grpcAddress: '',
    dataDir: '',
    adminKeyPath: null,
    demoKey: fixture.apiKey,
  })
  const line = /^ *export (.+)$/m.exec(message)?.[1] ?? ''
  return Object.fromEntries(line.split(' ').map((each) => each.split('=')))
}

function run(name: string, env: Readonly<Record<string, string>> = {}) {
  const file = new URL(`../../examples/${name}`, import.meta.url).pathname
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...pastedEnv(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  return { child, ended, printed: () => printed }
}

test('the operator backend computes exact wallets and acknowledges every payout', async () => {
  const backend = run('operator-backend.ts')
  assert.deepEqual(await backend.ended, [0, null])
  const printed = backend.printed()
  assert.match(printed, /ann: SELL 10 at 0\.6, fee 0\.12\n/)
  assert.match(printed, /bob: BUY 10 at 0\.6, fee 0\.12\n/)
  assert.match(printed, /bob cannot pay 255\n/)
  // ann: 100 - 20 for sets + 6 - 0.12 + 10 at settlement. bob: 100 - 6.12 + 10.
  assert.match(printed, /ann has 95\.88\nbob has 103\.88\n$/)
  const [market] = (await fixture.client.markets.list()).markets
  assert.equal(market?.status, 'SETTLED')
  for (const { transactionId, status } of await fixture.client.settlements.list()) {
    assert.match(transactionId ?? '', /^payout-/)
    assert.equal(status, 'COMPLETED')
  }
})

test('the market maker quotes both sides by its inventory, and cancels at the end', async () => {
  const market = await fixture.market()
  const { marketData, orders } = fixture.client
  const maker = run('market-maker.ts', { MARKET: market.marketId, FAIR: '0.6' })
  const book = () => marketData.orderBook(market.marketId, market.outcomeId)
  const bests = async () => {
    const { bestBid, bestAsk } = await book()
    return [bestBid, bestAsk]
  }
  const shows = async (bid: number, ask: number) =>
    JSON.stringify(await bests()) === JSON.stringify([bid, ask])
  await until(() => shows(0.58, 0.62))
  await orders.place(limit(market, 'BUY', { price: 0.62, shares: 50 }))
  await until(() => shows(0.61, 0.65))
  await orders.place(limit(market, 'SELL', { price: 0.61, shares: 50 }))
  await until(() => shows(0.58, 0.62))
  maker.child.kill('SIGINT')
  assert.deepEqual(await maker.ended, [0, null])
  assert.match(
    maker.printed(),
    /SELL 50 at 0\.62\nBUY 50 at 0\.61\nstopped with an inventory change of 0 shares/,
  )
  const { bids, asks } = await book()
  assert.deepEqual([bids, asks], [[], []])
})
