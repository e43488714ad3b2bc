// Every error code is produced over HTTP, with its status; codes that need a broken store are
// listed with the tests that produce them.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { type ErrorCode, errorTable } from '../../../src/api/errors.ts'
import { assertRefused, until } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { type Answer, Service } from '../../support/process/outcry-process.ts'

let service: Service
let operator: OperatorClient
/** Begun first and awaited last: it takes ten seconds. */
let slow: Promise<Answer>
before(async () => {
  service = await Service.start()
  slow = sent('GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ')
  operator = await OperatorClient.create(service)
})
after(() => service.stop())

const id = crypto.randomUUID()
const play = { playerId: 'ann', shares: 1 }

async function forbidden(): Promise<Answer> {
  return (await operator.withKey({ scopes: ['read'] })).request('POST', '/markets', { title: 'x' })
}

async function settledTwice(): Promise<Answer> {
  const market = await operator.openMarket()
  await operator.finish(market)
  return operator.request('POST', `/markets/${market.id}/settle`)
}

async function cancelledAmended(): Promise<Answer> {
  const { order } = await operator.buy(await operator.openMarket())
  await operator.cancel(order)
  return operator.request('PATCH', `/orders/${order.id}`, { shares: 5 })
}

async function cancelledInQueue(): Promise<Answer> {
  const { order } = await operator.buy(await operator.openMarket())
  await operator.cancel(order)
  return operator.request('GET', `/orders/${order.id}/queue`)
}

async function filledCancelled(): Promise<Answer> {
  const market = await operator.openMarket()
  const { order } = await operator.buy(market)
  await operator.cancel(order)
  return operator.request('DELETE', `/orders/${order.id}`)
}

async function duplicateTransaction(): Promise<Answer> {
  const market = await operator.openMarket()
  await operator.buy(market, { transactionId: 'dup' })
  return operator.tryOrder(market, 'BUY', { transactionId: 'dup', shares: 11 })
}

async function tooManyWebhooks(): Promise<Answer> {
  const full = await OperatorClient.create(service)
  const body = { url: 'https://example.com/' }
  for (let at = 0; at < 20; at += 1) await full.post('/webhooks', body)
  return full.request('POST', '/webhooks', body)
}

async function tooManyRequests(): Promise<Answer> {
  const strict = await Service.start({ env: { RATE_LIMIT_PUBLIC: '1' } })
  try {
    const read = () => strict.request('GET', `/api/v1/categories/${id}`)
    const answers = await Promise.all([read(), read(), read(), read()])
    return answers.find(({ status }) => status === 429) ?? answers[0]!
  } finally {
    await strict.stop()
  }
}

async function tooManyOrders(): Promise<Answer> {
  const patient = await Service.start({ env: { RATE_LIMIT_ORDERS: '0' } })
  try {
    const trader = await OperatorClient.create(patient)
    const market = await trader.openMarket()
    const outcomeId = market.outcomes[0]!.id
    const about = { marketId: market.id, outcomeId, playerId: 'ann', side: 'BUY', type: 'LIMIT' }
    const orders = Array.from({ length: 100 }, () => ({ ...about, shares: 1, price: 0.1 }))
    for (let placed = 0; placed < 10_000; placed += 100) {
      await trader.post('/orders/batch', { orders })
    }
    return await trader.request('POST', '/orders', orders[0])
  } finally {
    await patient.stop()
  }
}

async function placedByTheDead(): Promise<Answer> {
  const maker = await OperatorClient.create(service)
  const market = await maker.openMarket()
  await maker.request('PUT', '/dead-man', { timeoutMs: 1_000 })
  const isRefused = ({ status }: Answer) => status === 409
  return until(() => maker.tryOrder(market, 'BUY'), isRefused, 30_000)
}

async function placedBeyondALimit(): Promise<Answer> {
  const maker = await OperatorClient.create(service)
  const market = await maker.openMarket()
  await maker.put('/controls', { mode: 'OPEN', playerDefaults: { maxOrderCost: 0 } })
  return maker.tryOrder(market, 'BUY')
}

async function placedByTheHalted(): Promise<Answer> {
  const maker = await OperatorClient.create(service)
  const market = await maker.openMarket()
  await maker.put('/controls', { mode: 'HALTED', reason: 'A reason' })
  return maker.tryOrder(market, 'BUY')
}

async function placedInTriggered(): Promise<Answer> {
  const { id: orderGroupId } = await newGroup(operator)
  await operator.post(`/order-groups/${orderGroupId}/trigger`, {})
  return inMarket((market) =>
    operator.request('POST', '/orders', {
      ...orderBody(market, 'BUY', { player: 'maker' }),
      orderGroupId,
    }),
  )
}

async function tooManyGroups(): Promise<Answer> {
  const full = await OperatorClient.create(service)
  for (let at = 0; at < 100; at += 1) await newGroup(full)
  return full.request('POST', '/order-groups', { playerId: 'maker', limitShares: 5 })
}

function newGroup(of: OperatorClient) {
  return of.post('/order-groups', { playerId: 'maker', limitShares: 5 })
}

const inMarket = async (send: (market: { id: string }) => Promise<Answer>) =>
  send(await operator.openMarket())
const outcomeOf = async (market: { id: string }) =>
  service.request('GET', `/api/v1/markets/${market.id}/prices/${id}`)

const provoke: Partial<Record<ErrorCode, () => Promise<Answer>>> = {
  VALIDATION_ERROR: () => operator.request('POST', '/markets', {}),
  ORDER_INVALID_SHARES: () => inMarket((market) => operator.tryOrder(market, 'BUY', { shares: 0 })),
  ORDER_INVALID_PRICE: () => inMarket((market) => operator.tryOrder(market, 'BUY', { price: 1 })),
  UNAUTHORIZED: () => service.request('GET', '/api/v1/markets'),
  FORBIDDEN: forbidden,
  NOT_FOUND: () => service.request('GET', '/api/v1/nothing'),
  MARKET_NOT_FOUND: () => operator.request('GET', `/markets/${id}`),
  OUTCOME_NOT_FOUND: () => inMarket(outcomeOf),
  ORDER_NOT_FOUND: () => operator.request('GET', `/orders/${id}`),
  TRADE_NOT_FOUND: () => operator.request('GET', `/trades/${id}`),
  CATEGORY_NOT_FOUND: () => service.request('GET', `/api/v1/categories/${id}`),
  WEBHOOK_NOT_FOUND: () => operator.request('DELETE', `/webhooks/${id}`),
  SETTLEMENT_NOT_FOUND: () =>
    operator.request('POST', `/settlements/${id}/acknowledge`, {
      transactionId: 'x',
      status: 'FAILED',
    }),
  OPERATOR_NOT_FOUND: () => service.admin('GET', `/api/v1/admin/operators/${id}`),
  KEY_NOT_FOUND: () => service.admin('DELETE', `/api/v1/admin/operators/${operator.id}/keys/${id}`),
  METHOD_NOT_ALLOWED: () => operator.request('DELETE', '/markets'),
  MARKET_NOT_OPEN: async () => operator.tryOrder(await operator.createMarket(), 'BUY'),
  MARKET_INVALID_TRANSITION: () =>
    inMarket((market) => operator.request('POST', `/markets/${market.id}/resume`)),
  MARKET_NOT_EDITABLE: () =>
    inMarket((market) => operator.request('PATCH', `/markets/${market.id}`, { title: 'x' })),
  ORDER_CANNOT_CANCEL: filledCancelled,
  ORDER_CANNOT_AMEND: cancelledAmended,
  ORDER_NOT_OPEN: cancelledInQueue,
  DEAD_MAN_TRIGGERED: placedByTheDead,
  ORDER_GROUP_NOT_FOUND: () => operator.request('GET', `/order-groups/${id}`),
  ORDER_GROUP_TRIGGERED: placedInTriggered,
  ORDER_GROUP_LIMIT: tooManyGroups,
  TRADING_RESTRICTED: placedByTheHalted,
  LIMIT_EXCEEDED: placedBeyondALimit,
  ORDER_NO_LIQUIDITY: () =>
    inMarket((market) =>
      operator.request('POST', '/orders', orderBody(market, 'BUY', { type: 'MARKET' })),
    ),
  ORDER_OUTSIDE_BAND: () =>
    inMarket(async (market) => {
      await operator.mint(market, 'ann', 20)
      await operator.sell(market, { price: 0.2 })
      await operator.buy(market, { price: 0.2 })
      await operator.sell(market, { price: 0.5 })
      await operator.request('PATCH', `/markets/${market.id}`, { priceBand: { maxMove: 0.1 } })
      return operator.tryOrder(market, 'BUY', { price: 0.5 })
    }),
  ORDER_WOULD_MATCH: () =>
    inMarket(async (market) => {
      await operator.mint(market, 'ann', 10)
      await operator.sell(market)
      return operator.tryOrder(market, 'BUY', { postOnly: true })
    }),
  ORDER_DUPLICATE_TRANSACTION: duplicateTransaction,
  POSITION_INSUFFICIENT_SHARES: () =>
    inMarket((market) => operator.request('POST', `/markets/${market.id}/redeem`, play)),
  ORDER_LIMIT: tooManyOrders,
  EVENTS_REWOUND: () => operator.request('GET', `/events?historyId=${id}`),
  CATEGORY_DUPLICATE_SLUG: async () => {
    await operator.post('/categories', { name: 'x', slug: 'twice' })
    return operator.request('POST', '/categories', { name: 'x', slug: 'twice' })
  },
  WEBHOOK_LIMIT: tooManyWebhooks,
  SETTLEMENT_ALREADY_COMPLETED: settledTwice,
  PAYLOAD_TOO_LARGE: () => operator.request('POST', '/markets', { title: 'x'.repeat(300_000) }),
  UNSUPPORTED_MEDIA_TYPE: () =>
    operator.request('POST', '/markets', 'x', { headers: { 'content-type': 'text/plain' } }),
  RATE_LIMITED: tooManyRequests,
  HEADERS_TOO_LARGE: () => sent(`GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
  REQUEST_TIMEOUT: () => slow,
}

/** Where the others are shown: they need settings of their own, or a fault. */
const shownElsewhere: Partial<Record<ErrorCode, string>> = {
  OPERATOR_LIMIT: 'test/flow/operators/operator-limits.test.ts',
  INTERNAL_ERROR: 'src/api/rest/faults.test.ts',
  UNAVAILABLE: 'test/flow/process/stop.test.ts',
  COMMIT_UNKNOWN: 'src/api/rest/faults.test.ts',
  IDEMPOTENCY_KEY_REUSED: 'test/flow/process/idempotency-keys.test.ts',
  SHARD_NOT_FOUND: 'src/api/rest/routes/cluster.test.ts',
  NODE_NOT_FOUND: 'src/api/rest/routes/cluster.test.ts',
  NODE_CANNOT_OWN: 'src/api/rest/routes/cluster.test.ts',
  NOT_IN_CLUSTER: 'src/api/rest/routes/cluster.test.ts',
}

/** Kept for clients that know it; a settlement of ours is one commit, which fails as such. */
const neverGiven: readonly ErrorCode[] = ['SETTLEMENT_FAILED']
const ofStreamAlone: readonly ErrorCode[] = ['SUBSCRIPTION_LIMIT']

test('every error code is produced here or in a named test', () => {
  const others = [...Object.keys(shownElsewhere), ...neverGiven, ...ofStreamAlone]
  const shown = [...Object.keys(provoke), ...others]
  assert.deepEqual(shown.sort(), Object.keys(errorTable).sort())
  for (const file of Object.values(shownElsewhere)) {
    assert.ok(existsSync(new URL(`../../../${file}`, import.meta.url)), file)
  }
})

for (const [code, send] of Object.entries(provoke)) {
  test(`${code} is sent with its status`, async () => assertRefused(await send(), code))
}

/** What the service answers to those bytes. */
function sent(bytes: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text
    })
    socket.on('error', reject).on('close', () => {
      const [head = '', body = ''] = received.split('\r\n\r\n')
      const [first = '', ...lines] = head.split('\r\n')
      const headers = new Headers(lines.map((line) => line.split(': ') as [string, string]))
      resolve({ status: Number(first.split(' ')[1]), headers, body: JSON.parse(body || 'null') })
    })
    socket.write(bytes)
  })
}
