// Requests count towards the limit of their operator by what they cost, over every interface.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { GrpcClient, orderMessage, Reader } from '../../support/grpc/grpc-client.ts'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

const limit = 20
const trades = 100

let service: Service
let grpc: GrpcClient
before(async () => {
  service = await Service.start({ env: { RATE_LIMIT_ORDERS: String(limit) } })
  grpc = GrpcClient.of(service)
})
after(async () => {
  grpc?.close()
  await service?.stop()
})

/** A market in which a SELL order of `trades` shares of the taker meets as many orders. */
async function crossableMarket(): Promise<{ taker: OperatorClient; market: Json }> {
  const [maker, taker] = [
    await OperatorClient.create(service),
    await OperatorClient.create(service),
  ]
  const market = await maker.openMarket({ shared: true })
  const orders = Array(trades).fill(orderBody(market, 'BUY', { price: 0.5, shares: 1 }))
  await maker.post('/orders/batch', { orders })
  await taker.mint(market, 'ann', trades)
  return { taker, market }
}

// The trades leave a debt of about 80, which takes 4 seconds to pay off.
async function assertInDebt(taker: OperatorClient, market: Json): Promise<void> {
  const next = await taker.tryOrder(market, 'BUY')
  assertRefused(next, 'RATE_LIMITED')
  assert.equal(next.headers.get('ratelimit-remaining'), '0')
  assert.ok(Number(next.headers.get('retry-after')) >= 2, next.headers.get('retry-after')!)
}

test('the trades of an order over REST are charged afterwards', async () => {
  const { taker, market } = await crossableMarket()
  const answer = await taker.tryOrder(market, 'SELL', { price: 0.5, shares: trades })
  assert.equal(answer.body.data.trades.length, trades)
  assert.equal(answer.headers.get('ratelimit-remaining'), '0')
  await assertInDebt(taker, market)
})

test('the trades of an order over gRPC are charged afterwards', async () => {
  const { taker, market } = await crossableMarket()
  const message = orderMessage(market, 'SELL', { price: '0.5', shares: String(trades) })
  const { data } = await grpc.request('OrderService/PlaceOrder', message, { key: taker.key })
  assert.equal(data.trades.length, trades)
  await assertInDebt(taker, market)
})

test('the trades of an order in a stream are charged afterwards', async () => {
  const { taker, market } = await crossableMarket()
  const order = orderMessage(market, 'SELL', { price: '0.5', shares: String(trades) })
  const stream = grpc.duplex('OrderService/PlaceOrders', { key: taker.key })
  const reader = new Reader(stream)
  stream.write({ orders: [{ order }] })
  stream.end()
  await reader.ended
  assert.equal(reader.results[0].response.trades.length, trades)
  await assertInDebt(taker, market)
})

test('a mint costs the outcomes of its market before it is carried out', async () => {
  const operator = await OperatorClient.create(service)
  const outcomes = Array.from({ length: 100 }, (_, at) => ({ name: `Outcome ${at}` }))
  const market = await operator.openMarket({ outcomes })
  const mint = () =>
    operator.request('POST', `/markets/${market.id}/mint`, { playerId: 'ann', shares: 1 })
  const answers = await Promise.all(Array.from({ length: 8 }, mint))
  const statuses = answers.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 201).length, 1, `${statuses}`)
  assert.equal(statuses.filter((status) => status === 429).length, 7, `${statuses}`)
  await assertInDebt(operator, market)
})
