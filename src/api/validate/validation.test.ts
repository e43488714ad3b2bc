// Invalid requests: their messages, and that values are not converted.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import { apiKeys, otherId, someId, testServer } from '../../../test/support/http/rest-server.ts'
import type { PlaceOrder } from '../../engine/commands.ts'
import { components } from '../schemas/components.ts'

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
const postOnlyRule = 'postOnly: is allowed only on LIMIT orders with timeInForce GTC'
const app = testServer()

async function refusalOf(url: string, payload: object, method: 'POST' | 'PATCH' = 'POST') {
  const response = await app.inject({ method, url, headers, payload })
  const { error } = response.json()
  return `${response.statusCode} ${error.code} ${error.message}`
}

test('an invalid order is refused with the field and the rule', async () => {
  for (const [change, expected] of [
    [{ shares: '25' }, 'shares: must be a number'],
    [{ shares: null }, 'shares: must be a number'],
    [{ shares: true }, 'shares: must be a number'],
    [{ price: '0.5' }, 'price: must be a number or null'],
    [{ playerId: 5 }, 'playerId: must be a string'],
    [{ playerId: '' }, 'playerId: must not be empty'],
    [{ playerId: 'a'.repeat(129) }, 'playerId: must have at most 128 characters'],
    [{ side: 'buy' }, 'side: must be one of BUY, SELL'],
    [{ type: 'STOP' }, 'type: must be one of MARKET, LIMIT'],
    [{ marketId: 'x' }, 'marketId: must be a UUID'],
    [{ marketId: undefined }, 'marketId: is required'],
    [{ price: undefined }, 'price: is required for a LIMIT order'],
    [{ price: null }, 'price: is required for a LIMIT order'],
    [{ operatorId: someId }, 'operatorId: unknown field'],
    [{ timeInForce: 'DAY' }, 'timeInForce: must be one of GTC, IOC, FOK, null'],
    [{ type: 'MARKET', timeInForce: 'IOC' }, 'timeInForce: is allowed only on LIMIT orders'],
    [{ type: 'MARKET', timeInForce: 'GTC' }, 'timeInForce: is allowed only on LIMIT orders'],
    [{ postOnly: 'yes' }, 'postOnly: must be a boolean or null'],
    [{ postOnly: true, timeInForce: 'IOC' }, postOnlyRule],
    [{ postOnly: true, type: 'MARKET' }, postOnlyRule],
    [{ selfTradePrevention: 'ALL' }, /^selfTradePrevention: must be one of NONE, CANCEL_NEWEST, /],
    [{ expiresAt: '2026-02-30T00:00:00Z' }, /^expiresAt: must be an existing ISO 8601 time/],
    [{ expiresAt: '2099-01-01' }, /^expiresAt: must be .* such as 2030-01-31T18:00Z, /],
    [{ expiresAt: '2099-01-01T00:00' }, /^expiresAt: has no time zone; append Z or an offset/],
    [{ expiresAt: '2099-01-01T00:00:00.5' }, /^expiresAt: has no time zone; append Z or an offset/],
    [{ transactionId: '' }, 'transactionId: must not be empty'],
    [{ transactionId: 'a\u0000b' }, /^transactionId: must not contain control characters/],
    [{ playerId: '\ud800' }, /^playerId: must not contain control characters or lone surrogates/],
  ] as const) {
    const refusal = await refusalOf('/api/v1/orders', { ...order, ...change })
    const start = '400 VALIDATION_ERROR '
    assert.equal(refusal.slice(0, start.length), start, JSON.stringify(change))
    const rest = refusal.slice(start.length)
    if (typeof expected === 'string') assert.equal(rest, expected)
    else assert.match(rest, expected)
  }
})

test('shares are checked before the price, and both before the market', async () => {
  for (const [change, message] of [
    [
      { shares: 0.5, price: 7 },
      /^400 ORDER_INVALID_SHARES shares must be between 1 and 100000 in steps of 0\.01, got 0\.5$/,
    ],
    [
      { shares: 1.005 },
      /^400 ORDER_INVALID_SHARES shares must be a multiple of 0\.01, got 1\.005$/,
    ],
    [{ shares: 1e308 }, /^400 ORDER_INVALID_SHARES .*0\.01/],
    [{ shares: -1e308 }, /^400 ORDER_INVALID_SHARES /],
    [{ shares: 5e-324 }, /^400 ORDER_INVALID_SHARES /],
    [
      { price: 0.12345 },
      /^400 ORDER_INVALID_PRICE price must be a multiple of 0\.0001, got 0\.12345$/,
    ],
    [
      { price: 1 },
      /^400 ORDER_INVALID_PRICE price must be between 0\.01 and 0\.99 in steps of 0\.0001, got 1$/,
    ],
    [{ price: 1e300 }, /^400 ORDER_INVALID_PRICE .*0\.0001/],
    [{ shares: 0.1 + 0.2 + 1, price: 0.1 + 0.2 }, /^404 MARKET_NOT_FOUND /],
    [{ type: 'MARKET', price: 7 }, /^404 MARKET_NOT_FOUND /],
    [{ type: 'MARKET', price: undefined }, /^404 MARKET_NOT_FOUND /],
  ] as const) {
    assert.match(await refusalOf('/api/v1/orders', { ...order, ...change }), message)
  }
})

test('a JSON number that a float cannot hold is refused', async () => {
  const payload = JSON.stringify(order).replace('25', '1e999')
  const own = { ...headers, 'content-type': 'application/json' }
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/orders',
    headers: own,
    payload,
  })
  assert.equal(response.statusCode, 400)
  assert.equal(response.json().error.message, 'shares: must be a number')
})

test('an order reaches the engine in whole steps and serials', async () => {
  const commands: PlaceOrder[] = []
  const engine = {
    place: (command: PlaceOrder) => {
      commands.push(command)
      return { isAccepted: false, reject: { code: 'MARKET_NOT_FOUND' } } as const
    },
  }
  const body = { ...order, expiresAt: '2027-01-01T01:00:00+01:00', marketId: someId.toUpperCase() }
  await testServer({ engine }).inject({
    method: 'POST',
    url: '/api/v1/orders',
    headers,
    payload: body,
  })
  const { operatorId: _, ...command } = commands[0]!
  assert.deepEqual(command, {
    marketSerial: 1_000_001,
    outcomeSerial: 1_000_002,
    playerId: 'ann',
    side: 'BUY',
    type: 'LIMIT',
    shares: 2_500,
    price: 5_500,
    expiresAt: Date.UTC(2027, 0, 1),
    options: 0,
    transactionId: null,
  })
})

test('an invalid market is refused with the field and the rule', async () => {
  for (const [body, expected] of [
    [{}, 'title: is required'],
    [{ title: 'a\nb' }, /^title: must not contain control characters, line breaks, bidirectional/],
    [
      { title: 'a\u202eb' },
      /^title: must not contain .* \(U\+202A to U\+202E, U\+2066 to U\+2069\)/,
    ],
    [{ outcomes: [{ name: 'A' }, { name: '\u2066B' }] }, /^outcomes\[1\]\.name: must not contain /],
    [{ description: 'a\n\u202eb' }, /^description: must not contain .* tabs and line breaks$/],
    [{ imageUrl: 'javascript:alert(1)' }, /^imageUrl: must be an https URL such as https:/],
    [{ imageUrl: 'http://example.com/a.png' }, /^imageUrl: must be an https URL such as https:/],
    [{ imageUrl: '' }, 'imageUrl: must not be empty'],
    [{ imageUrl: `https://x/${'a'.repeat(2_048)}` }, 'imageUrl: must have at most 2048 characters'],
    [{ title: 'x'.repeat(257) }, 'title: must have at most 256 characters'],
    [{ outcomes: [{ name: 'Yes' }] }, 'outcomes: must have at least 2 items, got 1'],
    [{ outcomes: [{ name: 'Yes' }, { name: 1 }] }, 'outcomes[1].name: must be a string'],
    [{ outcomes: [{ name: 'A' }, { name: 'B', id: 1 }] }, 'outcomes[1].id: unknown field'],
    [{ metadata: [] }, 'metadata: must be an object or null'],
    [{ metadata: { big: 'x'.repeat(17_000) } }, 'metadata: must be at most 16 KiB of JSON'],
    [{ metadata: { constructor: 1 } }, 'metadata: must not contain the key "constructor"'],
    [{ completeSetMatching: 'yes' }, 'completeSetMatching: must be a boolean'],
    [{ status: 'OPEN' }, 'status: unknown field'],
  ] as const) {
    const title = 'title' in body || Object.keys(body).length === 0 ? {} : { title: 'Rain?' }
    const refusal = await refusalOf('/api/v1/markets', { ...title, ...body })
    const rest = refusal.replace('400 VALIDATION_ERROR ', '')
    if (typeof expected === 'string') assert.equal(rest, expected)
    else assert.match(rest, expected)
  }
})

test('a POST without a body is refused with the first missing field', async () => {
  const refusalFor = async (url: string, payload?: string) => {
    const own = { ...headers, 'content-type': 'application/json' }
    const body = payload === undefined ? { headers } : { headers: own, payload }
    const response = await app.inject({ method: 'POST', url, ...body })
    const { code, message } = response.json().error
    return `${response.statusCode} ${code} ${message}`
  }
  for (const [url, field] of [
    ['/api/v1/markets', 'title'],
    [`/api/v1/markets/${someId}/cancel`, 'reason'],
    [`/api/v1/markets/${someId}/mint`, 'playerId'],
    ['/api/v1/orders', 'marketId'],
    ['/api/v1/orders/batch', 'orders'],
    ['/api/v1/webhooks', 'url'],
  ] as const) {
    const missing = `400 VALIDATION_ERROR ${field}: is required`
    for (const payload of [undefined, '', '{}']) {
      const refusal = await refusalFor(url, payload)
      assert.equal(refusal.replace(/ \(and \d more\)$/, ''), missing)
    }
    for (const payload of ['[]', 'null', '5']) {
      assert.equal(await refusalFor(url, payload), '400 VALIDATION_ERROR body: must be an object')
    }
  }
})

test('keys that reach prototypes are refused at any place', async () => {
  const own = { ...headers, 'content-type': 'application/json' }
  for (const payload of [
    '{"title":"Rain?","__proto__":{"currency":"USD"}}',
    '{"title":"Rain?","metadata":{"__proto__":{"a":1}}}',
    '{"title":"Rain?","metadata":{"a":[{"\\u005f_proto__":1}]}}',
  ]) {
    const request = { method: 'POST', url: '/api/v1/markets', headers: own, payload } as const
    assert.equal((await app.inject(request)).statusCode, 400, payload)
  }
})

test('a category that the caller cannot use is 404', async () => {
  const body = { title: 'Rain?', categoryId: someId }
  assert.match(await refusalOf('/api/v1/markets', body), /^404 CATEGORY_NOT_FOUND /)
})

test('query values are parsed as numbers and booleans, and refused otherwise', async () => {
  const statusOf = async (url: string) => (await app.inject({ url, headers })).statusCode
  for (const query of [
    ...['limit=0', 'limit=1001', 'limit=1.5', 'limit=', 'limit=x', 'limit=1&limit=2', 'cursor=x'],
    ...['limit=1e999', 'limit=Infinity', 'limit=NaN'],
    ...['marketId=x', 'status=', 'status=OPEN', 'status=FILLED,', 'side=BOTH', 'playerId='],
    ...['playerId=%00', 'cursor=', `cursor=${Buffer.from('x').toString('base64url')}`],
  ]) {
    assert.equal(await statusOf(`/api/v1/orders?${query}`), 400, query)
  }
  for (const query of [
    ...['limit=1000', 'status=FILLED,PENDING', `marketId=${someId}`, 'unknown=1'],
    'marketId=00000000-0000-0000-0000-000000000000',
  ]) {
    assert.equal(await statusOf(`/api/v1/orders?${query}`), 200, query)
  }
  assert.equal(await statusOf('/api/v1/categories?includeGlobal=false'), 200)
  assert.equal(await statusOf('/api/v1/categories?includeGlobal=2'), 400)
  assert.equal(await statusOf('/api/v1/events?since=-1'), 400)
  assert.equal(await statusOf('/api/v1/events?since=99999999999999999999'), 400)
  assert.equal(await statusOf('/api/v1/events?since=1e999'), 400)
  assert.equal(await statusOf('/api/v1/events?eventType=NOTHING'), 400)
})

test('numbers in a query are plain digits', async () => {
  const book = `/api/v1/markets/${someId}/orderbook/${otherId}`
  for (const [url, field] of [
    ['/api/v1/orders', 'limit'],
    ['/api/v1/positions', 'limit'],
    [book, 'depth'],
    ['/api/v1/events', 'since'],
  ] as const) {
    for (const text of ['0x10', '0b1', '1e1', '%205', '5%20', '%2B5', '5.0', '1_0', '%D9%A5', '']) {
      const response = await app.inject({ url: `${url}?${field}=${text}`, headers })
      const { code, message } = response.json().error
      const refusal = `${code} ${message}`
      assert.equal(refusal, `VALIDATION_ERROR ${field}: must be a whole number`, url + text)
    }
    const { error } = (await app.inject({ url: `${url}?${field}=-5`, headers })).json()
    assert.match(error.message, /: must be at least [01], got -5$/)
  }
  for (const text of ['1', '0', '', 'TRUE', '%20true', 'null']) {
    const url = `/api/v1/categories?activeOnly=${text}`
    const { error } = (await app.inject({ url, headers })).json()
    assert.equal(error.message, 'activeOnly: must be a boolean')
  }
})

test('a malformed id in a path is not found', async () => {
  for (const [method, url, code] of [
    ['GET', '/api/v1/markets/x', 'MARKET_NOT_FOUND'],
    ['POST', '/api/v1/markets/x/open', 'MARKET_NOT_FOUND'],
    ['GET', `/api/v1/markets/${'x'.repeat(5_000)}`, 'MARKET_NOT_FOUND'],
    ['GET', '/api/v1/orders/%00', 'ORDER_NOT_FOUND'],
    ['DELETE', '/api/v1/orders/1', 'ORDER_NOT_FOUND'],
    ['GET', '/api/v1/categories/x', 'CATEGORY_NOT_FOUND'],
    ['DELETE', '/api/v1/webhooks/x', 'WEBHOOK_NOT_FOUND'],
  ] as const) {
    const response = await app.inject({ method, url, headers })
    assert.equal(response.statusCode, 404, url)
    assert.equal(response.json().error.code, code)
  }
})

test('every schema is a valid JSON Schema, which a start does not check', () => {
  const rules = new Ajv({ strict: false })
  for (const component of components) {
    assert.ok(rules.validateSchema(component), `${component.$id}: ${rules.errorsText()}`)
  }
})
