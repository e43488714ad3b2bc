// The client repeats a request after a failure if that is safe, and an order is executed only once
// even if answers are lost.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { isOutcryError, OutcryClient, type OutcryError } from '../../client/src/outcry.ts'
import { portOf, TcpProxy } from '../support/process/tcp-proxy.ts'
import { ClientFixture, limit } from './fixture.ts'

const fixture = await ClientFixture.open()
const proxy = await TcpProxy.open(fixture.service.url)
after(async () => {
  await proxy.close()
  await fixture.close()
})
const client = fixture.clientOf({ baseUrl: proxy.url })

test('an order whose answer is lost is sent again and placed only once', async () => {
  const market = await fixture.market()
  proxy.loseAnswers(2)
  const lostBefore = proxy.lost
  const { order } = await client.orders.place(limit(market, 'BUY'))
  assert.equal(proxy.lost - lostBefore, 2)
  assert.match(order.transactionId ?? '', /^sdk-[0-9a-f]{32}$/)
  const { orders } = await fixture.client.orders.list({ marketId: market.marketId })
  assert.deepEqual(
    orders.map(({ id }) => id),
    [order.id],
  )
})

test('the client keeps a transactionId of the caller', async () => {
  const market = await fixture.market()
  proxy.loseAnswers(1)
  const own = { ...limit(market, 'BUY'), transactionId: `own-${market.marketId}` }
  const { order } = await client.orders.place(own)
  assert.equal(order.transactionId, own.transactionId)
  const found = await fixture.client.orders.list({ transactionId: own.transactionId })
  assert.equal(found.total, 1)
})

test('a mint or redeem whose answer is lost is executed only once', async () => {
  const { marketId } = await fixture.market()
  proxy.loseAnswers(1)
  await client.markets.mint(marketId, { playerId: 'cyd', shares: 50 })
  proxy.loseAnswers(1)
  await client.markets.redeem(marketId, { playerId: 'cyd', shares: 20 })
  const held = await fixture.client.positions.list({ marketId, playerId: 'cyd' })
  assert.deepEqual(
    held.map(({ shares }) => shares),
    ['30', '30'],
  )
})

test('a cancel whose answer is lost returns the cancelled order', async () => {
  const market = await fixture.market()
  const { order } = await client.orders.place(limit(market, 'BUY'))
  proxy.loseAnswers(1)
  assert.equal((await client.orders.cancel(order.id)).status, 'CANCELLED')
  await assert.rejects(client.orders.cancel(order.id), { code: 'ORDER_CANNOT_CANCEL' })
})

test('a request that is not safe to repeat throws if its answer is lost', async () => {
  const before = (await fixture.client.markets.list()).total
  proxy.loseAnswers(1)
  await assert.rejects(client.markets.create({ title: 'Once?' }), { code: 'NETWORK_ERROR' })
  assert.equal((await fixture.client.markets.list()).total, before + 1)
})

test('any request is repeated while the connection is refused', async () => {
  let attempts = 0
  const unreachable = fixture.clientOf({
    baseUrl: await withoutServer(),
    retriesMax: 2,
    fetch: (input, init) => {
      attempts += 1
      return fetch(input, init)
    },
  })
  await assert.rejects(unreachable.markets.create({ title: 'Never' }), { code: 'NETWORK_ERROR' })
  assert.equal(attempts, 3)
})

/** The address of a server that has gone. */
async function withoutServer(): Promise<string> {
  const gone = createServer()
  gone.listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const port = portOf(gone)
  gone.close()
  await once(gone, 'close')
  return `http://127.0.0.1:${port}`
}

type Respond = (response: ServerResponse, requests: number) => void

/** Runs a server with the given answers, for failures that are rare in the service. */
async function withServer(respond: Respond, use: (url: string) => Promise<void>): Promise<number> {
  let requests = 0
  const server = createServer((request, response) => {
    request.resume()
    requests += 1
    respond(response, requests)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await use(`http://127.0.0.1:${portOf(server)}`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
  return requests
}

function rejectWith(response: ServerResponse, status: number, code: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ success: false, error: { code, message: code } }))
}

const data = JSON.stringify({ success: true, data: { id: 'made' } })

for (const [status, code] of [
  [429, 'RATE_LIMITED'],
  [503, 'UNAVAILABLE'],
] as const) {
  test(`any request is repeated after ${code}, when its retry-after has passed`, async () => {
    const requests = await withServer(
      (response, count) => {
        if (count > 1) response.end(data)
        else rejectWith(response, status, code, { 'retry-after': '1' })
      },
      async (baseUrl) => {
        const started = performance.now()
        await new OutcryClient({ baseUrl }).markets.create({ title: 'x' })
        assert.ok(performance.now() - started >= 990)
      },
    )
    assert.equal(requests, 2)
  })
}

test('after COMMIT_UNKNOWN, only a request with a transactionId is repeated', async () => {
  const respond: Respond = (response, count) => {
    if (count > 1) response.end(data)
    else rejectWith(response, 503, 'COMMIT_UNKNOWN')
  }
  const order = limit({ marketId: 'm', outcomeId: 'o' }, 'BUY')
  const placed = await withServer(respond, async (baseUrl) => {
    await new OutcryClient({ baseUrl }).orders.place(order)
  })
  assert.equal(placed, 2)
  const created = await withServer(respond, async (baseUrl) => {
    const call = new OutcryClient({ baseUrl }).markets.create({ title: 'x' })
    await assert.rejects(call, { code: 'COMMIT_UNKNOWN' })
  })
  assert.equal(created, 1)
})

test('a request is not repeated if retry-after is too long', async () => {
  const requests = await withServer(
    (response) => rejectWith(response, 429, 'RATE_LIMITED', { 'retry-after': '3600' }),
    async (baseUrl) => {
      const call = new OutcryClient({ baseUrl }).markets.list()
      await assert.rejects(call, (error: OutcryError) => error.retryAfter === 3600)
    },
  )
  assert.equal(requests, 1)
})

test('a request is repeated for the time that was set, then throws its last error', async () => {
  const started = performance.now()
  const requests = await withServer(
    (response) => rejectWith(response, 503, 'UNAVAILABLE'),
    async (baseUrl) => {
      const call = new OutcryClient({ baseUrl, retryMs: 600 }).markets.create({ title: 'x' })
      await assert.rejects(call, { code: 'UNAVAILABLE' })
      const once = new OutcryClient({ baseUrl }).markets.list({}, { retryMs: 0 })
      await assert.rejects(once, { code: 'UNAVAILABLE' })
    },
  )
  const elapsedMs = performance.now() - started
  assert.ok(elapsedMs >= 595 && elapsedMs < 5_000, String(elapsedMs))
  assert.ok(requests >= 4 && requests <= 8, String(requests))
})

test('the time starts with the first failure, so a slow one is repeated too', async () => {
  const requests = await withServer(
    (response, count) => (count > 1 ? response.end(data) : undefined),
    async (baseUrl) => {
      const client = new OutcryClient({ baseUrl, timeoutMs: 300, retryMs: 200 })
      await client.markets.list()
    },
  )
  assert.equal(requests, 2)
})

test('a cancel to a service that is gone ends after the time that was set', async () => {
  const url = await withoutServer()
  const started = performance.now()
  const call = new OutcryClient({ baseUrl: url, retryMs: 500 }).orders.cancel('o')
  await assert.rejects(call, { code: 'NETWORK_ERROR' })
  const elapsedMs = performance.now() - started
  assert.ok(elapsedMs >= 495 && elapsedMs < 950, String(elapsedMs))
})

test('every request names the client and its version', async () => {
  const agents: (string | undefined)[] = []
  await withServer(
    (response) => {
      agents.push(response.req.headers['user-agent'])
      response.end(data)
    },
    async (baseUrl) => {
      await new OutcryClient({ baseUrl }).markets.list()
    },
  )
  assert.match(String(agents), /^outcry-client\/\d+\.\d+\.\d+$/)
})

test('a read without an answer is repeated up to the maximum, then throws TIMEOUT', async () => {
  const requests = await withServer(
    () => undefined,
    async (baseUrl) => {
      const call = new OutcryClient({ baseUrl, timeoutMs: 50, retriesMax: 1 }).markets.list()
      await assert.rejects(call, { code: 'TIMEOUT', status: 0 })
    },
  )
  assert.equal(requests, 2)
})

test('an aborted call rejects at once with its reason, also between attempts', async () => {
  for (const respond of [
    () => undefined,
    (response: ServerResponse) =>
      rejectWith(response, 429, 'RATE_LIMITED', { 'retry-after': '20' }),
  ] satisfies Respond[]) {
    await withServer(respond, async (baseUrl) => {
      const controller = new AbortController()
      const { signal } = controller
      const call = new OutcryClient({ baseUrl }).markets.list({}, { signal })
      setTimeout(() => controller.abort(new Error('enough')), 100)
      await assert.rejects(call, { message: 'enough' })
    })
  }
})

test('an answer of another server throws INVALID_ANSWER with its text', async () => {
  await withServer(
    (response) => response.writeHead(404).end('<html>nothing here'),
    async (baseUrl) => {
      const call = new OutcryClient({ baseUrl }).markets.list()
      await assert.rejects(call, (error) => {
        assert.ok(isOutcryError(error, 'INVALID_ANSWER'))
        assert.equal(error.status, 404)
        assert.match(error.message, /nothing here/)
        return true
      })
    },
  )
})
