// What the client does when something goes wrong on the way: it tries again where that is safe,
// and an order is carried out once whatever was lost.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { isOutcryError, OutcryClient, type OutcryError } from '../../client/src/outcry.ts'
import { ClientScene, limit } from './scene.ts'
import { portOf, TcpProxy } from './tcp-proxy.ts'

const scene = await ClientScene.open()
const proxy = await TcpProxy.open(scene.service.url)
after(async () => {
  await proxy.close()
  await scene.close()
})
const client = scene.clientOf({ baseUrl: proxy.url })

test('an order whose answer is lost is asked again, and there is one', async () => {
  const place = await scene.market()
  proxy.loseAnswers(2)
  const lostBefore = proxy.lost
  const { order } = await client.orders.place(limit(place, 'BUY'))
  assert.equal(proxy.lost - lostBefore, 2)
  assert.match(order.transactionId ?? '', /^sdk-[0-9a-f]{32}$/)
  const { orders } = await scene.client.orders.list({ marketId: place.marketId })
  assert.deepEqual(
    orders.map(({ id }) => id),
    [order.id],
  )
})

test('a transactionId of the caller is kept', async () => {
  const place = await scene.market()
  proxy.loseAnswers(1)
  const own = { ...limit(place, 'BUY'), transactionId: `own-${place.marketId}` }
  const { order } = await client.orders.place(own)
  assert.equal(order.transactionId, own.transactionId)
  const found = await scene.client.orders.list({ transactionId: own.transactionId })
  assert.equal(found.total, 1)
})

test('sets whose answer is lost are minted and redeemed once', async () => {
  const { marketId } = await scene.market()
  proxy.loseAnswers(1)
  await client.markets.mint(marketId, { playerId: 'cyd', shares: 50 })
  proxy.loseAnswers(1)
  await client.markets.redeem(marketId, { playerId: 'cyd', shares: 20 })
  const held = await scene.client.positions.list({ marketId, playerId: 'cyd' })
  assert.deepEqual(
    held.map(({ shares }) => shares),
    ['30', '30'],
  )
})

test('a cancel whose answer is lost answers with the cancelled order', async () => {
  const place = await scene.market()
  const { order } = await client.orders.place(limit(place, 'BUY'))
  proxy.loseAnswers(1)
  assert.equal((await client.orders.cancel(order.id)).status, 'CANCELLED')
  await assert.rejects(client.orders.cancel(order.id), { code: 'ORDER_CANNOT_CANCEL' })
})

test('what could happen twice is not sent again: the caller is told', async () => {
  const before = (await scene.client.markets.list()).total
  proxy.loseAnswers(1)
  await assert.rejects(client.markets.create({ title: 'Once?' }), { code: 'NETWORK_ERROR' })
  assert.equal((await scene.client.markets.list()).total, before + 1)
})

test('with nobody listening, even that is tried again: nothing was sent', async () => {
  const gone = createServer()
  gone.listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const port = portOf(gone)
  gone.close()
  await once(gone, 'close')
  let tries = 0
  const nobody = scene.clientOf({
    baseUrl: `http://127.0.0.1:${port}`,
    retriesMax: 2,
    fetch: (input, init) => {
      tries += 1
      return fetch(input, init)
    },
  })
  await assert.rejects(nobody.markets.create({ title: 'Never' }), { code: 'NETWORK_ERROR' })
  assert.equal(tries, 3)
})

type Respond = (response: ServerResponse, asked: number) => void

/** A server that answers as it is told, for faults that the service shows seldom. */
async function answering(respond: Respond, use: (url: string) => Promise<void>): Promise<number> {
  let asked = 0
  const server = createServer((request, response) => {
    request.resume()
    asked += 1
    respond(response, asked)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await use(`http://127.0.0.1:${portOf(server)}`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
  return asked
}

function refuseWith(response: ServerResponse, status: number, code: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ success: false, error: { code, message: code } }))
}

const data = JSON.stringify({ success: true, data: { id: 'made' } })

for (const [status, code] of [
  [429, 'RATE_LIMITED'],
  [503, 'UNAVAILABLE'],
] as const) {
  test(`${code} is tried again after the time that it names, whatever was asked`, async () => {
    const asked = await answering(
      (response, count) => {
        if (count > 1) response.end(data)
        else refuseWith(response, status, code, { 'retry-after': '1' })
      },
      async (baseUrl) => {
        const started = performance.now()
        await new OutcryClient({ baseUrl }).markets.create({ title: 'x' })
        assert.ok(performance.now() - started >= 990)
      },
    )
    assert.equal(asked, 2)
  })
}

test('COMMIT_UNKNOWN is tried again with a transactionId, and told without one', async () => {
  const respond: Respond = (response, count) => {
    if (count > 1) response.end(data)
    else refuseWith(response, 503, 'COMMIT_UNKNOWN')
  }
  const order = limit({ marketId: 'm', outcomeId: 'o' }, 'BUY')
  const placed = await answering(respond, async (baseUrl) => {
    await new OutcryClient({ baseUrl }).orders.place(order)
  })
  assert.equal(placed, 2)
  const created = await answering(respond, async (baseUrl) => {
    const asking = new OutcryClient({ baseUrl }).markets.create({ title: 'x' })
    await assert.rejects(asking, { code: 'COMMIT_UNKNOWN' })
  })
  assert.equal(created, 1)
})

test('a wait that is too long is not waited for', async () => {
  const asked = await answering(
    (response) => refuseWith(response, 429, 'RATE_LIMITED', { 'retry-after': '3600' }),
    async (baseUrl) => {
      const asking = new OutcryClient({ baseUrl }).markets.list()
      await assert.rejects(asking, (error: OutcryError) => error.retryAfter === 3600)
    },
  )
  assert.equal(asked, 1)
})

test('no answer in time is a TIMEOUT, and a read is tried as often as it may be', async () => {
  const asked = await answering(
    () => undefined,
    async (baseUrl) => {
      const asking = new OutcryClient({ baseUrl, timeoutMs: 50, retriesMax: 1 }).markets.list()
      await assert.rejects(asking, { code: 'TIMEOUT', status: 0 })
    },
  )
  assert.equal(asked, 2)
})

test('an aborted call ends at once with its reason, also while it waits', async () => {
  for (const respond of [
    () => undefined,
    (response: ServerResponse) =>
      refuseWith(response, 429, 'RATE_LIMITED', { 'retry-after': '20' }),
  ] satisfies Respond[]) {
    await answering(respond, async (baseUrl) => {
      const controller = new AbortController()
      const { signal } = controller
      const asking = new OutcryClient({ baseUrl }).markets.list({}, { signal })
      setTimeout(() => controller.abort(new Error('enough')), 100)
      await assert.rejects(asking, { message: 'enough' })
    })
  }
})

test('an answer that is not the service’s is told as such, with what it says', async () => {
  await answering(
    (response) => response.writeHead(404).end('<html>nothing here'),
    async (baseUrl) => {
      const asking = new OutcryClient({ baseUrl }).markets.list()
      await assert.rejects(asking, (error) => {
        assert.ok(isOutcryError(error, 'INVALID_ANSWER'))
        assert.equal(error.status, 404)
        assert.match(error.message, /nothing here/)
        return true
      })
    },
  )
})
