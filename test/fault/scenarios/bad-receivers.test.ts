// Receivers that hang, trickle, reset, redirect, flood and flap, beside twenty good ones of other
// operators: those get everything in time, and orders are answered as fast as before.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Json } from '../../support/process/outcry-process.ts'
import { type Respond, until } from '../../support/webhooks/receiver.ts'
import { type Operator, WebhookFixture } from '../../support/webhooks/webhook-fixture.ts'

const goodOnes = 20
const rounds = 12
const lagP99MaxMs = 1_000
const memoryMax = 50 * 1024 * 1024

const badOnes: Readonly<Record<string, Respond>> = {
  hangs: () => undefined,
  trickles: (_response, _received, socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ')
    const trickle = setInterval(() => socket.write('x'), 100)
    socket.on('error', () => undefined)
    socket.on('close', () => clearInterval(trickle))
  },
  resets: (_response, _received, socket) => socket.resetAndDestroy(),
  redirects: (response) => response.writeHead(302, { location: '/hook' }).end(),
  floods: (response, _received, socket) => {
    const piece = Buffer.alloc(64 * 1024)
    const flood = () => {
      while (!socket.destroyed && response.write(piece));
    }
    response.on('drain', flood)
    response.on('error', () => undefined)
    response.setHeader('transfer-encoding', 'chunked')
    flood()
  },
  flaps: (response, { told }) => response.writeHead(told.sequence % 2 === 0 ? 200 : 503).end(),
}

type Trader = { readonly operator: Operator; readonly market: Json }

async function trade(scene: WebhookFixture, traders: readonly Trader[], from: number) {
  const tookMs: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const { operator, market } of traders) {
      const started = performance.now()
      const { status } = await scene.bid(operator, market, (from + round) / 1_000)
      tookMs.push(performance.now() - started)
      assert.equal(status, 201)
    }
  }
  return tookMs
}

function part(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!
}

async function memoryOf(scene: WebhookFixture): Promise<number> {
  const text = await (await fetch(`${scene.service.url}/metrics`)).text()
  return Number(/^outcry_process_resident_memory_bytes (\S+)/m.exec(text)?.[1])
}

test('bad receivers hurt nobody but themselves', async (t) => {
  const scene = await WebhookFixture.open()
  after(() => scene.close())
  const traders: Trader[] = []
  const good = await scene.receiver()
  for (let at = 0; at < goodOnes; at += 1) {
    const operator = await scene.service.newOperator(`good ${at}`)
    await scene.webhook(operator, good.url)
    traders.push({ operator, market: await scene.market(operator) })
  }
  const before = await trade(scene, traders, 100)

  const villains: Trader[] = []
  for (const [name, respond] of Object.entries(badOnes)) {
    const receiver = await scene.receiver(respond)
    const operator = await scene.service.newOperator(name)
    for (let at = 0; at < 4; at += 1) await scene.webhook(operator, receiver.url)
    villains.push({ operator, market: await scene.market(operator) })
  }
  await trade(scene, villains, 200)
  const memoryBefore = await memoryOf(scene)
  const since = Date.now()
  const during = await trade(scene, [...traders, ...villains], 300)
  const memory = (await memoryOf(scene)) - memoryBefore

  for (const { operator } of traders) {
    const events = await scene.events(operator)
    const got = () => good.received.filter(({ told }) => told.operatorId === operator.id)
    await until(() => got().length >= events.length)
    assert.equal(new Set(got().map(({ told }) => told.sequence)).size, events.length)
  }
  const lags = good.received
    .filter(({ told }) => Date.parse(String(told.timestamp)) >= since)
    .map(({ told, at }) => at - Date.parse(String(told.timestamp)))
  t.diagnostic(
    `orders ms, median before ${part(before, 0.5).toFixed(1)}, during ` +
      `${part(during, 0.5).toFixed(1)}; p99 ${part(before, 0.99).toFixed(1)} and ` +
      `${part(during, 0.99).toFixed(1)}; ${lags.length} deliveries, lag p99 ` +
      `${part(lags, 0.99)} ms; memory +${Math.round(memory / 1024 / 1024)} MiB`,
  )
  assert.ok(part(lags, 0.99) <= lagP99MaxMs, `lag p99 ${part(lags, 0.99)} ms`)
  assert.ok(memory <= memoryMax, `${memory} bytes more`)
  // The machine of a test is shared: only a plain change counts.
  assert.ok(part(during, 0.5) <= part(before, 0.5) * 2 + 5, 'orders are slower')
})
