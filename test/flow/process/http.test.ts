// What every response has in common, and the routes beside the API, over HTTP.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertEnvelope, assertRefused } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

test('every response has X-Request-Id: the one that was sent, or a new one', async () => {
  const operator = await OperatorClient.create(service)
  const headers = { 'x-request-id': 'mine-42' }
  for (const path of ['/markets', '/markets/x', '/nothing']) {
    const sent = await operator.request('GET', path, undefined, { headers })
    assert.equal(sent.headers.get('x-request-id'), 'mine-42')
    const [one, two] = [await operator.request('GET', path), await operator.request('GET', path)]
    assert.ok(one.headers.get('x-request-id'))
    assert.notEqual(one.headers.get('x-request-id'), two.headers.get('x-request-id'))
  }
  const withoutKey = await service.request('GET', '/api/v1/markets', { headers })
  assert.equal(withoutKey.headers.get('x-request-id'), 'mine-42')
})

test('an unknown route is NOT_FOUND, with and without a key', async () => {
  const operator = await OperatorClient.create(service)
  for (const path of ['/', '/api', '/api/v1', '/api/v1/nothing', '/api/v2/markets', '/markets']) {
    assertRefused(await service.request('GET', path), 'NOT_FOUND')
    assertRefused(await service.request('GET', path, { key: operator.key }), 'NOT_FOUND')
  }
  assertRefused(await service.request('POST', '/api/v1/nothing', { body: '{' }), 'NOT_FOUND')
})

test('a wrong method is METHOD_NOT_ALLOWED, and Allow lists the supported ones', async () => {
  for (const [method, path, allowed] of [
    ['DELETE', '/api/v1/markets', /GET.*POST|POST.*GET/],
    ['PUT', '/api/v1/orders', /POST/],
    ['GET', '/api/v1/markets/x/open', /POST/],
    ['POST', '/api/v1/stats/overview', /GET/],
    ['POST', '/health', /GET/],
  ] as const) {
    const answer = await service.request(method, path)
    assertRefused(answer, 'METHOD_NOT_ALLOWED')
    assert.match(answer.headers.get('allow') ?? '', allowed)
    if (method === 'GET') continue
    const withBody = await service.request(method, path, { body: '{' })
    assertRefused(withBody, 'METHOD_NOT_ALLOWED')
  }
})

test('a wrong content type is UNSUPPORTED_MEDIA_TYPE, bad JSON VALIDATION_ERROR', async () => {
  const operator = await OperatorClient.create(service)
  const send = (body: string, type: string) =>
    operator.request('POST', '/markets', body, { headers: { 'content-type': type } })
  const good = '{"title":"x"}'
  for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
    assertRefused(await send(good, type), 'UNSUPPORTED_MEDIA_TYPE')
  }
  for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
    assert.equal((await send(good, type)).status, 201)
  }
  assertRefused(await send('', 'application/json'), 'VALIDATION_ERROR', 'title')
  for (const body of ['{"title":', '{title:"x"}', 'null', '[]', '"x"', '1', '{"title":"x"}}']) {
    assertRefused(await send(body, 'application/json'), 'VALIDATION_ERROR', 'body')
  }
  for (const key of ['__proto__', 'constructor']) {
    const body = `{"title":"x","${key}":{"prototype":{}}}`
    assertRefused(await send(body, 'application/json'), 'VALIDATION_ERROR')
  }
})

test('a body that is not UTF-8 is refused, on the fast path and on other routes', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const send = async (path: string, playerId: string, encoding: 'latin1' | 'utf8') => {
    const order = {
      marketId: market.id,
      outcomeId: market.outcomes[0].id,
      playerId,
      side: 'BUY',
      type: 'LIMIT',
      price: 0.5,
      shares: 1,
    }
    const body = JSON.stringify(path === '/orders' ? order : { title: playerId })
    const response = await fetch(`${service.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'x-api-key': operator.key, 'content-type': 'application/json' },
      body: Buffer.from(body, encoding),
    })
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Json,
    }
  }
  for (const path of ['/orders', '/markets']) {
    assertRefused(await send(path, 'Zo\u00eb', 'latin1'), 'VALIDATION_ERROR', 'body')
    for (const name of ['Zo\u00eb', '\ufffd']) {
      const { status, body } = await send(path, name, 'utf8')
      assert.equal(status, 201)
      assert.equal(path === '/orders' ? body.data.order.playerId : body.data.title, name)
    }
  }
})

test('health, readiness, metrics and the documents need no key', async () => {
  for (const path of ['/health', '/ready']) {
    const answer = await service.request('GET', path)
    assert.equal(answer.status, 200)
    assertEnvelope(answer)
  }
  const metrics = await service.request('GET', '/metrics')
  assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain/)
  assert.match(metrics.body, /^# HELP /m)
  assert.match(metrics.body, /^# TYPE /m)
  const document = await service.request('GET', '/openapi.json')
  assert.match(document.body.openapi, /^3\./)
  for (const path of ['/api/v1/orders', '/api/v1/markets/{id}/settle', '/api/v1/events']) {
    assert.ok(path in document.body.paths, path)
  }
})

test('the page of the reference contacts no other host', async () => {
  const response = await fetch(`${service.url}/docs`)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/)
  const page = await response.text()
  const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!)
  assert.ok(addresses.length > 0)
  for (const address of addresses) {
    if (address.startsWith('data:')) continue
    const url = new URL(address, response.url)
    assert.equal(url.origin, service.url, address)
    if (url.protocol !== 'http:') continue
    assert.equal((await fetch(url)).status, 200, address)
  }
})

test('HEAD is answered like GET, without a body', async () => {
  const response = await fetch(`${service.url}/health`, { method: 'HEAD' })
  assert.equal(response.status, 200)
  assert.equal(await response.text(), '')
})
