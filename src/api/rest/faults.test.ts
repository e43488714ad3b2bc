// Every error is answered in the envelope.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { apiKeys, someId, testServer } from '../../../test/support/http/rest-server.ts'
import { CommitUnknown, Unavailable } from '../../engine/commands.ts'
import { StoreUnavailable } from '../../store/store.ts'

const headers = { 'x-api-key': apiKeys.all }
const asJson = { ...headers, 'content-type': 'application/json' }

type Failure = { readonly success: boolean; readonly error: { code: string; message: string } }

async function failureOf(
  app: FastifyInstance,
  request: InjectOptions,
): Promise<{ status: number; error: Failure['error']; headers: Record<string, unknown> }> {
  const response = await app.inject(request)
  const body: Failure = response.json()
  assert.equal(body.success, false)
  return { status: response.statusCode, error: body.error, headers: response.headers }
}

test('an unknown route is 404, whatever its method', async () => {
  const app = testServer()
  for (const url of ['/', '/api/v1/nothing', '/api/v1/orders/', '/api/v1/orders/%zz', '//']) {
    const { status, error } = await failureOf(app, { method: 'POST', url })
    assert.equal(status, 404, url)
    assert.equal(error.code, 'NOT_FOUND')
  }
})

test('a known route with another method is 405 and names the supported methods', async () => {
  const app = testServer()
  for (const [method, url, allow] of [
    ['PUT', '/api/v1/orders?x=1', 'DELETE, GET, HEAD, POST'],
    ['POST', `/api/v1/orders/${someId}`, 'DELETE, GET, HEAD, PATCH'],
    ['DELETE', '/health', 'GET, HEAD'],
    ['OPTIONS', '/api/v1/markets', 'GET, HEAD, POST'],
    ['PATCH', '/docs/', 'GET, HEAD'],
  ] as const) {
    const { status, error, headers } = await failureOf(app, { method, url })
    assert.equal(status, 405, url)
    assert.equal(error.code, 'METHOD_NOT_ALLOWED')
    assert.equal(headers.allow, allow)
  }
})

test('a body that is too large is 413', async () => {
  const payload = { title: 'x'.repeat(256 * 1_024) }
  const request = { method: 'POST', url: '/api/v1/markets', headers, payload } as const
  const { status, error } = await failureOf(testServer(), request)
  assert.equal(status, 413)
  assert.equal(error.code, 'PAYLOAD_TOO_LARGE')
})

test('a body that is not JSON is 415', async () => {
  const app = testServer()
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'x']) {
    const request = { method: 'POST', url: '/api/v1/orders', payload: 'a=1' } as const
    const own = { ...headers, 'content-type': type }
    const { status, error } = await failureOf(app, { ...request, headers: own })
    assert.equal(status, 415, type)
    assert.equal(error.code, 'UNSUPPORTED_MEDIA_TYPE')
  }
})

test('a compressed body is 415, and identity is no compression', async () => {
  const app = testServer()
  const url = `/api/v1/markets/${someId}/open`
  const open = async (encoding: string, payload: string | Buffer = '{}') => {
    const own = { ...asJson, 'content-encoding': encoding }
    return failureOf(app, { method: 'POST', url, headers: own, payload })
  }
  for (const encoding of [
    'gzip',
    'br',
    'deflate',
    'x',
    'GZIP',
    'identity, gzip',
    'gzip, identity',
  ]) {
    for (const payload of ['{}', gzipSync('{}')]) {
      const { status, error } = await open(encoding, payload)
      assert.equal(status, 415, encoding)
      assert.equal(error.code, 'UNSUPPORTED_MEDIA_TYPE')
      assert.match(error.message, /^Content-Encoding must be identity or omitted; /)
    }
    assert.equal((await open(encoding, '')).status, 404, 'an empty body has no encoding')
  }
  for (const encoding of ['identity', 'Identity', '', ' identity , identity']) {
    assert.equal((await open(encoding)).status, 404, encoding)
  }
})

test('malformed JSON is 400', async () => {
  const app = testServer()
  for (const payload of ['{', '{"a":1,}', 'nope', '\u0000', '[1', '{"a":01}']) {
    const request = { method: 'POST', url: '/api/v1/orders', headers: asJson, payload } as const
    const { status, error } = await failureOf(app, request)
    assert.equal(status, 400, payload)
    assert.equal(error.code, 'VALIDATION_ERROR')
  }
})

test('an action without a body accepts none, an empty one or {}, and no other', async () => {
  const app = testServer()
  const url = `/api/v1/markets/${someId}/open`
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
  for (const request of [
    { headers },
    { headers: asJson, payload: '' },
    { headers: asJson, payload: '{}' },
    { headers: form, payload: '' },
  ]) {
    const { status } = await failureOf(app, { method: 'POST', url, ...request })
    assert.equal(status, 404)
  }
  for (const payload of ['{"reason":"x"}', '[]', '1', 'true', '"text"']) {
    const request = { method: 'POST', url, headers: asJson, payload } as const
    assert.equal((await failureOf(app, request)).status, 400, payload)
  }
})

test('faults of the engine and the store are 503, with a code for each outcome', async () => {
  for (const [fault, code] of [
    [new Unavailable('full'), 'UNAVAILABLE'],
    [new StoreUnavailable('closing'), 'UNAVAILABLE'],
    [new CommitUnknown('lost'), 'COMMIT_UNKNOWN'],
  ] as const) {
    const app = testServer({ engine: { cancel: () => Promise.reject(fault) } })
    const request = { method: 'DELETE', url: `/api/v1/orders/${someId}`, headers } as const
    const { status, error, headers: sent } = await failureOf(app, request)
    assert.equal(status, 503)
    assert.equal(error.code, code)
    assert.equal(sent['retry-after'], '1')
  }
})

test('a bug is 500, is reported with the request id, and shows no internals', async () => {
  const reported: object[] = []
  const reportFailure = (_edge: string, _event: string, failure: object) => {
    reported.push(failure)
  }
  const order = () => Promise.reject(new TypeError('secret of the service'))
  const app = testServer({ reads: { order }, reportFailure })
  const own = { ...headers, 'x-request-id': 'mine' }
  const response = await app.inject({ url: `/api/v1/orders/${someId}`, headers: own })
  assert.equal(response.statusCode, 500)
  assert.equal(response.json().error.code, 'INTERNAL_ERROR')
  assert.doesNotMatch(response.body, /secret|TypeError|\.ts/)
  assert.equal(reported.length, 1)
  assert.equal('requestId' in reported[0]! && reported[0].requestId, 'mine')
})

test('a stored command whose answer cannot be read is COMMIT_UNKNOWN', async () => {
  const manage = () => ({ isAccepted: true, answer: null as never }) as const
  for (const [cause, reports] of [
    [new StoreUnavailable('planted'), 0],
    [new TypeError('a bug'), 1],
  ] as const) {
    let reported = 0
    const app = testServer({
      engine: { manage },
      reads: { market: () => Promise.reject(cause) },
      reportFailure: () => {
        reported += 1
      },
    })
    const request = { method: 'POST', url: `/api/v1/markets/${someId}/open`, headers } as const
    const { status, error } = await failureOf(app, request)
    assert.equal(status, 503)
    assert.equal(error.code, 'COMMIT_UNKNOWN')
    assert.equal(reported, reports)
  }
})

test('a mass cancel that fails after its first slice is COMMIT_UNKNOWN', async () => {
  for (const [slicesBefore, code] of [
    [0, 'UNAVAILABLE'],
    [1, 'COMMIT_UNKNOWN'],
  ] as const) {
    let slices = 0
    const cancelMany = () => {
      slices += 1
      if (slices > slicesBefore) throw new Unavailable('planted')
      return { isAccepted: true, answer: { cancelled: 1 } } as const
    }
    const next = { createdAt: 0, serial: 1 } as never
    const openOrders = async () => ({ serials: [1] as never, next })
    const app = testServer({ engine: { cancelMany }, reads: { openOrders } })
    const url = '/api/v1/orders?playerId=ann'
    const { status, error } = await failureOf(app, { method: 'DELETE', url, headers })
    assert.equal(status, 503)
    assert.equal(error.code, code)
  }
})

test('a service that is not ready answers /ready with 503', async () => {
  const app = testServer({ isReady: () => false })
  const { status, error } = await failureOf(app, { url: '/ready' })
  assert.equal(status, 503)
  assert.equal(error.code, 'UNAVAILABLE')
  assert.equal((await app.inject('/health')).statusCode, 200)
  assert.equal((await testServer().inject('/ready')).json().data.status, 'ready')
})

test('bytes that are not a request are answered in the envelope, too', async () => {
  const app = testServer()
  after(() => app.close())
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const start = 'GET /health HTTP/1.1\r\n'
  for (const [bytes, status, message] of [
    ['NONSENSE\r\n\r\n', 400, /^Not a valid HTTP\/1\.1 request \(.+\); check the request line, /],
    [`${start}Host x\r\n\r\n`, 400, /^Not a valid HTTP\/1\.1 request \(.*header.*\); check /],
    [`${start}Host: x\r\nBig: ${'x'.repeat(20_000)}\r\n\r\n`, 431, /must be at most 16 KiB/],
    [`${start}Host: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n`, 417, /^expect: /],
    [`${start}Connection: close\r\n\r\n`, 400, /^host: is required in HTTP/],
  ] as const) {
    const answer = await send(port, bytes)
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
    assert.match(answer, /\r\nx-request-id: \S+\r\n/i)
    const body: Failure = JSON.parse(answer.split('\r\n\r\n')[1]!)
    assert.equal(body.success, false)
    assert.match(body.error.message, message)
  }
})

test('bytes that are no request are refused after the requests before them', async () => {
  const placed: string[] = []
  const place = async ({ playerId }: { readonly playerId: string }) => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    placed.push(playerId)
    return { isAccepted: false, reject: { code: 'MARKET_NOT_FOUND' } } as const
  }
  const app = testServer({ engine: { place } })
  after(() => app.close())
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const health = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'
  const statusesFor = async (bytes: string) => {
    placed.length = 0
    return (await send(port, bytes)).match(/(?<=HTTP\/1\.1 )\d+/g)
  }
  const bad = 'NONSENSE\r\n\r\n'
  assert.deepEqual(await statusesFor(health + orderOf('ann') + bad + orderOf('bob')), [
    '200',
    '404',
    '400',
  ])
  assert.deepEqual(placed, ['ann'])
  assert.deepEqual(await statusesFor(bad + orderOf('bob')), ['400'])
  assert.deepEqual(placed, [])
  // The body never ends, so this request is the one that is refused.
  const chunked = orderOf('ann').replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')
  assert.deepEqual(await statusesFor(health + chunked + orderOf('bob')), ['200', '400'])
  assert.deepEqual(placed, [])
})

test('the rest of a request that timed out is not read, also before the 408 is sent', async () => {
  const placed: string[] = []
  const [annArrived, annDecided] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const place = async ({ playerId }: { readonly playerId: string }) => {
    placed.push(playerId)
    annArrived.resolve()
    await annDecided.promise
    return { isAccepted: false, reject: { code: 'MARKET_NOT_FOUND' } } as const
  }
  const app = testServer({ engine: { place } })
  after(() => app.close())
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const accepted = once(app.server, 'connection')
  const client = connect(port, '127.0.0.1')
  const [socket]: Socket[] = await accepted
  let answers = ''
  client.setEncoding('utf8').on('data', (text: string) => {
    answers += text
  })
  const [health, late] = ['GET /health HTTP/1.1\r\nHost: x\r\n\r\n', orderOf('bob')]
  const begun = health + orderOf('ann') + late.slice(0, -10)
  client.write(begun)
  await annArrived.promise
  // As Node does when the time is over.
  const timeout = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  app.server.emit('clientError', timeout, socket)
  client.write(late.slice(-10))
  while (socket!.bytesRead < begun.length + 10) await setImmediate()
  await setImmediate()
  annDecided.resolve()
  await once(client, 'close')
  assert.deepEqual(answers.match(/(?<=HTTP\/1\.1 )\d+/g), ['200', '404', '408'])
  assert.deepEqual(placed, ['ann'])
})

function orderOf(playerId: string): string {
  const about = { marketId: someId, outcomeId: someId, playerId }
  const body = JSON.stringify({ ...about, side: 'BUY', type: 'LIMIT', shares: 1, price: 0.5 })
  return [
    'POST /api/v1/orders HTTP/1.1',
    'Host: x',
    `X-Api-Key: ${apiKeys.all}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

test('HTTP/1.0 requests need no host header, as health checks send them', async () => {
  const app = testServer()
  after(() => app.close())
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  for (const path of ['/health', '/ready', '/metrics', '/docs/']) {
    assert.match(await send(port, `GET ${path} HTTP/1.0\r\n\r\n`), /^HTTP\/1\.1 200 /, path)
  }
})

function send(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setEncoding('utf8')
    socket.on('data', (text) => {
      answer += text
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}
