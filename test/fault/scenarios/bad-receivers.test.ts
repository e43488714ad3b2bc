// Webhook receivers that hang, trickle, reset, redirect, flood and flap, beside healthy ones of
// twenty other operators, which still get all events in time. Orders are as fast as before.

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
  flaps: (response, { event }) => response.writeHead(event.sequence % 2 === 0 ? 200 : 503).end(),
}

type Trader = { readonly operator: Operator; readonly market: Json }

async function trade(fixture: WebhookFixture, traders: readonly Trader[], from: number) {
  const tookMs: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const { operator, market } of traders) {
      const serviceOptions = performance.now()
      const { status } = await fixture.bid(operator, market, (from + round) / 1_000)
      tookMs.push(performance.now() - serviceOptions)
      assert.equal(status, 201)
    }
  }
  return tookMs
}

function part(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!
}

async function memoryOf(fixture: WebhookFixture): Promise<number> {
  const text = await (await fetch(`${fixture.service.url}/metrics`)).text()
  return Number(/^outcry_process_resident_memory_bytes (\S+)/m.exec(text)?.[1])
}

test('misbehaving webhook receivers delay neither orders nor other webhooks', async (t) => {
  const fixture = await WebhookFixture.open()
  after(() => fixture.close())
  const traders: Trader[] = []
  const good = await fixture.receiver()
  for (let at = 0; at < goodOnes; at += 1) {
    const operator = await fixture.service.newOperator(`good ${at}`)
    await fixture.webhook(operator, good.url)
    traders.push({ operator, market: await fixture.market(operator) })
  }
  const before = await trade(fixture, traders, 100)

  const misbehaving: Trader[] = []
  for (const [name, respond] of Object.entries(badOnes)) {
    const receiver = await fixture.receiver(respond)
    const operator = await fixture.service.newOperator(name)
    for (let at = 0; at < 4; at += 1) await fixture.webhook(operator, receiver.url)
    misbehaving.push({ operator, market: await fixture.market(operator) })
  }
  await trade(fixture, misbehaving, 200)
  const memoryBefore = await memoryOf(fixture)
  const since = Date.now()
  const during = await trade(fixture, [...traders, ...misbehaving], 300)
  const memory = (await memoryOf(fixture)) - memoryBefore

  for (const { operator } of traders) {
    const events = await fixture.events(operator)
    const got = () => good.received.filter(({ event }) => event.operatorId === operator.id)
    await until(() => got().length >= events.length)
    assert.equal(new Set(got().map(({ event }) => event.sequence)).size, events.length)
  }
  const lags = good.received
    .filter(({ event }) => Date.parse(String(event.timestamp)) >= since)
    .map(({ event, at }) => at - Date.parse(String(event.timestamp)))
  t.diagnostic(
    `orders ms, median before ${part(before, 0.5).toFixed(1)}, during ` +
      `${part(during, 0.5).toFixed(1)}; p99 ${part(before, 0.99).toFixed(1)} and ` +
      `${part(during, 0.99).toFixed(1)}; ${lags.length} deliveries, lag p99 ` +
      `${part(lags, 0.99)} ms; memory +${Math.round(memory / 1024 / 1024)} MiB`,
  )
  assert.ok(part(lags, 0.99) <= lagP99MaxMs, `lag p99 ${part(lags, 0.99)} ms`)
  assert.ok(memory <= memoryMax, `${memory} bytes more`)
  // Tests share the machine: only a clear difference counts.
  assert.ok(part(during, 0.5) <= part(before, 0.5) * 2 + 5, 'orders are slower')
})
