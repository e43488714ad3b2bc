// Order groups over REST and gRPC: what they refuse, what they cancel, who gets the events.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GrpcClient } from '../../support/grpc/grpc-client.ts'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

const path = '/order-groups'
const newOperator = () => OperatorClient.create(service)
const maker = 'maker'

function create(operator: OperatorClient, body: object = {}): Promise<Json> {
  return operator.post(path, { playerId: maker, limitShares: 10, ...body })
}

/** Of the maker, in a group. */
function quote(market: Json, side: 'BUY' | 'SELL', price: number, orderGroupId: string) {
  return { ...orderBody(market, side, { player: maker, price, shares: 6 }), orderGroupId }
}

test('a group is created with its defaults, read, listed and changed', async () => {
  const operator = await newOperator()
  const { status, body } = await operator.request('POST', path, {
    playerId: maker,
    limitShares: 12.5,
  })
  assert.equal(status, 201)
  const { id, createdAt, ...rest } = body.data
  assert.ok(Date.parse(createdAt) > 0)
  assert.deepEqual(rest, {
    playerId: maker,
    limitShares: '12.5',
    windowMs: 15_000,
    matchedShares: '0',
    status: 'ACTIVE',
  })
  assert.deepEqual(await operator.get(`${path}/${id}`), body.data)
  const later = await create(operator, { playerId: 'ann', windowMs: 60_000 })
  const listed = await operator.get(path)
  assert.deepEqual(listed.orderGroups, [later, body.data])
  const ofMaker = await operator.get(`${path}?playerId=${maker}`)
  assert.deepEqual([ofMaker.orderGroups, ofMaker.total], [[body.data], 1])
  const page = await operator.get(`${path}?limit=1`)
  assert.deepEqual([page.orderGroups, page.hasMore], [[later], true])
  const next = await operator.get(`${path}?limit=1&cursor=${page.nextCursor}`)
  assert.deepEqual([next.orderGroups, next.hasMore], [[body.data], false])
  const patched = await operator.patch(`${path}/${id}`, { limitShares: 20 })
  assert.equal(patched.limitShares, '20')
  assert.equal((await operator.request('DELETE', `${path}/${id}`)).status, 200)
  assertRefused(await operator.request('GET', `${path}/${id}`), 'ORDER_GROUP_NOT_FOUND')
  assertRefused(await operator.request('DELETE', `${path}/${id}`), 'ORDER_GROUP_NOT_FOUND')
})

test('limits and windows outside of their bounds are refused, those at them are not', async () => {
  const operator = await newOperator()
  const send = (body: object) =>
    operator.request('POST', path, { playerId: maker, limitShares: 1, ...body })
  for (const limitShares of [0, -1, 0.001, 1.005, 1_000_000_001, '5', null, undefined]) {
    assertRefused(await send({ limitShares }), 'VALIDATION_ERROR', 'limitShares')
  }
  for (const windowMs of [999, 60_001, 1_000.5, '2000', null]) {
    assertRefused(await send({ windowMs }), 'VALIDATION_ERROR', 'windowMs')
  }
  for (const body of [{ playerId: '' }, { playerId: undefined }, { more: 1 }]) {
    assertRefused(await send(body), 'VALIDATION_ERROR')
  }
  for (const body of [
    { limitShares: 0.01, windowMs: 1_000 },
    { limitShares: 1_000_000_000, windowMs: 60_000 },
  ]) {
    assert.equal((await send(body)).status, 201)
  }
})

test('a trade over the limit triggers the group, and cancels what it has not met', async () => {
  const operator = await newOperator()
  const taker = await newOperator()
  const market = await operator.marketWithHolders({ [maker]: 100 }, { shared: true })
  const another = await operator.marketWithHolders({ [maker]: 100 })
  const { id } = await create(operator)
  const orders: Json[] = []
  for (const price of [0.6, 0.61, 0.62]) {
    orders.push(await operator.post('/orders', quote(market, 'SELL', price, id)))
  }
  orders.push(await operator.post('/orders', quote(another, 'SELL', 0.7, id)))
  assert.ok(orders.every(({ order }) => order.orderGroupId === id))
  const body = orderBody(market, 'BUY', { player: 'bob', price: 0.65, shares: 18 })
  const { order, trades } = await taker.post('/orders', body)
  assert.deepEqual([trades.length, order.filledShares, order.status], [2, '12', 'PARTIAL'])
  const group = await operator.get(`${path}/${id}`)
  assert.deepEqual([group.status, group.matchedShares], ['TRIGGERED', '12'])
  const statuses = await Promise.all(
    orders.map(async (each) => (await operator.get(`/orders/${each.order.id}`)).status),
  )
  assert.deepEqual(statuses, ['FILLED', 'FILLED', 'CANCELLED', 'CANCELLED'])

  const { events } = await operator.get('/events?limit=1000')
  const types: string[] = events.map(({ eventType }: Json) => eventType)
  const at = types.indexOf('ORDER_GROUP_TRIGGERED')
  assert.deepEqual(types.slice(at - 1, at + 2), [
    'ORDER_MATCHED',
    'ORDER_GROUP_TRIGGERED',
    'ORDER_CANCELLED',
  ])
  const { marketId, payload } = events[at]
  const { timestamp, ...content } = payload
  assert.equal(marketId, null)
  assert.deepEqual(content, {
    groupId: id,
    playerId: maker,
    matchedShares: 12,
    limitShares: 10,
    cause: 'LIMIT',
  })
  assert.equal(events[at + 1].payload.reason, 'ORDER_GROUP')
  const ofTaker = await taker.get('/events?limit=1000')
  assert.ok(ofTaker.events.every(({ eventType }: Json) => eventType !== 'ORDER_GROUP_TRIGGERED'))
})

test('a triggered group takes no orders, previews or batches until it is reset', async () => {
  const operator = await newOperator()
  const market = await operator.openMarket()
  const { id } = await create(operator)
  const { order } = await operator.post('/orders', quote(market, 'BUY', 0.3, id))
  const triggered = await operator.post(`${path}/${id}/trigger`, {})
  assert.equal(triggered.status, 'TRIGGERED')
  assert.equal((await operator.get(`/orders/${order.id}`)).status, 'CANCELLED')
  const body: Json = quote(market, 'BUY', 0.3, id)
  const refused = await operator.request('POST', '/orders', body)
  assertRefused(refused, 'ORDER_GROUP_TRIGGERED')
  assert.deepEqual(refused.body.error.details, { orderGroupId: id })
  assertRefused(await operator.request('POST', '/orders/preview', body), 'ORDER_GROUP_TRIGGERED')
  const batch = await operator.post('/orders/batch', {
    orders: [body, orderBody(market, 'BUY', { price: 0.3 })],
  })
  assert.deepEqual(
    batch.results.map(({ error }: Json) => error?.code ?? null),
    ['ORDER_GROUP_TRIGGERED', null],
  )
  assert.equal((await operator.post(`${path}/${id}/reset`, {})).status, 'ACTIVE')
  assert.equal((await operator.request('POST', '/orders', body)).status, 201)
})

test('an order names a group of its player, of its operator', async () => {
  const [operator, other] = [await newOperator(), await newOperator()]
  const market = await operator.openMarket()
  const { id } = await create(operator)
  const { id: foreign } = await create(other)
  const body = orderBody(market, 'BUY', { player: 'ann' })
  const named = (orderGroupId: unknown) =>
    operator.request('POST', '/orders', { ...body, orderGroupId })
  assertRefused(await named(id), 'VALIDATION_ERROR', 'orderGroupId')
  assertRefused(await named('x'), 'VALIDATION_ERROR', 'orderGroupId')
  assertRefused(await named(foreign), 'ORDER_GROUP_NOT_FOUND')
  assertRefused(await named(crypto.randomUUID()), 'ORDER_GROUP_NOT_FOUND')
  const { status, body: answer } = await named(null)
  assert.deepEqual([status, answer.data.order.orderGroupId], [201, null])
  for (const [method, more] of [
    ['GET', ''],
    ['PATCH', ''],
    ['POST', '/trigger'],
    ['POST', '/reset'],
    ['DELETE', ''],
  ] as const) {
    const sent = method === 'PATCH' ? { limitShares: 5 } : undefined
    const refused = await other.request(method, `${path}/${id}${more}`, sent)
    assertRefused(refused, 'ORDER_GROUP_NOT_FOUND')
  }
})

test('a player may have 100 groups', async () => {
  const operator = await newOperator()
  const made = await Promise.all(Array.from({ length: 100 }, () => create(operator)))
  const one = { playerId: maker, limitShares: 1 }
  assertRefused(await operator.request('POST', path, one), 'ORDER_GROUP_LIMIT')
  assert.equal((await operator.request('POST', path, { ...one, playerId: 'ann' })).status, 201)
  await operator.request('DELETE', `${path}/${made[7]!.id}`)
  assert.equal((await operator.request('POST', path, one)).status, 201)
})

test('gRPC places an order in a group and shows it', async (t) => {
  const operator = await newOperator()
  const market = await operator.openMarket()
  const { id } = await create(operator)
  const grpc = GrpcClient.of(service, operator.key)
  t.after(() => grpc.close())
  const request = {
    market_id: market.id,
    outcome_id: market.outcomes[0].id,
    player_id: maker,
    side: 'SIDE_BUY',
    type: 'ORDER_TYPE_LIMIT',
    shares: '5',
    price: '0.3',
  }
  const place = (orderGroupId: string) =>
    grpc.data('OrderService/PlaceOrder', { ...request, order_group_id: orderGroupId })
  const { order } = await place(id)
  assert.equal(order.order_group_id, id)
  assert.equal((await operator.get(`/orders/${order.id}`)).orderGroupId, id)
  assert.equal((await place('')).order.order_group_id, undefined)
})
