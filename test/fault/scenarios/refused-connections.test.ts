// A connection that was refused with an error executes nothing more: whatever its client still
// sends is not stored, and whatever was executed before is answered first.

import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Service } from '../../support/process/outcry-process.ts'
import { serviceOptions } from '../support/process-options.ts'
import { type FixtureMarket, openMarket } from '../support/trading-fixture.ts'

/** Longer than the service waits for a request, and than it takes to notice. */
const timeoutMax = 60_000
/** After this, a connection without bytes is left to the HTTP server. */
const handedOverMs = 2_000
const frozenMs = 16_000
const frozenConnections = 10
const lateMs = 500

let service: Service
let key: string
let market: FixtureMarket
before(async () => {
  service = await Service.start(serviceOptions())
  const trader = await service.newOperator()
  key = trader.key
  market = await openMarket(service, trader)
})
after(() => service.stop())

test('after 408, the rest of a request is not read, nor is a new one', async () => {
  const [half, rest] = halvesOf(orderOf('half'))
  await Promise.all([
    refusedThenSends('', orderOf('late')),
    refusedThenSends(half, rest),
    refusedThenSends(half, rest + orderOf('after half')),
    refusedThenSends('GET /health HTTP/1.1\r\nHos', `t: x\r\n\r\n${orderOf('after a head')}`),
  ])
  assert.deepEqual(await storedPlayers(), [])
})

test('a service that was frozen stores exactly the orders that it answers with 201', async (t) => {
  const [half, rest] = halvesOf(orderOf('frozen half'))
  const fresh = Array.from({ length: frozenConnections }, () => new Connection(''))
  const begun = new Connection(half)
  await pause(handedOverMs)
  service.process.kill('SIGSTOP')
  begun.send(rest)
  await pause(frozenMs)
  service.process.kill('SIGCONT')
  // The service refuses the connections when it wakes; some orders arrive before, some after that.
  for (const [at, connection] of fresh.entries()) {
    await pause(at)
    connection.send(orderOf(`frozen ${at}`))
  }
  const connections = [...fresh, begun]
  const answers = await Promise.all(connections.map((connection) => connection.answer()))
  await pause(lateMs)
  const placed = answers.filter((text) => text.startsWith('HTTP/1.1 201 ')).length
  const refused = answers.filter((text) => text.startsWith('HTTP/1.1 408 ')).length
  t.diagnostic(`${placed} placed, ${refused} refused`)
  assert.equal(placed + refused, connections.length)
  assert.ok(refused > 0, 'the service has refused no connection')
  assert.equal((await storedPlayers()).length, placed)
  for (const connection of connections) connection.close()
})

test('an upgrade is answered after the requests before it', async () => {
  const health = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'
  for (const [apiKey, status] of [
    ['unknown', '401'],
    [key, '101'],
  ] as const) {
    const player = `before ${status}`
    const connection = new Connection(health + orderOf(player) + upgradeWith(apiKey))
    await pause(lateMs)
    const statuses = connection.received.match(/(?<=HTTP\/1\.1 )\d+/g)
    assert.deepEqual(statuses, ['200', '201', status])
    assert.ok((await storedPlayers()).includes(player))
    connection.close()
  }
})

function upgradeWith(apiKey: string): string {
  const head = [
    'GET /ws HTTP/1.1',
    'Host: x',
    `X-Api-Key: ${apiKey}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  return `${head.join('\r\n')}\r\n\r\n`
}

/** Waits for 408, then sends the rest. */
async function refusedThenSends(first: string, rest: string): Promise<void> {
  const connection = new Connection(first)
  assert.match(await connection.answer(), /^HTTP\/1\.1 408 /)
  connection.send(rest)
  await pause(lateMs)
  assert.equal(connection.received.match(/HTTP\/1\.1 /g)?.length, 1)
  connection.close()
}

async function storedPlayers(): Promise<readonly string[]> {
  const { body } = await service.request('GET', '/api/v1/orders?limit=1000', { key })
  return body.data.orders.map(({ playerId }: { playerId: string }) => playerId)
}

function orderOf(playerId: string): string {
  const about = { marketId: market.id, outcomeId: market.outcomeIds[0], playerId }
  const terms = { side: 'BUY', type: 'LIMIT', shares: 1, price: 0.3 }
  const body = JSON.stringify({ ...about, ...terms })
  const head = [
    'POST /api/v1/orders HTTP/1.1',
    'Host: x',
    `X-Api-Key: ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** Cut within the body. */
function halvesOf(text: string): readonly [string, string] {
  return [text.slice(0, -20), text.slice(-20)]
}

/** A client that keeps its side of the connection open after the service has closed its own. */
class Connection {
  received = ''
  readonly #socket: Socket

  constructor(first: string) {
    const { hostname: host, port } = new URL(service.url)
    this.#socket = connect({ host, port: Number(port), allowHalfOpen: true })
    this.#socket.on('data', (bytes) => {
      this.received += bytes
    })
    // A connection that the service has destroyed refuses what is sent later.
    this.#socket.on('error', () => undefined)
    this.send(first)
  }

  send(text: string): void {
    if (text !== '') this.#socket.write(text)
  }

  async answer(): Promise<string> {
    const deadline = performance.now() + timeoutMax
    while (!this.received.includes('\r\n\r\n')) {
      assert.ok(performance.now() < deadline, 'no answer in time')
      await pause(20)
    }
    return this.received
  }

  close(): void {
    this.#socket.destroy()
  }
}
