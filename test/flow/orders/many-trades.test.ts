// Orders that match very much, over HTTP: how many trades one may make, how many of them an answer
// lists, and where the others are.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { type Json, newFolder, Service } from '../../support/process/outcry-process.ts'

const answerTradesMax = 1_000
const batchTradesMax = 5_000
const perBatch = 100

let folder: string
let service: Service
before(async () => {
  folder = await newFolder()
  service = await Service.start({
    dataDir: folder,
    env: { MAX_ORDER_FILLS: '1200', RATE_LIMIT_ORDERS: '0' },
  })
})
after(async () => {
  await service.stop()
  await rm(folder, { recursive: true })
})

/** A market with so many asks of one share at 0.5, all of sam. */
async function marketWithAsks(operator: OperatorClient, count: number): Promise<Json> {
  const market = await operator.marketWithHolders({ sam: count })
  const ask = orderBody(market, 'SELL', { player: 'sam', price: 0.5, shares: 1 })
  for (let placed = 0; placed < count; placed += perBatch) {
    const orders = Array(Math.min(perBatch, count - placed)).fill(ask)
    const { results } = await operator.post('/orders/batch', { orders })
    assert.ok(results.every(({ success }: Json) => success))
  }
  return market
}

/** All pages of the trades of an order, newest first. */
async function tradesOf(operator: OperatorClient, orderId: string): Promise<Json[]> {
  const trades: Json[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const after: string = cursor === '' ? '' : `&cursor=${cursor}`
    const page = await operator.get(`/trades?orderId=${orderId}&limit=200${after}`)
    trades.push(...page.trades)
    cursor = page.nextCursor
  }
  return trades
}

const idsOf = (trades: readonly Json[]) => trades.map(({ id }) => id)

test('an answer lists 1,000 trades and says that there are more; /trades has all', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWithAsks(operator, 1_100)
  const body = orderBody(market, 'BUY', { price: 0.5, shares: 1_050, transactionId: 'sweep' })
  const placed = await operator.post('/orders', body)
  assert.deepEqual([placed.status, placed.filledShares], ['FILLED', '1050'])
  assert.deepEqual([placed.trades.length, placed.hasMoreTrades], [answerTradesMax, true])
  const all = await tradesOf(operator, placed.order.id)
  assert.equal(all.length, 1_050)
  assert.deepEqual(idsOf(all).reverse().slice(0, answerTradesMax), idsOf(placed.trades))
  const again = await operator.post('/orders', body)
  assert.deepEqual(again, placed, 'a replay is bounded in the same way')
  const few = await operator.post('/orders', orderBody(market, 'BUY', { price: 0.5, shares: 3 }))
  assert.deepEqual([few.trades.length, few.hasMoreTrades], [3, false])
})

test('an order makes MAX_ORDER_FILLS trades; its rest is cancelled with FILL_LIMIT', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWithAsks(operator, 1_250)
  const fok = orderBody(market, 'BUY', { price: 0.5, shares: 1_201, timeInForce: 'FOK' })
  assertRefused(await operator.request('POST', '/orders', fok), 'ORDER_NO_LIQUIDITY')
  const order = orderBody(market, 'BUY', { price: 0.6, shares: 1_250 })
  const previewed = await operator.post('/orders/preview', order)
  assert.deepEqual([previewed.filledShares, previewed.restingShares], ['1200', '0'])
  const placed = await operator.post('/orders', order)
  assert.deepEqual([placed.status, placed.filledShares], ['CANCELLED', '1200'])
  const [cancelled] = await operator.events('&eventType=ORDER_CANCELLED')
  const { orderId, reason, cancelledShares } = cancelled!.payload
  assert.deepEqual([orderId, reason, cancelledShares], [placed.order.id, 'FILL_LIMIT', 50])
})

test('the answer to a batch lists 5,000 trades, of its first orders', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWithAsks(operator, 5_600)
  const sweeps = Array.from({ length: 7 }, (_, number) =>
    orderBody(market, 'BUY', { price: 0.5, shares: 800, transactionId: `sweep-${number}` }),
  )
  const { results } = await operator.post('/orders/batch', { orders: sweeps })
  const listed = (found: readonly Json[]) =>
    found.map(({ data }) => [data.filledShares, data.trades.length, data.hasMoreTrades])
  const whole = ['800', 800, false]
  const last = batchTradesMax - 6 * 800
  assert.deepEqual(listed(results), [...Array(6).fill(whole), ['800', last, true]])
  const again = await operator.post('/orders/batch', { orders: sweeps })
  assert.deepEqual(listed(again.results), listed(results), 'a replay is bounded in the same way')
})

test('/trades?orderId= shows the trades of own orders only', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWithAsks(operator, 2)
  const { order } = await operator.buy(market, { price: 0.5, shares: 2 })
  const other = await OperatorClient.create(service)
  const { trades, total } = await other.get(`/trades?orderId=${order.id}`)
  assert.deepEqual([trades, total], [[], 0])
  const resting = (await operator.get(`/trades?orderId=${order.id}`)).trades
  const ofAsk = await operator.get(`/trades?orderId=${resting[0].sellOrderId}`)
  assert.deepEqual(idsOf(ofAsk.trades), [resting[0].id], 'of a resting order, too')
  const elsewhere = await operator.marketWithHolders({})
  const none = await operator.get(`/trades?orderId=${order.id}&marketId=${elsewhere.id}`)
  assert.deepEqual(none.trades, [])
  const malformed = await operator.request('GET', '/trades?orderId=nonsense')
  assertRefused(malformed, 'VALIDATION_ERROR', 'orderId')
})
