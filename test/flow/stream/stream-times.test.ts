// Timers and connection limits of the stream, with shorter times and smaller numbers than usual.

import assert from 'node:assert/strict'
import { connect as connectTcp } from 'node:net'
import { after, before, test } from 'node:test'
import { until } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'
import { StreamClient } from '../../support/stream/stream-client.ts'

const settings = {
  heartbeatMs: 150,
  pingMs: 300,
  // Never, while these tests run.
  keyCheckMs: 600_000,
  connectionsMax: 12,
  connectionsPerAddressMax: 5,
  connectionsPerOperatorMax: 3,
}

let service: Service
let operator: OperatorClient
before(async () => {
  const program = new URL('../../support/stream/stream-process.ts', import.meta.url).pathname
  service = await Service.start({ program, env: { STREAM_SETTINGS: JSON.stringify(settings) } })
  operator = await OperatorClient.create(service)
})
after(() => service.stop())

const open = (key?: string) => StreamClient.open(service.url, key === undefined ? {} : { key })

test('a heartbeat contains the version of each subscribed book', async () => {
  const market = await operator.openMarket()
  const client = await open()
  const first = await client.until(({ type }) => type === 'heartbeat')
  assert.deepEqual(first.books, [])
  await client.request({
    op: 'subscribe',
    channels: ['orderbook', 'prices'],
    marketIds: [market.id],
  })
  await operator.buy(market)
  await operator.buy(market, { price: 0.4 })
  const [yes, no] = market.outcomes
  const beat = await client.until(({ books }) => books?.some(({ version }: Json) => version === 2))
  assert.deepEqual(beat.books, [
    { outcomeId: yes.id, version: 2 },
    { outcomeId: no.id, version: 0 },
  ])
  const count = client.ofType('heartbeat').length
  await client.until(() => client.ofType('heartbeat').length > count + 2)
  await client.close()
})

test('a client that does not answer pings is disconnected; one that does stays', async () => {
  const living = await open()
  // Answers nothing, as if its machine were gone.
  const dead = await StreamClient.open(service.url, { autoPong: false })
  assert.equal((await dead.ended()).code, 1006)
  assert.ok(living.isOpen)
  await living.close()
})

test('connections of a revoked key or a deactivated operator end at once', async () => {
  const market = await operator.marketWithHolders({ ann: 10 }, { shared: true })
  const second = await operator.withKey({})
  const other = await OperatorClient.create(service)
  await other.buy(market, { player: 'zoe', price: 0.3 })
  const clients = [await open(second.key), await open(), await open(other.key)]
  await clients[1]!.request({ op: 'auth', apiKey: second.key })
  const survivor = await open(operator.key)
  for (const client of [...clients, survivor]) {
    await client.request({ op: 'subscribe', channels: ['events'] })
  }
  await service.admin('DELETE', `/api/v1/admin/operators/${operator.id}/keys/${second.keyId}`)
  await service.admin('PATCH', `/api/v1/admin/operators/${other.id}`, { isActive: false })
  // Both operators get an event of the match.
  await operator.sell(market, { player: 'ann', price: 0.3 })
  for (const client of clients) {
    assert.equal((await client.ended()).code, 4001)
    assert.deepEqual(client.ofType('event'), [])
  }
  await survivor.until(({ event }) => event?.eventType === 'ORDER_MATCHED')
  await survivor.close()
})

async function openMany(count: number, key?: string): Promise<StreamClient[]> {
  const clients: StreamClient[] = []
  while (clients.length < count) clients.push(await open(key))
  return clients
}

test('connections are limited per address without a key, per operator, and in total', async () => {
  const anonymous = await openMany(5)
  await assert.rejects(open(), /response: 429/)
  const known = await openMany(2, operator.key)
  assert.equal(
    (await anonymous[0]!.request({ op: 'auth', apiKey: operator.key })).type,
    'authenticated',
  )
  // A connection that has sent a key no longer counts for its address.
  anonymous.push(await open())
  await assert.rejects(open(operator.key), /response: 429/)
  const refused = await anonymous[1]!.request({ op: 'auth', apiKey: operator.key })
  assert.equal(refused.error.code, 'RATE_LIMITED')
  const others: StreamClient[] = []
  for (let count = 0; count < 2; count += 1) {
    const other = await OperatorClient.create(service)
    others.push(...(await openMany(2, other.key)))
  }
  const last = await OperatorClient.create(service)
  await assert.rejects(open(last.key), /response: 503/)
  for (const client of [...anonymous, ...known, ...others]) await client.close()
  // Closed connections do not count.
  const again = await until(
    () => open().catch(() => null),
    (client) => client !== null,
  )
  await again?.close()
})

test('a failed handshake does not count towards the limit', async () => {
  const { hostname, port } = new URL(service.url)
  const head = 'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'
  for (let count = 0; count < 10; count += 1) {
    const socket = connectTcp(Number(port), hostname)
    socket.write(head)
    const text = await new Promise<string>((resolve) => {
      socket.once('data', (data) => resolve(String(data)))
    })
    assert.match(text, /^HTTP\/1\.1 400 /)
    await new Promise((resolve) => {
      socket.once('close', resolve)
      socket.destroy()
    })
  }
  const clients = await openMany(5)
  for (const client of clients) await client.close()
})

type Upgrade = { readonly first?: string; readonly more?: readonly string[] }

/** The response to a handshake, until the service closes the connection. */
async function answerTo({ first = 'GET /ws', more = [] }: Upgrade): Promise<string> {
  const { hostname, port } = new URL(service.url)
  const socket = connectTcp(Number(port), hostname)
  const head = ['Host: x', 'Connection: upgrade', 'Upgrade: websocket', 'X-Request-Id: mine-7']
  socket.write(`${[`${first} HTTP/1.1`, ...head, ...more].join('\r\n')}\r\n\r\n`)
  return (await socket.toArray()).join('')
}

const handshake = ['Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==', 'Sec-WebSocket-Version: 13']

test('a failed handshake is answered in the envelope of REST', async () => {
  const anonymous = await openMany(5)
  const trader = await operator.withKey({ scopes: ['trade'] })
  const byKey = (key: string) => ({ more: [...handshake, `X-Api-Key: ${key}`] })
  const refused = [
    [byKey('oc_live_wrong'), '401 Unauthorized', 'UNAUTHORIZED'],
    [byKey(trader.key), '403 Forbidden', 'FORBIDDEN'],
    [{ more: handshake }, '429 Too Many Requests', 'RATE_LIMITED'],
    [{ first: 'GET /elsewhere', more: [...handshake, 'Connection: close'] }, '404', 'NOT_FOUND'],
    [{ more: [`X-Api-Key: ${operator.key}`] }, '400 Bad Request', 'VALIDATION_ERROR'],
    [{ ...byKey(operator.key), first: 'POST /ws' }, '405 Method Not Allowed', 'METHOD_NOT_ALLOWED'],
  ] as const
  for (const [upgrade, status, code] of refused) {
    const text = await answerTo(upgrade)
    assert.ok(text.startsWith(`HTTP/1.1 ${status}`), text)
    assert.match(text, /^content-type: application\/json; charset=utf-8\r$/im)
    assert.match(text, /^x-request-id: mine-7\r$/im)
    const { success, error } = JSON.parse(text.slice(text.indexOf('\r\n\r\n')))
    assert.deepEqual([success, error.code], [false, code])
  }
  for (const client of anonymous) await client.close()
})

test('a stop closes all connections with a reason, and ends', async () => {
  const own = await Service.start()
  const client = await StreamClient.open(own.url)
  const silent = await StreamClient.open(own.url)
  silent.socket.pause()
  const since = Date.now()
  assert.equal(await own.stop(), 0)
  assert.equal((await client.ended()).code, 1001)
  assert.ok(Date.now() - since < 8_000)
  silent.socket.resume()
  await silent.closed
})
