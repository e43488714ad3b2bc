// Orders by amount over HTTP and gRPC: what they spend, how they are shown and repeated, and what
// is refused.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GrpcClient } from '../../support/grpc/grpc-client.ts'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { type Json, newFolder, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

/** A MARKET order for the first outcome. */
function byAmount(market: Json, amount: unknown, more: Json = {}): Json {
  const { shares: _, ...body } = orderBody(market, 'BUY', { player: 'bob', shares: 1 })
  return { ...body, type: 'MARKET', amount, ...more }
}

/** 100 shares at 0.5, with a fee of 2 %. */
async function marketWithAsks(operator: OperatorClient): Promise<Json> {
  const market = await operator.marketWithHolders({ sam: 1_000 })
  await operator.sell(market, { player: 'sam', price: 0.5, shares: 100 })
  return market
}

test('10 buy what they pay for with the fee, and every read shows it', async () => {
  const operator = await OperatorClient.create(service, { feePercent: 2 })
  const market = await marketWithAsks(operator)
  const body = byAmount(market, 10, { transactionId: 'stake-1' })
  const previewed = await operator.post('/orders/preview', body)
  // 19.6 x 0.5 x 1.02 = 9.996, and a hundredth more would cost 0.0051.
  const spending = { spent: '9.996', unspent: '0.004' }
  assert.partialDeepStrictEqual(previewed, { ...spending, filledShares: '19.6', maxCost: '9.996' })
  const placed = await operator.request('POST', '/orders', body)
  assert.equal(placed.status, 201)
  const { order, ...rest } = placed.body.data
  assert.partialDeepStrictEqual(rest, { ...spending, status: 'FILLED', filledShares: '19.6' })
  const shown = { amount: '10', shares: '19.6', filledShares: '19.6', remainingShares: '0' }
  assert.partialDeepStrictEqual(order, { ...shown, status: 'FILLED', price: null })
  assert.deepEqual(await operator.get(`/orders/${order.id}`), order)
  const { orders } = await operator.get('/orders')
  assert.deepEqual(
    orders.map(({ amount }: Json) => amount),
    ['10', null],
  )
  const again = await operator.request('POST', '/orders', body)
  assert.equal(again.status, 200)
  assert.partialDeepStrictEqual(again.body.data, { ...spending, order })
  const other = await operator.request('POST', '/orders', { ...body, amount: 10.000001 })
  assertRefused(other, 'ORDER_DUPLICATE_TRANSACTION')
})

test('an order by shares has no amount, and says nothing of what is spent', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWithAsks(operator)
  const placed = await operator.buy(market, { price: 0.5, shares: 1 })
  assert.equal(placed.order.amount, null)
  const previewed = await operator.post('/orders/preview', orderBody(market, 'BUY', { shares: 1 }))
  for (const answer of [placed, previewed]) assert.ok(!('spent' in answer || 'unspent' in answer))
})

test('shares and amount exclude each other, and one of them is needed', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWithAsks(operator)
  const refused: [Json, string][] = [
    [byAmount(market, 10, { shares: 10 }), 'amount'],
    [byAmount(market, null), 'shares'],
    [byAmount(market, undefined), 'shares'],
    [byAmount(market, '10'), 'amount'],
    [byAmount(market, 0.009999), 'amount'],
    [byAmount(market, 100_000.000001), 'amount'],
    [byAmount(market, 1.0000001), 'amount'],
    [byAmount(market, -1), 'amount'],
    [byAmount(market, 10, { side: 'SELL' }), 'amount'],
    [byAmount(market, 10, { type: 'LIMIT', price: 0.5 }), 'amount'],
    [byAmount(market, 10, { type: 'LIMIT', price: 0.5, timeInForce: 'GTC' }), 'amount'],
  ]
  for (const [body, field] of refused) {
    for (const path of ['/orders', '/orders/preview']) {
      const answer = await operator.request('POST', path, body)
      assertRefused(answer, 'VALIDATION_ERROR', field)
      const faults = answer.body.error.details.faults.map((fault: Json) => fault.field)
      assert.deepEqual(faults, [field])
    }
  }
  const { body: empty } = await operator.request('POST', '/orders', {})
  const fields = empty.error.details.faults.map(({ field }: Json) => field)
  assert.deepEqual(fields, ['marketId', 'outcomeId', 'playerId', 'side', 'type', 'shares'])
  for (const more of [
    { amount: 0.01 },
    { amount: 100_000 },
    { type: 'LIMIT', price: 0.5, timeInForce: 'IOC', shares: undefined },
    { type: 'LIMIT', price: 0.5, timeInForce: 'FOK' },
  ]) {
    const market = await marketWithAsks(operator)
    const answer = await operator.request('POST', '/orders', byAmount(market, 1, more))
    assert.equal(answer.status, 201)
  }
})

test('IOC takes what there is, FOK all or nothing, and nothing is rejected', async () => {
  const operator = await OperatorClient.create(service, { feePercent: 0 })
  const market = await marketWithAsks(operator)
  const limited = { type: 'LIMIT', price: 0.5 }
  const place = (amount: number, more: Json) =>
    operator.request('POST', '/orders', byAmount(market, amount, more))
  const fok = await place(50.005, { ...limited, timeInForce: 'FOK' })
  assertRefused(fok, 'ORDER_NO_LIQUIDITY')
  const rejected = await operator.get(`/orders/${fok.body.error.details.orderId}`)
  assert.partialDeepStrictEqual(rejected, { amount: '50.005', shares: '0', status: 'REJECTED' })
  const cheap = await place(10, { ...limited, price: 0.49, timeInForce: 'IOC' })
  assertRefused(cheap, 'ORDER_NO_LIQUIDITY')
  const { body } = await place(60, { ...limited, timeInForce: 'IOC' })
  const taken = { status: 'CANCELLED', filledShares: '100', spent: '50', unspent: '10' }
  assert.partialDeepStrictEqual(body.data, taken)
  const { events } = await operator.get('/events?limit=100')
  const { payload } = events.find(({ eventType }: Json) => eventType === 'ORDER_CANCELLED')
  assert.partialDeepStrictEqual(payload, { reason: 'IMMEDIATE', cancelledShares: 0, shares: 100 })
})

test('a batch may have both kinds of orders, and CSV has the amount', async () => {
  const operator = await OperatorClient.create(service, { feePercent: 0 })
  const market = await marketWithAsks(operator)
  const { results } = await operator.post('/orders/batch', {
    orders: [
      byAmount(market, 5),
      orderBody(market, 'BUY', { price: 0.5, shares: 2 }),
      byAmount(market, 5, { shares: 1 }),
    ],
  })
  const spent = results.map(({ data, error }: Json) => data?.spent ?? error?.code ?? null)
  assert.deepEqual(spent, ['5', null, 'VALIDATION_ERROR'])
  const response = await fetch(`${service.url}/api/v1/orders`, {
    headers: { 'x-api-key': operator.key, accept: 'text/csv' },
  })
  const [header, ...lines] = (await response.text()).trim().split('\r\n')
  assert.match(header!, /,amount$/)
  assert.deepEqual(
    lines.map((line: string) => line.split(',').at(-1)),
    ['', '5', ''],
  )
})

test('over gRPC amount, spent and unspent are the same texts', async () => {
  const operator = await OperatorClient.create(service, { feePercent: 2 })
  const market = await marketWithAsks(operator)
  const grpc = GrpcClient.of(service, operator.key)
  const request = {
    market_id: market.id,
    outcome_id: market.outcomes[0].id,
    player_id: 'bob',
    side: 'SIDE_BUY',
    type: 'ORDER_TYPE_MARKET',
  }
  const call = (more: Json) => grpc.request('OrderService/PlaceOrder', { ...request, ...more })
  const { data } = await call({ amount: '10' })
  const spending = { spent: '9.996', unspent: '0.004' }
  assert.partialDeepStrictEqual(data, { ...spending, order: { amount: '10', shares: '19.6' } })
  await assert.rejects(call({ amount: '10', shares: '1' }), /amount/)
  await assert.rejects(call({ amount: '10.0000001' }), /amount/)
  await assert.rejects(call({}), /shares: is required/)
  grpc.close()
})

test('a repeated order says the same after a kill', async () => {
  const dataDir = await newFolder()
  const first = await Service.start({ dataDir })
  const operator = await OperatorClient.create(first, { feePercent: 2 })
  const market = await marketWithAsks(operator)
  const body = byAmount(market, 10, { transactionId: 'stake-1' })
  const placed = await operator.post('/orders', body)
  const rejected = byAmount(market, 10, {
    ...{ type: 'LIMIT', price: 0.1, timeInForce: 'IOC' },
    transactionId: 'stake-2',
  })
  assertRefused(await operator.request('POST', '/orders', rejected), 'ORDER_NO_LIQUIDITY')
  await first.kill()
  const second = await Service.start({ dataDir })
  const again = new OperatorClient(second, operator)
  try {
    assert.deepEqual(await again.post('/orders', body), placed)
    assertRefused(await again.request('POST', '/orders', rejected), 'ORDER_NO_LIQUIDITY')
  } finally {
    await second.stop()
  }
})
