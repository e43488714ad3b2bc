// The examples that use the client do what they tell, against a running service.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { ClientScene, limit } from '../client/scene.ts'
import { until } from '../support/webhooks/receiver.ts'

const scene = await ClientScene.open({
  env: { WEBHOOK_ALLOW_INSECURE: 'true', RATE_LIMIT_PUBLIC: '0' },
})
after(() => scene.close())

function run(name: string, env: Readonly<Record<string, string>> = {}) {
  const file = new URL(`../../examples/${name}`, import.meta.url).pathname
  const { url } = scene.service
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, OUTCRY_URL: url, OUTCRY_KEY: scene.apiKey, ...env },
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

test('the operator backend keeps wallets that are right to the last fee', async () => {
  const backend = run('operator-backend.ts')
  assert.deepEqual(await backend.ended, [0, null])
  const printed = backend.printed()
  assert.match(printed, /ann: SELL 10 at 0\.6, fee 0\.12\n/)
  assert.match(printed, /bob: BUY 10 at 0\.6, fee 0\.12\n/)
  assert.match(printed, /bob cannot pay 255\n/)
  // 100 - 20 for sets + 6 - 0.12 + 10 for what was left; 100 - 6.12 + 10.
  assert.match(printed, /ann has 95\.88\nbob has 103\.88\n$/)
  const [market] = (await scene.client.markets.list()).markets
  assert.equal(market?.status, 'SETTLED')
  for (const { transactionId, status } of await scene.client.settlements.list()) {
    assert.match(transactionId ?? '', /^payout-/)
    assert.equal(status, 'COMPLETED')
  }
})

test('the market maker quotes both sides, leans when it is hit, and leaves nothing', async () => {
  const place = await scene.market()
  const { marketData, orders } = scene.client
  const maker = run('market-maker.ts', { MARKET: place.marketId, FAIR: '0.6' })
  const book = () => marketData.orderBook(place.marketId, place.outcomeId)
  const bests = async () => {
    const { bestBid, bestAsk } = await book()
    return [bestBid, bestAsk]
  }
  const shows = async (bid: number, ask: number) =>
    JSON.stringify(await bests()) === JSON.stringify([bid, ask])
  await until(() => shows(0.58, 0.62))
  await orders.place(limit(place, 'BUY', { price: 0.62, shares: 50 }))
  await until(() => shows(0.61, 0.65))
  await orders.place(limit(place, 'SELL', { price: 0.61, shares: 50 }))
  await until(() => shows(0.58, 0.62))
  maker.child.kill('SIGINT')
  assert.deepEqual(await maker.ended, [0, null])
  assert.match(maker.printed(), /SELL 50 at 0\.62\nBUY 50 at 0\.61\nstopped with 0 shares/)
  const { bids, asks } = await book()
  assert.deepEqual([bids, asks], [[], []])
})
