// The examples that use the client work against a running service.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { startMessage } from '../../src/ops/start-message.ts'
import { ClientFixture, limit } from '../client/fixture.ts'
import { freePort } from '../support/process/free-port.ts'
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
    metricsUrl: null,
    isOnAllInterfaces: false,
    hasConsole: true,
    hasGuide: true,
    dataDir: '',
    adminKeyPath: null,
    demo: { id: '', key: fixture.apiKey },
  })
  const line = /^ *export (.+)$/m.exec(message)?.[1] ?? ''
  return Object.fromEntries(line.split(' ').map((each) => each.split('=')))
}

function run(
  name: string,
  env: Readonly<Record<string, string>> = {},
  errors: 'inherit' | 'pipe' = 'inherit',
) {
  const file = new URL(`../../examples/${name}`, import.meta.url).pathname
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...pastedEnv(), ...env },
    stdio: ['ignore', 'pipe', errors],
  })
  const ended = once(child, 'exit')
  after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  return { child, ended, printed: () => printed }
}

test('the operator backend computes exact wallets and acknowledges every payout', async () => {
  const backend = run('operator-backend.ts')
  assert.deepEqual(await backend.ended, [0, null])
  const printed = backend.printed()
  assert.match(printed, /ann: SELL 10 at 0\.6, fee 0\.12\n/)
  assert.match(printed, /bob: BUY 10 at 0\.6, fee 0\.12\n/)
  assert.match(printed, /bob cannot pay 255\n/)
  assert.equal(printed.match(/the wallets agree with the exposure and the recon/g)?.length, 2)
  // ann: 100 - 20 for sets + 6 - 0.12 + 10 at settlement. bob: 100 - 6.12 + 10.
  assert.match(printed, /ann has 95\.88\nbob has 103\.88\n$/)
  const { client } = fixture
  const [market] = (await client.markets.list()).markets
  assert.equal(market?.status, 'SETTLED')
  for (const { transactionId, status } of await client.settlements.list()) {
    assert.match(transactionId ?? '', /^payout-/)
    assert.equal(status, 'COMPLETED')
  }
  assert.deepEqual(await client.settlements.list({ acknowledged: false }), [])
  const metrics = await (await fetch(`${fixture.service.url}/metrics`)).text()
  const reads = metrics.split('\n').filter((line) => /method="GET".*route="/.test(line))
  assert.ok(
    reads.some((line) => line.includes('/api/v1/events"')),
    'requests are counted',
  )
  assert.ok(!reads.some((line) => line.includes('/api/v1/orders')), 'no order was read')
  // 200 were paid in, and 95.88 + 103.88 are left: what the service says is missing are the fees.
  const { operators, payouts } = await client.markets.reconciliation(market.id)
  const [own] = operators
  const { minted, redeemed, bought, sold, fees } = own!
  const received = Number(redeemed) + Number(sold) + Number(payouts)
  const change = received - Number(minted) - Number(bought) - Number(fees)
  assert.equal(change.toFixed(10), (95.88 + 103.88 - 200).toFixed(10))
  for (const playerId of ['ann', 'bob']) {
    const { currencies, openOrders } = await client.players.exposure(playerId)
    assert.deepEqual([currencies, openOrders], [[], 0])
  }
})

test('the operator backend books what the operator pays, at any fee rate', async () => {
  const other = await fixture.service.newOperator('operator', { feePercent: 0.35 })
  const backend = run('operator-backend.ts', { KEY: other.key })
  assert.deepEqual(await backend.ended, [0, null])
  assert.match(backend.printed(), /ann: SELL 10 at 0\.6, fee 0\.021\n/)
  assert.match(backend.printed(), /bob cannot pay 250\.875\n/)
  assert.match(backend.printed(), /ann has 95\.979\nbob has 103\.979\n$/)
})

test('the operator backend stops when the service was restored, and says what to do', async () => {
  // Passes requests on, and says from the second replay on that the history was another one.
  let replays = 0
  const proxy = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', fixture.service.url)
    if (url.pathname === '/api/v1/events') {
      replays += 1
      if (replays > 1) url.searchParams.set('historyId', '3f0a1e52-6a51-4c1e-9a58-1c2f0d7b9e66')
    }
    const body = await text(request)
    const headers = { 'x-api-key': fixture.apiKey, 'content-type': 'application/json' }
    const method = request.method ?? 'GET'
    const answer = await fetch(url, { method, headers, ...(body === '' ? {} : { body }) })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(await answer.text())
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const { port } = proxy.address() as AddressInfo
  try {
    const backend = run('operator-backend.ts', { URL: `http://127.0.0.1:${port}` }, 'pipe')
    assert.deepEqual(await backend.ended, [1, null])
    const error = backend.printed()
    assert.match(error, /The database was restored: .* continue after \d+\.\n/)
    assert.match(error, /\nNo more events are booked\. Compare the wallets with .*\n.*\n/)
    assert.doesNotMatch(backend.printed(), /ann has/)
  } finally {
    proxy.close()
    proxy.closeAllConnections()
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
  assert.equal((await fixture.client.deadMan.get('maker')).state, 'ARMED')
  await orders.place(limit(market, 'BUY', { price: 0.62, shares: 50 }))
  await until(() => shows(0.61, 0.65))
  await orders.place(limit(market, 'SELL', { price: 0.61, shares: 50 }))
  await until(() => shows(0.58, 0.62))
  maker.child.kill('SIGINT')
  assert.deepEqual(await maker.ended, [0, null])
  assert.match(
    maker.printed(),
    /SELL 50 at 0\.62\n.*BUY 50 at 0\.61\n.*stopped with an inventory change of 0 shares/s,
  )
  assert.match(maker.printed(), /BUY quote: 0 orders with 0 shares are ahead\n/)
  const { bids, asks } = await book()
  assert.deepEqual([bids, asks], [[], []])
  await assert.rejects(fixture.client.deadMan.get('maker'), { code: 'NOT_FOUND' })
})

test('the market maker stops when its quotes are filled too fast', async () => {
  const market = await fixture.market()
  const { marketData, orderGroups, orders } = fixture.client
  const maker = run('market-maker.ts', { MARKET: market.marketId, FAIR: '0.6' })
  const book = () => marketData.orderBook(market.marketId, market.outcomeId)
  await until(async () => (await book()).bestAsk === 0.62)
  let hasEnded = false
  void maker.ended.then(() => {
    hasEnded = true
  })
  await until(async () => {
    const order = limit(market, 'BUY', { price: 0.99, shares: 50 })
    await orders.place({ ...order, timeInForce: 'IOC' })
    return hasEnded
  })
  assert.deepEqual(await maker.ended, [0, null])
  assert.match(maker.printed(), /stopping: [12]\d0 shares were filled within 15 seconds\n/)
  const { bids, asks } = await book()
  assert.deepEqual([bids, asks], [[], []])
  assert.equal((await orderGroups.list({ playerId: 'maker' })).total, 0)
})

test('examples end with one line if what they are given or need is missing or wrong', async () => {
  const unused = `http://127.0.0.1:${await freePort()}`
  const strict = await ClientFixture.open()
  after(() => strict.close())
  const httpsOnly = { URL: strict.service.url, KEY: strict.apiKey }
  const { port } = new URL(strict.service.url)
  const wrong: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    [
      'operator-backend.ts',
      { KEY: '' },
      /^KEY is missing: set it to the key of an operator, .+\n$/,
    ],
    ['operator-backend.ts', { KEY: 'oc_live_x' }, /^Cannot use http.+ with this KEY: .*key.*\n$/i],
    ['operator-backend.ts', { KEY: 'caf\u00e9' }, /^Cannot use http.+ visible ASCII .+\n$/],
    ['operator-backend.ts', { URL: unused }, /^Cannot use http.+\n$/],
    ['operator-backend.ts', { URL: 'x' }, /^Cannot use x with this KEY: baseUrl must be .+\n$/],
    ['market-maker.ts', { KEY: '', MARKET: 'x' }, /^KEY is missing: .+\n$/],
    ['market-maker.ts', { MARKET: '' }, /^MARKET is missing: set it to the id of .+\n$/],
    ['market-maker.ts', { MARKET: 'x' }, /^Cannot quote the MARKET x: .+\n$/],
    ['operator-backend.ts', httpsOnly, /must use https.*: .+ WEBHOOK_ALLOW_INSECURE=true\.\n$/],
    ['webhook-receiver.ts', { SECRET: '' }, /^SECRET is missing: set it to .+\n$/],
    ['webhook-receiver.ts', { SECRET: 'x', PORT: port }, /^Cannot receive on PORT .+ in use .+\n$/],
  ]
  for (const [name, env, line] of wrong) {
    const example = run(name, env, 'pipe')
    assert.deepEqual(await example.ended, [1, null], name)
    assert.match(example.printed(), line)
    assert.equal(example.printed().split('\n').length, 2, example.printed())
  }
})
