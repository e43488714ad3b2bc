// Several orders in one request, over HTTP: each is placed on its own.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { assertRefused, assertShape } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { placementShape } from '../../support/http/shapes.ts'
import { type Json, newFolder, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

async function batch(operator: OperatorClient, orders: readonly unknown[]): Promise<Json[]> {
  return (await operator.post('/orders/batch', { orders })).results
}

const codesOf = (results: readonly Json[]) =>
  results.map(({ success, error }) => (success ? 'accepted' : error.code))

test('orders of a batch are placed in the order of the array, and match each other', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ sam: 20 })
  const results = await batch(operator, [
    orderBody(market, 'SELL', { player: 'sam', price: 0.6, shares: 5 }),
    orderBody(market, 'SELL', { player: 'sam', price: 0.5, shares: 5 }),
    orderBody(market, 'BUY', { player: 'bob', price: 0.7, shares: 8, transactionId: 'b-1' }),
    orderBody(market, 'BUY', { player: 'bob', price: 0.4, shares: 1 }),
  ])
  for (const { success, data } of results) {
    assert.equal(success, true)
    assertShape(data, placementShape)
  }
  const [first, second, third, last] = results.map(({ data }) => data)
  assert.deepEqual([first.status, second.status], ['PENDING', 'PENDING'], 'as of its own placement')
  assert.deepEqual(
    third.trades.map(({ price, shares }: Json) => [price, shares]),
    [
      ['0.5', '5'],
      ['0.6', '3'],
    ],
  )
  assert.equal(third.status, 'FILLED')
  assert.equal(last.status, 'PENDING')
  const { orders } = await operator.get('/orders')
  assert.deepEqual(
    orders.map(({ id }: Json) => id),
    [last, third, second, first].map(({ order }) => order.id),
  )
})

test('a refused order gets the error it would get alone; the others are placed', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const good = orderBody(market, 'BUY', { price: 0.3, shares: 2 })
  const results = await batch(operator, [
    good,
    { ...good, playerId: '' },
    { ...good, nonsense: 1 },
    { ...good, price: undefined },
    { ...good, shares: 0.5 },
    { ...good, price: 0.12345 },
    { ...good, marketId: crypto.randomUUID() },
    { ...good, side: 'SELL' },
    { ...good, type: 'MARKET' },
    null,
    7,
    [good],
    good,
  ])
  assert.deepEqual(codesOf(results), [
    'accepted',
    ...['VALIDATION_ERROR', 'VALIDATION_ERROR', 'VALIDATION_ERROR'],
    ...['ORDER_INVALID_SHARES', 'ORDER_INVALID_PRICE', 'MARKET_NOT_FOUND'],
    ...['POSITION_INSUFFICIENT_SHARES', 'ORDER_NO_LIQUIDITY'],
    ...['VALIDATION_ERROR', 'VALIDATION_ERROR', 'VALIDATION_ERROR'],
    'accepted',
  ])
  assert.match(results[1]!.error.message, /playerId/)
  assert.match(results[2]!.error.message, /nonsense/)
  assert.match(results[3]!.error.message, /price/)
  const rejected = await operator.get(`/orders/${results[8]!.error.details.orderId}`)
  assert.equal(rejected.status, 'REJECTED')
  for (const { error, ...more } of results.filter(({ success }) => !success)) {
    assert.deepEqual(more, { success: false })
    assert.deepEqual(Object.keys(error).slice(0, 2), ['code', 'message'])
  }
  assert.equal((await operator.get('/orders')).total, 3)
})

test('a transactionId is used once, within a batch and across batches', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const order = orderBody(market, 'BUY', { price: 0.3, shares: 2, transactionId: 'one' })
  const [first, again, other] = await batch(operator, [order, order, { ...order, shares: 3 }])
  assert.deepEqual([first!.success, first!.replayed], [true, undefined])
  assert.deepEqual([again!.success, again!.replayed], [true, true])
  assert.equal(again!.data.order.id, first!.data.order.id)
  assert.equal(other!.error.code, 'ORDER_DUPLICATE_TRANSACTION')
  const [later] = await batch(operator, [order])
  assert.deepEqual([later!.replayed, later!.data.order.id], [true, first!.data.order.id])
  const { orders, total } = await operator.get('/orders?transactionId=one')
  assert.deepEqual([total, orders[0].id], [1, first!.data.order.id])
})

test('a repeated REJECTED order is refused again, marked as replayed', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const order = orderBody(market, 'BUY', { type: 'MARKET', transactionId: 'none' })
  const [first, again] = await batch(operator, [order, order])
  assert.deepEqual([first!.success, first!.replayed], [false, undefined])
  assert.deepEqual([again!.success, again!.replayed], [false, true])
  assert.deepEqual(again!.error, first!.error)
})

test('a batch has 1 to 100 orders and no other field', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const order = orderBody(market, 'BUY', { price: 0.3, shares: 1 })
  for (const [field, body] of [
    ['orders', undefined],
    ['orders', {}],
    ['orders', { orders: [] }],
    ['orders', { orders: Array(101).fill(order) }],
    ['orders', { orders: order }],
    ['atOnce', { orders: [order], atOnce: true }],
  ] as const) {
    const answer = await operator.request('POST', '/orders/batch', body)
    assertRefused(answer, 'VALIDATION_ERROR', field)
  }
  assert.equal((await operator.get('/orders')).total, 0)
  const results = await batch(operator, Array(100).fill(order))
  assert.deepEqual(new Set(codesOf(results)), new Set(['accepted']))
  assert.equal((await operator.get('/orders?limit=1')).total, 100)
})

test('each order counts towards the limit, and a batch over it is refused as a whole', async () => {
  const own = await Service.start({ env: { RATE_LIMIT_ORDERS: '40' } })
  try {
    const operator = await OperatorClient.create(own)
    const market = await operator.openMarket()
    const orders = Array(100).fill(orderBody(market, 'BUY', { price: 0.3, shares: 1 }))
    const requests = Array.from({ length: 6 }, () =>
      operator.request('POST', '/orders/batch', { orders }),
    )
    const answers = await Promise.all(requests)
    const refused = answers.filter(({ status }) => status === 429)
    assert.ok(refused.length >= 1, 'a batch that exceeds the limit uses up the tokens')
    assert.ok(refused.length < answers.length, 'one that is larger than the limit passes')
    for (const answer of refused) {
      assertRefused(answer, 'RATE_LIMITED')
      assert.ok(Number(answer.headers.get('retry-after')) >= 1)
    }
    const { total } = await operator.get('/orders?limit=1')
    assert.equal(total, (answers.length - refused.length) * 100)
  } finally {
    await own.stop()
  }
})

test('the events of a batch are published order by order, and survive a kill', async () => {
  const dataDir = await newFolder()
  let own = await Service.start({ dataDir })
  try {
    const operator = await OperatorClient.create(own)
    const market = await operator.openMarket()
    const results = await batch(
      operator,
      Array(50).fill(orderBody(market, 'BUY', { price: 0.3, shares: 1 })),
    )
    const ids = results.map(({ data }) => data.order.id)
    await own.kill()
    own = await Service.start({ dataDir })
    const again = new OperatorClient(own, operator)
    const { orders } = await again.get('/orders?limit=100')
    assert.deepEqual(orders.map(({ id }: Json) => id).reverse(), ids)
    const placed = await again.events('&eventType=ORDER_PLACED')
    assert.deepEqual(
      placed.map(({ payload }) => payload.orderId),
      ids,
    )
  } finally {
    await own.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
