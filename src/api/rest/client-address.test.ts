// The addresses of clients behind a proxy, over real connections: limits and logs count them, on
// the fast path as with the framework.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, suite, test } from 'node:test'
import { apiKeys, someId, testServer } from '../../../test/support/http/rest-server.ts'
import { addressBlockIn } from '../../address-blocks.ts'
import { ClientAddresses } from '../admission/client-address.ts'

const order = {
  ...{ marketId: someId, outcomeId: someId, playerId: 'ann', side: 'BUY' },
  ...{ type: 'LIMIT', shares: 25, price: 0.55 },
}
const viewer = 'GET /openapi.json'
const prices = `GET /api/v1/markets/${someId}/prices`
const keyed = 'POST /api/v1/orders'

type Reported = { readonly event: string; readonly address: unknown }

async function started(trusted: readonly string[]) {
  const reported: Reported[] = []
  let framed = 0
  const app = testServer({
    addresses: new ClientAddresses(trusted.map((text) => addressBlockIn(text)!)),
    limits: { orders: 0, requests: 0, public: 1 },
    engine: {
      place: () => {
        throw new Error('a bug')
      },
    },
    reportFailure: (_edge, event, details) => {
      reported.push({ event, address: details.address })
    },
  })
  app.addHook('onRequest', (_request, _reply, done) => {
    framed += 1
    done()
  })
  after(() => app.close())
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  /** Returns the status, on a connection of its own. */
  const send = async (request: string, headers: readonly string[], body = ''): Promise<number> => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
    const lines = [`${request} HTTP/1.1`, 'Host: x', ...length, ...headers]
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
    const [text] = await once(socket, 'data')
    socket.destroy()
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])
  }
  return { reported, send, framed: () => framed }
}

const forwardedFor = (address: string) => [`X-Forwarded-For: ${address}`]

suite('behind a trusted proxy', () => {
  test('each client has its own limit, on public routes and for unknown keys', async () => {
    const { send } = await started(['127.0.0.0/8'])
    for (const address of ['203.0.113.1', '203.0.113.2', '2001:db8::1']) {
      assert.equal(await send(prices, forwardedFor(address)), 404)
      assert.equal(await send(prices, forwardedFor(address)), 429)
      assert.equal(await send(prices, forwardedFor(`198.51.100.9, ${address}`)), 429)
      assert.equal(await send(prices, [`Forwarded: for="[${address}]:80"`]), 429)
    }
    const unknown = ['X-Api-Key: unknown', 'Content-Type: application/json']
    const headers = [...unknown, ...forwardedFor('203.0.113.3')]
    assert.equal(await send(keyed, headers, JSON.stringify(order)), 401)
    assert.equal(await send(keyed, headers, JSON.stringify(order)), 429)
    assert.equal(await send(prices, forwardedFor('203.0.113.3')), 429)
  })

  test('a client that changes the entry that it sends itself stays one client', async () => {
    const { send } = await started(['127.0.0.1'])
    const statuses: number[] = []
    for (let at = 0; at < 5; at += 1) {
      statuses.push(await send(prices, forwardedFor(`198.51.100.${at}, 203.0.113.1`)))
    }
    assert.deepEqual(statuses, [404, 429, 429, 429, 429])
  })

  test('several header lines are one chain', async () => {
    const { send } = await started(['127.0.0.1'])
    const lines = (first: string) => [...forwardedFor(first), ...forwardedFor('203.0.113.1')]
    assert.equal(await send(prices, lines('198.51.100.1')), 404)
    assert.equal(await send(prices, lines('198.51.100.2')), 429)
  })

  test('pages have a limit per client, too', async () => {
    const { send } = await started(['127.0.0.1'])
    const statuses: number[] = []
    for (let at = 0; at < 101; at += 1)
      statuses.push(await send(viewer, forwardedFor('203.0.113.1')))
    assert.equal(statuses.at(-1), 429)
    assert.equal(await send(viewer, forwardedFor('203.0.113.2')), 200)
  })

  test('the log names the client, on the fast path as with the framework', async () => {
    const { framed, reported, send } = await started(['127.0.0.1'])
    const json = [`X-Api-Key: ${apiKeys.all}`, 'Content-Type: application/json']
    const body = JSON.stringify(order)
    const chain = '198.51.100.9, 203.0.113.1, 127.0.0.7, 127.0.0.1'
    for (const [header, address] of [
      [`X-Forwarded-For: ${chain}`, '127.0.0.7'],
      ['X-Forwarded-For: 198.51.100.9, 203.0.113.1, 127.0.0.1', '203.0.113.1'],
      ['Forwarded: for="[2001:DB8::1]:80";proto=https', '2001:db8::1'],
      ['X-Forwarded-For: nonsense', '127.0.0.1'],
    ] as const) {
      const before = framed()
      assert.equal(await send(keyed, [...json, header], body), 500)
      assert.equal(framed(), before, 'the fast path answers it')
      assert.equal(await send(keyed, [...json, header, 'TE: trailers'], body), 500)
      assert.equal(framed(), before + 1)
      const expected = { event: 'request failed', address }
      assert.deepEqual(reported.splice(0), [expected, expected])
    }
  })
})

test('without trusted proxies, no header changes the address of a client', async () => {
  const { reported, send } = await started([])
  const forged = [...forwardedFor('203.0.113.1'), 'Forwarded: for=203.0.113.1']
  assert.equal(await send(prices, forged), 404)
  assert.equal(await send(prices, forwardedFor('203.0.113.2')), 429)
  assert.equal(await send(prices, []), 429)
  const json = [`X-Api-Key: ${apiKeys.all}`, 'Content-Type: application/json']
  assert.equal(await send(keyed, [...json, ...forged], JSON.stringify(order)), 500)
  assert.deepEqual(reported, [{ event: 'request failed', address: '127.0.0.1' }])
})
