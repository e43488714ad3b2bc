// Problem details, lists of faults and the RateLimit headers, for every kind of request.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { apiKeys, otherId, someId, testServer } from '../../../test/support/http/rest-server.ts'
import { Unavailable } from '../../engine/commands.ts'

const headers = { 'x-api-key': apiKeys.all }
const order = {
  marketId: someId,
  outcomeId: otherId,
  playerId: 'ann',
  side: 'BUY',
  type: 'LIMIT',
  shares: 25,
  price: 0.55,
}

test('every error is a problem of RFC 9457 if the client prefers it', async () => {
  const app = testServer({
    limits: { orders: 0, requests: 0, public: 1 },
    engine: {
      amend: () => {
        throw new Unavailable('full')
      },
    },
  })
  const post = { method: 'POST', url: '/api/v1/orders', headers } as const
  const cases: readonly (readonly [string, InjectOptions])[] = [
    ['404 NOT_FOUND', { method: 'GET', url: '/nothing' }],
    ['404 NOT_FOUND', { method: 'GET', url: '/api/v1/orders/%zz' }],
    ['405 METHOD_NOT_ALLOWED', { method: 'PUT', url: '/api/v1/orders' }],
    ['401 UNAUTHORIZED', { method: 'GET', url: '/api/v1/orders', remoteAddress: '10.0.0.1' }],
    ['400 VALIDATION_ERROR', { ...post, payload: {} }],
    [
      '400 VALIDATION_ERROR',
      { ...post, headers: { ...headers, 'content-type': 'application/json' }, payload: '{' },
    ],
    ['413 PAYLOAD_TOO_LARGE', { ...post, payload: { x: 'x'.repeat(300_000) } }],
    [
      '415 UNSUPPORTED_MEDIA_TYPE',
      { ...post, headers: { ...headers, 'content-type': 'text/plain' }, payload: 'x' },
    ],
    ['404 MARKET_NOT_FOUND', { ...post, payload: order }],
    [
      '503 UNAVAILABLE',
      { method: 'PATCH', url: `/api/v1/orders/${someId}`, headers, payload: { shares: 2 } },
    ],
    [
      '429 RATE_LIMITED',
      { method: 'GET', url: `/api/v1/markets/${someId}/prices`, remoteAddress: '10.0.0.1' },
    ],
  ]
  for (const [expected, request] of cases) {
    const accept = 'application/problem+json'
    const own = { ...request.headers, accept, 'x-request-id': 'a b' }
    const problem = await app.inject({ ...request, headers: own })
    assert.equal(problem.headers['content-type'], accept, expected)
    const { error, details, ...body } = problem.json()
    const [status, code] = expected.split(' ')
    assert.deepEqual(body, {
      type: `urn:outcry:error:${code}`,
      title: code!.slice(0, 1) + code!.slice(1).toLowerCase().replaceAll('_', ' '),
      status: Number(status),
      detail: error.message,
      instance: 'urn:outcry:request:a%20b',
      code,
      success: false,
    })
    assert.deepEqual(error, { code, message: error.message, ...(details && { details }) })
    assert.equal(problem.statusCode, Number(status))
    const plain = await app.inject({ ...request, headers: { ...request.headers, accept: '*/*' } })
    assert.match(String(plain.headers['content-type']), /^application\/json/)
    assert.deepEqual(Object.keys(plain.json()), ['success', 'error'], expected)
  }
})

test('what the HTTP parser and the stream refuse has that form, too', async () => {
  const app = testServer()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  for (const [status, head] of [
    [400, 'GET /health HTTP/1.1\r\nHost: x\r\nAccept: application/problem+json\r\nA b: c\r\n\r\n'],
    [
      417,
      'GET /health HTTP/1.1\r\nHost: x\r\nAccept: application/problem+json\r\nExpect: x\r\n\r\n',
    ],
  ] as const) {
    const socket = connect(port, '127.0.0.1')
    socket.end(head)
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes
    })
    await once(socket, 'close')
    assert.match(text, new RegExp(`^HTTP/1.1 ${status} `))
    assert.match(text, /content-type: application\/problem\+json/i)
    assert.match(text, /"type":"urn:outcry:error:VALIDATION_ERROR"/)
  }
  await app.close()
})

test('every fault of a body is listed, and the message says how many more there are', async () => {
  const app = testServer()
  const refuse = async (url: string, payload: object) => {
    const response = await app.inject({ method: 'POST', url, headers, payload })
    return response.json().error
  }
  const { message, details } = await refuse('/api/v1/orders', {
    ...order,
    side: 'buy',
    shares: '25',
    playerId: undefined,
    extra: 1,
  })
  assert.deepEqual(
    details.faults.toSorted((one: { field: string }, other: { field: string }) =>
      one.field < other.field ? -1 : 1,
    ),
    [
      { field: 'extra', message: 'unknown field' },
      { field: 'playerId', message: 'is required' },
      { field: 'shares', message: 'must be a number' },
      { field: 'side', message: 'must be one of BUY, SELL' },
    ],
  )
  const [{ field, message: rule }] = details.faults
  assert.equal(message, `${field}: ${rule} (and 3 more)`)
  const one = await refuse('/api/v1/orders', { ...order, side: 'buy' })
  assert.equal(one.message, 'side: must be one of BUY, SELL')
  assert.deepEqual(one.details.faults, [{ field: 'side', message: 'must be one of BUY, SELL' }])
  const open = await refuse(`/api/v1/markets/${someId}/open`, { a: 1, b: 2 })
  assert.equal(open.message, 'a: unknown field (and 1 more)')
  const later = await refuse('/api/v1/orders', { ...order, price: null })
  assert.deepEqual(later.details.faults, [
    { field: 'price', message: 'is required for a LIMIT order' },
  ])
})

test('the list has what one field requires of another, beside wrong shapes', async () => {
  const app = testServer()
  const market = { title: 'T' }
  const yesTwice = [{ name: 'Yes' }, { name: 'Yes' }]
  const resolve = `/api/v1/markets/${someId}/resolve`
  const cases: readonly (readonly [string, object, readonly string[]])[] = [
    ['orders', { ...order, playerId: '', price: undefined }, ['playerId', 'price']],
    [
      'orders',
      { ...order, type: 'MARKET', timeInForce: 'GTC', postOnly: true },
      ['timeInForce', 'postOnly'],
    ],
    ['orders', { ...order, amount: 5, price: null }, ['price', 'amount']],
    ['orders', { ...order, type: 'STOP', price: null }, ['type']],
    [
      'markets',
      { ...market, outcomes: yesTwice, priceBand: { maxMove: 0.00015 } },
      ['priceBand.maxMove', 'outcomes'],
    ],
    [
      'markets',
      { tradingStartsAt: '2099-01-02T00:00Z', tradingEndsAt: '2099-01-01T00:00Z', metadata: 1 },
      ['title', 'metadata', 'tradingStartsAt'],
    ],
    [resolve, {}, ['resolutionSource', 'winningOutcomeId']],
  ]
  for (const [path, payload, expected] of cases) {
    const url = path.startsWith('/') ? path : `/api/v1/${path}`
    const response = await app.inject({ method: 'POST', url, headers, payload })
    const { details } = response.json().error
    const fields = details.faults.map(({ field }: { field: string }) => field)
    assert.deepEqual(fields.toSorted(), expected.toSorted(), JSON.stringify(payload))
  }
})

test('the name of an unknown field is shown up to 200 characters', async () => {
  const app = testServer()
  for (const url of ['/api/v1/orders', `/api/v1/markets/${someId}/open`]) {
    const payload = { ...(url.endsWith('orders') ? order : {}), ['\u{1f600}'.repeat(50_000)]: 1 }
    const response = await app.inject({ method: 'POST', url, headers, payload })
    const field = `${'\u{1f600}'.repeat(100)}...`
    assert.deepEqual(response.json().error, {
      code: 'VALIDATION_ERROR',
      message: `${field}: unknown field`,
      details: { faults: [{ field, message: 'unknown field' }] },
    })
  }
  await app.close()
})

test('faults of a query are listed, and at most 100 of a body', async () => {
  const app = testServer()
  const url = '/api/v1/orders?limit=0&side=x'
  const query = (await app.inject({ method: 'GET', url, headers })).json().error
  assert.deepEqual(query.details.faults.map(({ field }: { field: string }) => field).sort(), [
    'limit',
    'side',
  ])
  const outcomes = Array.from({ length: 200 }, () => ({ name: 5 }))
  const payload = { title: 'T', outcomes }
  const create = { method: 'POST', url: '/api/v1/markets', headers } as const
  const { details, message } = (await app.inject({ ...create, payload })).json().error
  assert.equal(details.faults.length, 100)
  assert.match(message, /\(and 199 more\)$/)
  const large = { title: 5, outcomes: Array.from({ length: 5_000 }, () => 1) }
  const { error } = (await app.inject({ ...create, payload: large })).json()
  assert.equal(error.details.faults.length, 1, 'of a large body only the first is looked for')
})

test('the RateLimit headers name the limit, its quota and what is left of it', async () => {
  const limits = { orders: 10, requests: 20, public: 5 }
  const app = testServer({ limits })
  const place = { method: 'POST', url: '/api/v1/orders', headers, payload: order } as const
  const placed = (await app.inject(place)).headers
  assert.equal(placed['ratelimit-policy'], '"orders";q=10;w=1')
  assert.equal(placed.ratelimit, '"orders";r=9;t=1')
  assert.equal(placed['ratelimit-limit'], '10')
  const cancel = { method: 'DELETE', url: `/api/v1/orders/${someId}`, headers } as const
  assert.equal((await app.inject(cancel)).headers.ratelimit, '"cancels";r=9;t=1')
  const read = { method: 'GET', url: '/api/v1/limits', headers } as const
  const shown = await app.inject(read)
  assert.equal(shown.headers.ratelimit, '"requests";r=19;t=1')
  assert.deepEqual(shown.json().data.limits, [
    { name: 'orders', perSecond: 10, remaining: 9 },
    { name: 'cancels', perSecond: 10, remaining: 9 },
    { name: 'requests', perSecond: 20, remaining: 19 },
    { name: 'public', perSecond: 5, remaining: 5 },
  ])
  const prices = { method: 'GET', url: `/api/v1/markets/${someId}/prices` } as const
  for (let left = 4; left >= 0; left -= 1) {
    assert.equal((await app.inject(prices)).headers.ratelimit, `"public";r=${left};t=1`)
  }
  const refused = await app.inject(prices)
  assert.equal(refused.statusCode, 429)
  assert.equal(refused.headers.ratelimit, '"public";r=0;t=1')
  assert.equal(refused.headers['ratelimit-policy'], '"public";q=5;w=1')
})

test('without limits there are no RateLimit headers, and remaining is null', async () => {
  const app = testServer()
  const shown = await app.inject({ method: 'GET', url: '/api/v1/limits', headers })
  assert.equal(shown.headers.ratelimit, undefined)
  assert.deepEqual(shown.json().data.limits[0], { name: 'orders', perSecond: 0, remaining: null })
})

test('a slow or failed request is logged with the trace of its caller', async () => {
  const logged: object[] = []
  const app = testServer({
    engine: {
      cancel: () => {
        throw new Error('bug')
      },
    },
    reportFailure: (_edge, _event, failure) => {
      logged.push(failure)
    },
  })
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const cancel = { method: 'DELETE', url: `/api/v1/orders/${someId}` } as const
  await app.inject({ ...cancel, headers: { ...headers, traceparent } })
  await app.inject({ ...cancel, headers: { ...headers, traceparent: 'nonsense' } })
  const [traced, untraced] = logged
  assert.partialDeepStrictEqual(traced, {
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    parentId: '00f067aa0ba902b7',
  })
  assert.ok(untraced !== undefined && !('traceId' in untraced))
})
