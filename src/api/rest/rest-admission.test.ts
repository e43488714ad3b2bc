// Admission of REST requests: keys, scopes and rate limits.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serial } from '../../../test/support/core/steps.ts'
import {
  adminKey,
  apiKeys,
  inactiveKey,
  someId,
  startedAt,
  testIds,
  testServer,
} from '../../../test/support/http/rest-server.ts'
import { orderRow, tradeRow } from '../../../test/support/store/record-rows.ts'
import { orderOfRow, tradeOfRow } from '../../engine/idempotency/stored-answers.ts'
import type { Limits } from '../admission/admission.ts'

const order = { method: 'POST', url: '/api/v1/orders' } as const
const bearer = (key: string) => ({ 'x-api-key': key })

test('a missing or unknown key is 401, before the body is validated', async () => {
  const app = testServer()
  for (const headers of [{}, bearer('unknown'), bearer(''), { 'x-admin-key': adminKey }]) {
    const response = await app.inject({ ...order, headers, payload: { nonsense: true } })
    assert.equal(response.statusCode, 401)
    assert.equal(response.json().error.code, 'UNAUTHORIZED')
  }
})

test('a node out of touch refuses every key with 503, and serves what needs none', async () => {
  let isInTouch = false
  const app = testServer({ isInTouch: () => isInTouch })
  const statusOf = async (url: string, headers: Record<string, string>) =>
    (await app.inject({ url, headers })).statusCode
  const keyed = [
    ['/api/v1/orders', bearer(apiKeys.all), 200],
    ['/api/v1/orders', bearer('unknown'), 401],
    ['/api/v1/admin/operators', { 'x-admin-key': adminKey }, 200],
  ] as const
  for (const [url, headers] of keyed) assert.equal(await statusOf(url, headers), 503)
  const refused = await app.inject({ ...order, headers: bearer(apiKeys.all), payload: {} })
  assert.equal(refused.json().error.code, 'UNAVAILABLE')
  assert.ok(refused.headers['retry-after'] !== undefined)
  assert.equal(await statusOf('/api/v1/orders', {}), 401)
  assert.equal(await statusOf('/health', {}), 200)
  isInTouch = true
  for (const [url, headers, status] of keyed) assert.equal(await statusOf(url, headers), status)
})

test('an operator that is not active is 403', async () => {
  const app = testServer()
  const response = await app.inject({ ...order, headers: bearer(inactiveKey), payload: {} })
  assert.equal(response.statusCode, 403)
  assert.equal(response.json().error.code, 'FORBIDDEN')
})

test('a key gives access to the routes of its scope and no others', async () => {
  const app = testServer()
  const routes = {
    read: [
      ['GET', '/api/v1/orders'],
      ['GET', '/api/v1/positions'],
      ['GET', '/api/v1/webhooks'],
    ],
    trade: [
      ['POST', '/api/v1/orders'],
      ['DELETE', `/api/v1/orders/${someId}`],
      ['POST', `/api/v1/markets/${someId}/mint`],
      ['POST', `/api/v1/markets/${someId}/redeem`],
    ],
    manage: [
      ['POST', '/api/v1/markets'],
      ['POST', `/api/v1/markets/${someId}/settle`],
      ['POST', '/api/v1/categories'],
      ['DELETE', `/api/v1/webhooks/${someId}`],
    ],
  } as const
  for (const [scope, list] of Object.entries(routes)) {
    for (const [method, url] of list) {
      for (const key of ['read', 'trade', 'manage'] as const) {
        const { statusCode } = await app.inject({ method, url, headers: bearer(apiKeys[key]) })
        assert.equal(statusCode === 403, key !== scope, `${method} ${url} with ${key}`)
      }
    }
  }
})

test('the routes of the administrator accept only the administrator key', async () => {
  const app = testServer()
  const url = '/api/v1/admin/operators'
  const statusWith = async (headers: Record<string, string>) =>
    (await app.inject({ method: 'GET', url, headers })).statusCode
  assert.equal(await statusWith({ 'x-admin-key': adminKey }), 200)
  assert.equal(await statusWith({ 'x-admin-key': 'wrong' }), 401)
  assert.equal(await statusWith(bearer(apiKeys.all)), 401)
  assert.equal(await statusWith({}), 401)
})

test('market data and a category need no key', async () => {
  const app = testServer()
  for (const url of [
    `/api/v1/markets/${someId}/orderbook/${someId}`,
    `/api/v1/markets/${someId}/prices`,
    `/api/v1/markets/${someId}/prices/${someId}`,
    `/api/v1/categories/${someId}`,
  ]) {
    assert.equal((await app.inject(url)).statusCode, 404, url)
  }
})

test('orders, cancels and other requests have separate limits', async () => {
  let now = startedAt
  const limits = { orders: 2, requests: 1, public: 0 }
  const app = testServer({ limits, now: () => now })
  const headers = bearer(apiKeys.all)
  const send = (method: 'GET' | 'POST' | 'DELETE', url: string) =>
    app.inject({ method, url, headers })

  const first = await send('POST', '/api/v1/orders')
  assert.equal(first.headers['ratelimit-limit'], '2')
  assert.equal(first.headers['ratelimit-remaining'], '1')
  assert.equal(first.headers['ratelimit-reset'], '1')
  assert.equal((await send('POST', `/api/v1/markets/${someId}/mint`)).statusCode, 400)

  const limited = await send('POST', '/api/v1/orders')
  assert.equal(limited.statusCode, 429)
  assert.equal(limited.json().error.code, 'RATE_LIMITED')
  assert.equal(limited.headers['retry-after'], '1')
  for (const status of [404, 404, 429]) {
    assert.equal((await send('DELETE', `/api/v1/orders/${someId}`)).statusCode, status)
  }
  assert.equal((await send('GET', '/api/v1/orders')).statusCode, 200)
  assert.equal((await send('GET', '/api/v1/trades')).statusCode, 429)

  now += 1_000
  assert.equal((await send('POST', '/api/v1/orders')).statusCode, 400)
})

test('public requests are limited by address, and 0 means no limit', async () => {
  const url = `/api/v1/categories/${someId}`
  const app = testServer({ limits: { orders: 0, requests: 0, public: 1 } })
  assert.equal((await app.inject({ url, remoteAddress: '10.0.0.1' })).statusCode, 404)
  assert.equal((await app.inject({ url, remoteAddress: '10.0.0.1' })).statusCode, 429)
  assert.equal((await app.inject({ url, remoteAddress: '10.0.0.2' })).statusCode, 404)
  const forwarded = { 'x-forwarded-for': '10.0.0.3' }
  const spoofed = await app.inject({ url, remoteAddress: '10.0.0.1', headers: forwarded })
  assert.equal(spoofed.statusCode, 429)

  const unlimited = await testServer().inject(url)
  assert.equal(unlimited.headers['ratelimit-limit'], undefined)
})

test('requests with wrong keys count as public; a valid key still passes', async () => {
  const app = testServer({ limits: { orders: 0, requests: 0, public: 2 } })
  const statusWith = async (key: string) =>
    (await app.inject({ url: '/api/v1/orders', headers: bearer(key) })).statusCode
  for (const status of [401, 401, 429]) assert.equal(await statusWith('guess'), status)
  assert.equal(await statusWith(apiKeys.all), 200)
})

test('a body costs 1 for each KB, counted before it is parsed', async () => {
  const app = testServer({ limits: { orders: 100, requests: 100, public: 0 } })
  const headers = { ...bearer(apiKeys.all), 'content-type': 'application/json' }
  const send = async (url: string, payload: string) => {
    const answer = await app.inject({ method: 'POST', url: `/api/v1${url}`, headers, payload })
    return [answer.statusCode, Number(answer.headers['ratelimit-remaining'])]
  }
  const padded = (value: object, kb: number) => JSON.stringify(value) + ' '.repeat(kb * 1_024)
  assert.deepEqual(await send('/markets', padded({}, 30)), [400, 69])
  assert.deepEqual(await send('/markets', 'x'.repeat(80 * 1_024)), [429, 68], 'it is no JSON')
  // What the orders of a batch cost is not counted twice.
  const orders = Array.from({ length: 50 }, () => anOrder)
  assert.deepEqual(await send('/orders/batch', padded({ orders }, 10)), [200, 50])
  assert.deepEqual(await send('/orders/batch', padded({ orders: [anOrder] }, 40)), [200, 9])
})

const placement = {
  order: orderOfRow(testIds, orderRow),
  trades: [tradeOfRow(testIds, tradeRow)],
  hasMoreTrades: false,
  isReplay: false,
}
const preview = { fills: [], filled: 0, value: 0, fee: 0, resting: 0, cost: 0, maxCost: 0n }

/** Every command costs 7, and a mint or redemption is known in advance to cost 5. */
function costlyServer(limits: Limits) {
  const costs = <Answer>(answer: Answer) => ({ isAccepted: true, answer, cost: 7 }) as const
  let now = startedAt
  const app = testServer({
    limits,
    now: () => now,
    costOf: (kind) => (kind === 'changeSets' ? 5 : 1),
    reads: { openOrders: async () => ({ serials: [serial(1)], next: null }) },
    engine: {
      place: () => costs(placement),
      amend: () => costs(placement),
      preview: () => costs(preview),
      cancelMany: () => costs({ cancelled: 7 }),
      createMarket: () => costs({ marketSerial: serial(1), status: 'DRAFT' }),
      retrySettlements: () => costs({ settlementSerials: [], payout: 0n }),
    },
  })
  const send = (method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
    app.inject({
      method,
      url: `/api/v1${url}`,
      headers: bearer(apiKeys.all),
      ...(payload === undefined ? {} : { payload }),
    })
  const wait = (ms: number) => {
    now += ms
  }
  return { send, wait }
}

const anOrder = {
  marketId: someId,
  outcomeId: someId,
  playerId: 'ann',
  side: 'BUY',
  type: 'LIMIT',
  shares: 1,
  price: 0.5,
}

test('a request costs what its commands have cost', async () => {
  const sets = { playerId: 'ann', shares: 1 }
  const cases = [
    ['POST', '/orders', anOrder, 7],
    ['POST', '/orders/preview', anOrder, 7],
    ['POST', '/orders/batch', { orders: [anOrder, anOrder] }, 14],
    ['PATCH', `/orders/${someId}`, { price: 0.4 }, 7],
    ['DELETE', '/orders?playerId=ann', undefined, 1],
    ['POST', '/markets', { title: 'Will it rain?', currency: 'USD' }, 7],
    ['POST', `/markets/${someId}/retry-settlements`, {}, 7],
    // The market is unknown, so only what was counted in advance is consumed.
    ['POST', `/markets/${someId}/mint`, sets, 5],
    ['POST', `/markets/${someId}/redeem`, sets, 5],
  ] as const
  for (const [method, url, payload, cost] of cases) {
    const { send } = costlyServer({ orders: 100, requests: 100, public: 0 })
    const { headers } = await send(method, url, payload)
    assert.equal(headers['ratelimit-remaining'], String(100 - cost), `${method} ${url}`)
    assert.match(String(headers.ratelimit), new RegExp(`;r=${100 - cost};t=`), `${method} ${url}`)
  }
})

test('a mint is charged afterwards only for what it cost beyond what was counted', async () => {
  for (const [cost, remaining] of [
    [5, '95'],
    [7, '93'],
  ] as const) {
    const answer = {
      id: someId,
      marketId: someId,
      playerId: 'ann',
      kind: 'MINT',
      shares: 100,
      transactionId: null,
      createdAt: startedAt,
      positions: [],
      isReplay: false,
    } as const
    const app = testServer({
      limits: { orders: 100, requests: 0, public: 0 },
      costOf: () => 5,
      engine: { changeSets: () => ({ isAccepted: true, answer, cost }) },
    })
    const { headers, statusCode } = await app.inject({
      method: 'POST',
      url: `/api/v1/markets/${someId}/mint`,
      headers: bearer(apiKeys.all),
      payload: { playerId: 'ann', shares: 1 },
    })
    assert.deepEqual([statusCode, headers['ratelimit-remaining']], [201, remaining])
  }
})

test('a cost beyond the limit is paid off before the next request, and never shown', async () => {
  const { send, wait } = costlyServer({ orders: 4, requests: 0, public: 0 })
  const first = await send('POST', '/orders', anOrder)
  assert.equal(first.statusCode, 201)
  assert.equal(first.headers['ratelimit-remaining'], '0')
  const mint = () => send('POST', `/markets/${someId}/mint`, { playerId: 'ann', shares: 1 })
  const refused = await mint()
  assert.equal(refused.statusCode, 429)
  assert.equal(refused.headers['ratelimit-remaining'], '0')
  assert.equal(refused.headers['retry-after'], '1')
  wait(1_500)
  assert.equal((await mint()).statusCode, 429, 'a cost above the limit needs a full bucket')
  wait(1_000)
  assert.equal((await mint()).statusCode, 404)
  assert.equal((await send('POST', '/orders', anOrder)).statusCode, 429)
})

test('pages are limited by address, apart from other requests, and generously', async () => {
  const app = testServer({ limits: { orders: 0, requests: 0, public: 5 } })
  const pages = ['/metrics', '/openapi.json', '/asyncapi.json', '/docs/', '/docs/viewer.js']
  pages.push('/docs/start.js', '/docs', '/console', '/console/x.js', '/guide', '/guide/x.css')
  const publicUrl = `/api/v1/markets/${someId}/prices`
  while ((await app.inject(publicUrl)).statusCode !== 429);
  for (let count = 0; count < 100; count += 1) {
    assert.notEqual((await app.inject(pages[count % pages.length]!)).statusCode, 429, `${count}`)
  }
  for (const url of pages) {
    const response = await app.inject(url)
    assert.equal(response.statusCode, 429, url)
    assert.equal(response.json().error.code, 'RATE_LIMITED')
    assert.equal(response.headers['retry-after'], '1')
  }
  const other = await app.inject({ url: '/metrics', remoteAddress: '10.1.2.3' })
  assert.equal(other.statusCode, 200)
  for (const url of ['/health', '/ready']) {
    assert.equal((await app.inject(url)).statusCode, 200)
  }
})

test('without a limit for public requests, pages have none', async () => {
  const app = testServer()
  for (let count = 0; count < 300; count += 1) {
    assert.equal((await app.inject('/asyncapi.json')).statusCode, 200)
  }
})
