// PlaceOrders: many orders in a stream, each with its own result.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  bareCall,
  framed,
  GrpcClient,
  orderMessage,
  Reader,
} from '../../support/grpc/grpc-client.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
let operator: OperatorClient
let grpc: GrpcClient
before(async () => {
  service = await Service.start({ env: { RATE_LIMIT_ORDERS: '0' } })
  operator = await OperatorClient.create(service)
  grpc = GrpcClient.of(service, operator.key)
})
after(async () => {
  grpc?.close()
  await service?.stop()
})

const path = 'OrderService/PlaceOrders'

function open(options: { readonly key?: string } = {}) {
  const stream = grpc.duplex(path, options)
  return { stream, reader: new Reader(stream) }
}

/** That many valid orders, named by their number. */
function ordersOf(market: Json, count: number, first = 0): Json[] {
  return Array.from({ length: count }, (_, at) => ({
    client_id: String(first + at),
    order: orderMessage(market, 'BUY', { price: '0.1' }),
  }))
}

const totalIn = async (market: Json) => (await operator.get(`/orders?marketId=${market.id}`)).total

test('one invalid order in a hundred gets its error, and the others are placed', async () => {
  const market = await operator.openMarket()
  const orders = ordersOf(market, 100)
  orders[41].order.price = '0.10001'
  orders[42].order = undefined
  orders[43].order.side = 'SIDE_SELL'
  const { stream, reader } = open()
  stream.end({ orders })
  assert.equal((await reader.ended).status, 'OK')
  const byId = new Map(reader.results.map((result) => [result.client_id, result]))
  assert.equal(reader.results.length, 100)
  assert.equal(byId.size, 100)
  const codes = ['41', '42', '43'].map((id) => byId.get(id).error.code)
  assert.deepEqual(codes, [
    'ORDER_INVALID_PRICE',
    'VALIDATION_ERROR',
    'POSITION_INSUFFICIENT_SHARES',
  ])
  for (const id of ['41', '42', '43']) byId.delete(id)
  for (const { response } of byId.values()) {
    assert.equal(response.order.status, 'ORDER_STATUS_PENDING')
  }
  assert.equal(await totalIn(market), 97)
})

test('results arrive while the stream is open, and REST shows their orders', async () => {
  const market = await operator.openMarket()
  const { stream, reader } = open()
  for (let round = 1; round <= 3; round += 1) {
    stream.write({ orders: ordersOf(market, 2, round * 2) })
    await reader.until(() => reader.results.length === round * 2)
    const { id } = reader.results.at(-1).response.order
    assert.equal((await operator.get(`/orders/${id}`)).status, 'PENDING')
  }
  stream.end()
  assert.equal((await reader.ended).status, 'OK')
})

test('results contain the trades, and a repeated order is marked as replayed', async () => {
  const market = await operator.marketWithHolders({ bob: 100 })
  const sell = orderMessage(market, 'SELL', { player_id: 'bob', transaction_id: 'sell' })
  const buy = orderMessage(market, 'BUY', { transaction_id: 'buy' })
  const { stream, reader } = open()
  stream.write({ orders: [{ client_id: 'sell', order: sell }] })
  await reader.until(() => reader.results.length === 1)
  stream.write({ orders: [{ client_id: 'buy', order: buy }] })
  await reader.until(() => reader.results.length === 2)
  stream.end({
    orders: [
      { client_id: 'again', order: buy },
      { client_id: 'other', order: { ...buy, shares: '11' } },
    ],
  })
  await reader.ended
  const [, bought, ...rest] = reader.results
  assert.equal(bought.response.trades.length, 1)
  assert.equal(bought.response.status, 'ORDER_STATUS_FILLED')
  const again = rest.find(({ client_id }) => client_id === 'again')
  const other = rest.find(({ client_id }) => client_id === 'other')
  assert.equal(again.idempotent_replayed, true)
  assert.equal(again.response.order.id, bought.response.order.id)
  assert.equal(again.response.trades.length, 1)
  assert.equal(other.error.code, 'ORDER_DUPLICATE_TRANSACTION')
  assert.equal(await totalIn(market), 2)
})

test('a repeated REJECTED order is refused again, marked as replayed', async () => {
  const market = await operator.openMarket()
  const order = orderMessage(market, 'BUY', { type: 'ORDER_TYPE_MARKET', transaction_id: 'none' })
  const { stream, reader } = open()
  stream.write({ orders: [{ client_id: 'first', order }] })
  await reader.until(() => reader.results.length === 1)
  stream.end({ orders: [{ client_id: 'again', order }] })
  await reader.ended
  const [first, again] = reader.results
  assert.deepEqual(again.error, first.error)
  assert.deepEqual([first.idempotent_replayed, again.idempotent_replayed], [undefined, true])
})

test('a message with 0 or over 100 orders ends the stream after all earlier results', async () => {
  const market = await operator.openMarket()
  for (const count of [0, 101]) {
    const { stream, reader } = open()
    stream.write({ orders: ordersOf(market, 50) })
    stream.write({ orders: ordersOf(market, count) })
    const ended = await reader.ended
    assert.deepEqual([ended.status, ended.code], ['INVALID_ARGUMENT', 'VALIDATION_ERROR'])
    assert.match(ended.message, /1 to 100/)
    assert.equal(reader.results.length, 50)
  }
  assert.equal(await totalIn(market), 100)
})

test('a client that sends many orders before it reads gets every result once', async () => {
  const market = await operator.openMarket()
  const stream = grpc.duplex(path)
  // Without a reader at first: results must wait, and then orders must.
  for (let first = 0; first < 10_000; first += 100) {
    stream.write({ orders: ordersOf(market, 100, first) })
  }
  stream.end()
  const reader = new Reader(stream)
  assert.equal((await reader.ended).status, 'OK')
  assert.equal(new Set(reader.results.map(({ client_id }) => client_id)).size, 10_000)
  assert.equal(reader.results.length, 10_000)
  // A machine that stalls for half a second makes the service turn some away.
  const placed = reader.results.filter(({ error }) => error?.code !== 'UNAVAILABLE')
  assert.ok(placed.length > 0 && placed.every(({ response }) => response?.order !== undefined))
  assert.equal(await totalIn(market), placed.length)
})

test('the service stops reading from a client that never reads', async () => {
  const market = await operator.openMarket()
  const { session, stream } = bareCall(service, path, operator.key)
  try {
    const messages = 600
    const message = framed(path, { orders: ordersOf(market, 100) })
    for (let sent = 0; sent < messages; sent += 1) stream.write(message)
    // It stops once all buffers are full.
    let before = 0
    for (let still = 0; still < 3; ) {
      await new Promise((resolve) => setTimeout(resolve, 300))
      const now = await totalIn(market)
      still = now === before && now > 0 ? still + 1 : 0
      before = now
    }
    assert.ok(before < messages * 50, `${before} orders were read`)
  } finally {
    stream.destroy()
    session.destroy()
  }
})

test('a client that disconnects half-way loses results, not orders', async () => {
  const market = await operator.openMarket()
  const leaving = GrpcClient.of(service, operator.key)
  const stream = leaving.duplex(path)
  const reader = new Reader(stream)
  const orders = ordersOf(market, 100)
  for (const { client_id, order } of orders) order.transaction_id = `left-${client_id}`
  stream.write({ orders })
  await reader.until((messages) => messages.length > 0)
  stream.cancel()
  assert.equal((await reader.ended).status, 'CANCELLED')
  leaving.close()
  const { stream: again, reader: results } = open()
  again.end({ orders })
  assert.equal((await results.ended).status, 'OK')
  assert.equal(results.results.length, 100)
  assert.ok(results.results.every(({ idempotent_replayed }) => idempotent_replayed))
  assert.equal(await totalIn(market), 100)
})

test('a key that is revoked while a stream is open ends it at the next message', async () => {
  const market = await operator.openMarket()
  const trader = await operator.withKey({ scopes: ['trade'] })
  const { stream, reader } = open({ key: trader.key })
  stream.write({ orders: ordersOf(market, 1) })
  await reader.until(() => reader.results.length === 1)
  await service.admin('DELETE', `/api/v1/admin/operators/${operator.id}/keys/${trader.keyId}`)
  stream.write({ orders: ordersOf(market, 1) })
  const ended = await reader.ended
  assert.deepEqual([ended.status, ended.code], ['UNAUTHENTICATED', 'UNAUTHORIZED'])
  assert.equal(await totalIn(market), 1)
})
