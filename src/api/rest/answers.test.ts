// Successful responses match their schemas, field by field.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serial } from '../../../test/support/core/steps.ts'
import {
  apiKeys,
  someId,
  startedAt,
  testIds,
  testServer,
} from '../../../test/support/http/rest-server.ts'
import {
  marketRow,
  orderRow,
  positionRow,
  settlementRow,
  tradeRow,
} from '../../../test/support/store/record-rows.ts'
import { orderOfRow, positionOfRow, tradeOfRow } from '../../engine/idempotency/stored-answers.ts'
import { strictAjv } from '../validate/validation.ts'

const headers = { 'x-api-key': apiKeys.all }

function assertFits(name: string, value: unknown): void {
  assert.ok(strictAjv.validate({ $ref: `${name}#` }, value), `${name}: ${strictAjv.errorsText()}`)
}

const placement = {
  order: orderOfRow(testIds, orderRow),
  trades: [tradeOfRow(testIds, tradeRow)],
  hasMoreTrades: false,
}
const body = {
  marketId: someId,
  outcomeId: someId,
  playerId: 'ann',
  side: 'BUY',
  type: 'LIMIT',
  shares: 25.5,
  price: 0.55,
}

test('a placed order is 201; a repeated one is 200 with Idempotent-Replayed', async () => {
  for (const isReplay of [false, true]) {
    const place = () => ({ isAccepted: true, answer: { ...placement, isReplay } }) as const
    const app = testServer({ engine: { place } })
    const request = { method: 'POST', url: '/api/v1/orders', headers, payload: body } as const
    const response = await app.inject(request)
    assert.equal(response.statusCode, isReplay ? 200 : 201)
    assert.equal(response.headers['idempotent-replayed'], isReplay ? 'true' : undefined)
    const { success, data } = response.json()
    assert.equal(success, true)
    assertFits('Placement', data)
    assert.equal(data.order.shares, '25.5')
    assert.equal(data.order.avgFillPrice, '0.55')
    assert.equal(data.remainingShares, '15.5')
    assert.equal(data.trades[0].buyerFee, '0.11')
  }
})

test('a MARKET order that matched nothing has its order id in the details', async () => {
  const reject = { code: 'ORDER_NO_LIQUIDITY', orderId: someId } as const
  const app = testServer({ engine: { place: () => ({ isAccepted: false, reject }) } })
  const request = { method: 'POST', url: '/api/v1/orders', headers, payload: body } as const
  const response = await app.inject(request)
  assert.equal(response.statusCode, 409)
  assert.deepEqual(response.json().error.details, { orderId: someId })
})

test('remainingShares is 0 once an order is closed', async () => {
  for (const [status, remaining] of [
    ['PARTIAL', '15.5'],
    ['CANCELLED', '0'],
    ['EXPIRED', '0'],
  ] as const) {
    const app = testServer({ reads: { order: async () => ({ ...orderRow, status, price: null }) } })
    const { data } = (await app.inject({ url: `/api/v1/orders/${someId}`, headers })).json()
    assertFits('Order', data)
    assert.equal(data.remainingShares, remaining)
    assert.equal(data.type, 'MARKET')
    assert.equal(data.price, null)
  }
})

test('minting is 201, redeeming is 200, and both show the amount', async () => {
  for (const [action, kind, status] of [
    ['mint', 'MINT', 201],
    ['redeem', 'REDEEM', 200],
  ] as const) {
    const about = { id: someId, marketId: someId, playerId: 'ann', kind, transactionId: null }
    const numbers = { shares: 10_050, createdAt: startedAt, isReplay: false }
    const positions = [positionOfRow(testIds, positionRow)]
    const answer = { ...about, ...numbers, positions }
    const app = testServer({ engine: { changeSets: () => ({ isAccepted: true, answer }) } })
    const payload = { playerId: 'ann', shares: 100.5 }
    const url = `/api/v1/markets/${someId}/${action}`
    const response = await app.inject({ method: 'POST', url, headers, payload })
    assert.equal(response.statusCode, status)
    const { data } = response.json()
    assertFits('CompleteSets', data)
    assert.equal(data.amount, '100.5')
    assert.equal(data.positions[0].realizedPnl, '-1.25')
    assert.equal(data.positions[0].reservedShares, '2.5')
  }
})

test('a market shows its winner, its volume, its metadata and its category', async () => {
  const app = testServer({ reads: { market: async () => marketRow } })
  const { data } = (await app.inject({ url: `/api/v1/markets/${someId}`, headers })).json()
  assertFits('Market', data)
  assert.equal(data.winningOutcomeId, data.outcomes[1].id)
  assert.equal(data.totalVolume, '25.5')
  assert.deepEqual(data.metadata, { city: 'Lisbon' })
  assert.equal(data.category.slug, 'weather')
})

test('another operator sees a shared market unless DRAFT or in another currency', async () => {
  const foreign = { ...marketRow, ownerNumber: 2 }
  for (const [change, status] of [
    [{}, 404],
    [{ isShared: true }, 200],
    [{ isShared: true, status: 'DRAFT' }, 404],
    [{ isShared: true, currency: 'EUR' }, 404],
  ] as const) {
    const app = testServer({ reads: { market: async () => ({ ...foreign, ...change }) } })
    for (const path of ['', '/settlement-status']) {
      const url = `/api/v1/markets/${someId}${path}`
      assert.equal((await app.inject({ url, headers })).statusCode, status, JSON.stringify(change))
    }
  }
})

test('lifecycle actions and edits return the market', async () => {
  const accept = () =>
    ({ isAccepted: true, answer: { marketSerial: serial(10), status: 'OPEN' } }) as const
  const engine = { manage: accept, editMarket: accept, createMarket: accept }
  const app = testServer({ engine, reads: { market: async () => marketRow } })
  const id = testIds.textOf(serial(10), startedAt)
  const reason = { reason: 'rain' }
  const result = { winningOutcomeId: someId, resolutionSource: 'the news' }
  for (const [method, path, payload] of [
    ['POST', '/open', {}],
    ['POST', '/suspend', reason],
    ['POST', '/resume', {}],
    ['POST', '/close', {}],
    ['POST', '/resolve', result],
    ['POST', '/cancel', reason],
    ['PATCH', '', { imageUrl: null }],
  ] as const) {
    const response = await app.inject({
      method,
      url: `/api/v1/markets/${id}${path}`,
      headers,
      payload,
    })
    assert.equal(response.statusCode, 200, path)
    assertFits('Market', response.json().data)
  }
  const created = {
    method: 'POST',
    url: '/api/v1/markets',
    headers,
    payload: { title: 'x' },
  } as const
  assert.equal((await app.inject(created)).statusCode, 201)
})

test('a page has the cursor of the next page', async () => {
  const requested: (number | null)[] = []
  const orders = async ({ after }: { after: number | null }) => {
    requested.push(after)
    return {
      rows: [{ ...orderRow, serial: serial(9) }, orderRow],
      total: 7,
      totalIsExact: false,
      hasMore: after === null,
    }
  }
  const app = testServer({ reads: { orders } })
  const first = (await app.inject({ url: '/api/v1/orders?limit=2', headers })).json().data
  assert.equal(first.orders.length, 2)
  assert.deepEqual([first.total, first.totalIsExact], [7, false])
  assert.equal(first.hasMore, true)
  const url = `/api/v1/orders?cursor=${first.nextCursor}`
  const last = (await app.inject({ url, headers })).json().data
  assert.deepEqual(requested, [null, orderRow.serial])
  assert.equal(last.nextCursor, null)
})

test('a settlement pays shares times payout, exactly, however large', async () => {
  const large = { ...settlementRow, shares: Number.MAX_SAFE_INTEGER }
  const settlements = async () => ({
    rows: [settlementRow, large],
    total: 2,
    totalIsExact: true,
    hasMore: false,
  })
  const app = testServer({ reads: { settlements } })
  const { data } = (await app.inject({ url: '/api/v1/settlements', headers })).json()
  for (const settlement of data) assertFits('Settlement', settlement)
  assert.equal(data[0].totalPayout, '10')
  assert.equal(data[1].totalPayout, '90071992547409.91')
})

test('before a settle every position counts as pending', async () => {
  const counts = {
    positions: 3,
    byStatus: { PENDING: 0, PROCESSING: 0, COMPLETED: 0, FAILED: 0 },
    payout: 0n,
    completedPayout: 0n,
  }
  const reads = { market: async () => marketRow, settlementCounts: async () => counts }
  const url = `/api/v1/markets/${someId}/settlement-status`
  const { data } = (await testServer({ reads }).inject({ url, headers })).json()
  assertFits('SettlementSummary', data)
  assert.equal(data.pendingCount, 3)
})

test('a book shows its best prices and the spread', async () => {
  const level = (price: number) => ({ price, shares: 150, orderCount: 1 })
  const about = { marketId: someId, outcomeId: someId, version: 4, timestamp: startedAt }
  const answer = { ...about, bids: [level(5_400), level(5_300)], asks: [level(5_600)] }
  const app = testServer({ engine: { book: () => ({ isAccepted: true, answer }) } })
  const { data } = (await app.inject(`/api/v1/markets/${someId}/orderbook/${someId}`)).json()
  assertFits('OrderBook', data)
  assert.deepEqual([data.bestBid, data.bestAsk, data.spread], [0.54, 0.56, 0.02])
  assert.deepEqual(data.bids[0], { price: 0.54, shares: 1.5, orderCount: 1 })
})
