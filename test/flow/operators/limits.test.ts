// Rate limits, sizes of bodies and headers, and the settings for orders, over HTTP.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Answer, Service } from '../../support/process/outcry-process.ts'
import { StreamClient } from '../../support/stream/stream-client.ts'

let service: Service
before(async () => {
  const env = {
    RATE_LIMIT_ORDERS: '5',
    RATE_LIMIT_REQUESTS: '12',
    RATE_LIMIT_PUBLIC: '30',
    MIN_ORDER_SHARES: '2',
    MAX_ORDER_SHARES: '50.5',
    MIN_ORDER_PRICE: '0.1',
    MAX_ORDER_PRICE: '0.8',
    DEFAULT_TRADING_FEE_PERCENT: '0.5',
    EVENT_RETENTION_HOURS: '2',
  }
  service = await Service.start({ env })
})
after(() => service.stop())

/** Sends that many requests at once. */
function burst(count: number, send: () => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, send))
}

function assertLimited(answers: readonly Answer[], isLimited: boolean): void {
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(refused.length > 0, isLimited, `${refused.length} of ${answers.length} refused`)
  for (const answer of refused) {
    assertRefused(answer, 'RATE_LIMITED')
    const wait = Number(answer.headers.get('retry-after'))
    assert.ok(Number.isInteger(wait) && wait >= 1, 'Retry-After')
  }
}

test('orders, cancels and other requests of an operator have separate limits', async () => {
  const [operator, other] = [
    await OperatorClient.create(service),
    await OperatorClient.create(service),
  ]
  const market = await operator.openMarket()
  const body = { price: 0.2, shares: 2 }
  const orders = await burst(20, () => operator.tryOrder(market, 'BUY', body))
  assertLimited(orders, true)
  const placed = orders.filter(({ status }) => status === 201)
  assert.ok(placed.length >= 5)
  assert.equal((await operator.get('/orders')).total, placed.length, 'refused ones were not placed')
  const [first] = placed
  assert.equal((await operator.cancel(first!.body.data.order)).status, 'CANCELLED')
  assertLimited(await burst(20, () => operator.request('DELETE', '/orders/x')), true)
  assertLimited(await burst(40, () => operator.request('GET', '/markets')), true)
  assertLimited(await burst(5, () => other.request('GET', '/markets')), false)
})

test('public requests are limited by address; health is not limited', async () => {
  const answers = await burst(80, () => service.request('GET', '/api/v1/categories/x'))
  assertLimited(answers, true)
  assertLimited(await burst(50, () => service.request('GET', '/health')), false)
  const operator = await OperatorClient.create(service)
  assert.equal((await operator.request('GET', '/markets')).status, 200, 'a right key passes')
})

test('subscriptions count by topic: of the address, or of the operator with a key', async () => {
  const operator = await OperatorClient.create(service)
  const outcomes = Array.from({ length: 5 }, (_, at) => ({ name: `Outcome ${at}` }))
  const { id } = await operator.openMarket({ outcomes })
  const topics = { channels: ['orderbook', 'prices'], marketIds: [id] }
  // Ten topics each: an address has 30 tokens, an operator 12.
  for (const [key, accepted] of [
    [undefined, 3],
    [operator.key, 1],
  ] as const) {
    const client = await StreamClient.open(service.url, key === undefined ? {} : { key })
    await pause(1_100)
    for (let round = 1; round <= accepted + 2; round += 1) {
      const answer = await client.request({ op: 'subscribe', ...topics })
      const isAccepted = answer.type === 'subscribed'
      if (!isAccepted) assert.equal(answer.error.code, 'RATE_LIMITED')
      // Tokens return while the test runs.
      if (round <= accepted) assert.ok(isAccepted, `round ${round}`)
      if (round === accepted + 2) assert.ok(!isAccepted, 'not limited')
      if (isAccepted) await client.request({ op: 'unsubscribe', ...topics })
    }
    await client.close()
  }
})

test('subscribing again counts the markets, not the topics that are subscribed to', async () => {
  const operator = await OperatorClient.create(service)
  const outcomes = Array.from({ length: 5 }, (_, at) => ({ name: `Outcome ${at}` }))
  const { id } = await operator.openMarket({ outcomes })
  const client = await StreamClient.open(service.url, { key: operator.key })
  await pause(1_100)
  const subscribe = { op: 'subscribe', channels: ['orderbook', 'prices'], marketIds: [id] }
  // Ten topics of twelve tokens; ten more for every message would be refused at once.
  const messages = Array.from({ length: 3 }, () => client.request(subscribe))
  for (const answer of await Promise.all(messages)) assert.equal(answer.type, 'subscribed')
  await client.close()
})

test('a body over 256 KiB is PAYLOAD_TOO_LARGE, one of 256 KiB is accepted', async () => {
  const operator = await OperatorClient.create(service)
  const bodyOf = (bytes: number) => `{"title":"${'x'.repeat(bytes - 12)}"}`
  const over = await operator.request('POST', '/markets', bodyOf(256 * 1_024 + 1))
  assertRefused(over, 'PAYLOAD_TOO_LARGE')
  await pause(1_100)
  const fits = await operator.request('POST', '/markets', bodyOf(256 * 1_024))
  assertRefused(fits, 'VALIDATION_ERROR', 'title')
})

test('too large headers and bytes that are not HTTP are answered in the envelope', async () => {
  const large = await sent(
    `GET /health HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
  )
  assert.match(large, /^HTTP\/1\.1 431 /)
  assert.match(large, /"code":"HEADERS_TOO_LARGE"/)
  const garbage = await sent('HELO there\r\n\r\n')
  assert.match(garbage, /^HTTP\/1\.1 400 /)
  assert.match(garbage, /X-Request-Id: \S+/i)
  assert.match(garbage, /{"success":false,"error":{"code":"VALIDATION_ERROR"/)
})

test('the bounds of orders, the default fee and the retention are settings', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const refused = [
    [{ shares: 1.99 }, 'ORDER_INVALID_SHARES', '2'],
    [{ shares: 50.51 }, 'ORDER_INVALID_SHARES', '50.5'],
    [{ price: 0.0999 }, 'ORDER_INVALID_PRICE', '0.1'],
    [{ price: 0.8001 }, 'ORDER_INVALID_PRICE', '0.8'],
  ] as const
  for (const [placing, code, bound] of refused.slice(0, 2)) {
    assertRefused(await operator.tryOrder(market, 'BUY', placing), code, bound)
  }
  const second = await OperatorClient.create(service)
  const own = await second.openMarket()
  for (const [placing, code, bound] of refused.slice(2)) {
    assertRefused(await second.tryOrder(own, 'BUY', placing), code, bound)
  }
  const third = await OperatorClient.create(service)
  const traded = await third.openMarket()
  await third.mint(traded, 'ann', 50.5)
  await third.sell(traded, { price: 0.8, shares: 50 })
  const { trades } = await third.buy(traded, { player: 'bob', price: 0.8, shares: 50 })
  assert.equal(trades[0].buyerFee, '0.2')
  const { events } = await third.get('/events?limit=1')
  const kept = Date.parse(events[0].expiresAt) - Date.parse(events[0].createdAt)
  assert.equal(kept, 2 * 3_600_000)
})

/** What the service answers to those bytes, until it closes the connection. */
function sent(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text
    })
    socket.on('close', () => resolve(received)).on('error', reject)
    socket.write(bytes)
  })
}
