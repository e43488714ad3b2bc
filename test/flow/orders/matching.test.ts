// Matching, fees and the response of a placement, over HTTP.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused, assertShape } from '../../support/http/answers.ts'
import { OperatorClient, type Placing } from '../../support/http/operator-client.ts'
import { tradeShape } from '../../support/http/shapes.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

/** A market in which sam may sell 1000 of everything. */
async function marketWith(operator: OperatorClient, body: object = {}): Promise<Json> {
  const market = await operator.marketWithHolders({ sam: 1_000 }, body)
  return market
}

function fillsOf({ trades }: Json): string[] {
  return trades.map(({ shares, price }: Json) => `${shares}@${price}`)
}

test('a BUY matches the lowest asks up to its limit, and its remainder rests', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWith(operator)
  for (const price of [0.62, 0.6, 0.61]) await operator.sell(market, { player: 'sam', price })
  const placed = await operator.buy(market, { player: 'bob', shares: 25, price: 0.61 })
  assert.deepEqual(fillsOf(placed), ['10@0.6', '10@0.61'])
  const { status, filledShares, remainingShares, avgFillPrice, order } = placed
  assert.deepEqual([status, filledShares, remainingShares], ['PARTIAL', '20', '5'])
  assert.equal(avgFillPrice, '0.605')
  assert.equal(order.status, 'PARTIAL')
  const { bids, asks } = await operator.book(market)
  assert.deepEqual(bids, [{ price: 0.61, shares: 5, orderCount: 1 }])
  assert.deepEqual(asks, [{ price: 0.62, shares: 10, orderCount: 1 }])
})

test('a SELL matches the highest bids down to its limit', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWith(operator)
  for (const price of [0.38, 0.4, 0.39]) await operator.buy(market, { price })
  const placed = await operator.sell(market, { player: 'sam', shares: 25, price: 0.39 })
  assert.deepEqual(fillsOf(placed), ['10@0.4', '10@0.39'])
  assert.equal(placed.status, 'PARTIAL')
  assert.equal((await operator.book(market)).bestAsk, 0.39)
})

test('at one price the earlier order matches first, also after a partial fill', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWith(operator)
  const first = await operator.sell(market, { player: 'sam' })
  const second = await operator.sell(market, { player: 'sam' })
  const one = await operator.buy(market, { player: 'bob', shares: 4 })
  assert.equal(one.trades[0].sellOrderId, first.order.id)
  const two = await operator.buy(market, { player: 'bob', shares: 8 })
  assert.deepEqual(
    two.trades.map(({ sellOrderId, shares }: Json) => [sellOrderId, shares]),
    [
      [first.order.id, '6'],
      [second.order.id, '2'],
    ],
  )
  assert.equal((await operator.get(`/orders/${first.order.id}`)).status, 'FILLED')
  assert.equal((await operator.get(`/orders/${second.order.id}`)).status, 'PARTIAL')
})

test('orders that do not cross both rest', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWith(operator)
  await operator.sell(market, { player: 'sam', price: 0.5001 })
  const placed = await operator.buy(market, { price: 0.5 })
  assert.deepEqual([placed.status, placed.trades], ['PENDING', []])
  const other = await operator.buy(market, { price: 0.9, outcome: 1 })
  assert.equal(other.status, 'PENDING', 'outcomes have books of their own')
})

test('a MARKET order matches at any price; its remainder is cancelled', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWith(operator)
  await operator.sell(market, { player: 'sam', price: 0.2, shares: 3 })
  await operator.sell(market, { player: 'sam', price: 0.99, shares: 1 })
  const placed = await operator.buy(market, { player: 'bob', type: 'MARKET', shares: 10 })
  assert.deepEqual(fillsOf(placed), ['3@0.2', '1@0.99'])
  assert.deepEqual(
    [placed.status, placed.filledShares, placed.remainingShares, placed.avgFillPrice],
    ['CANCELLED', '4', '0', '0.3975'],
  )
  assert.deepEqual(await operator.get(`/orders/${placed.order.id}`), placed.order)
  await operator.buy(market, { price: 0.01, shares: 2 })
  const sold = await operator.sell(market, { player: 'sam', type: 'MARKET', shares: 2 })
  assert.deepEqual([sold.status, sold.order.price], ['FILLED', null])
})

test('a MARKET order without a match is stored as REJECTED', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWith(operator)
  for (const side of ['BUY', 'SELL'] as const) {
    const answer = await operator.tryOrder(market, side, { player: 'sam', type: 'MARKET' })
    assertRefused(answer, 'ORDER_NO_LIQUIDITY')
    const order = await operator.get(`/orders/${answer.body.error.details.orderId}`)
    const { status, filledShares, remainingShares, price } = order
    assert.deepEqual([status, filledShares, remainingShares, price], ['REJECTED', '0', '0', null])
  }
  assert.equal((await operator.get('/orders?status=REJECTED')).total, 2)
  assert.equal((await operator.position(market, 'sam')).reservedShares, '0')
})

test('each side pays the default fee of 2 percent, exactly', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWith(operator)
  await operator.sell(market, { player: 'sam', price: 0.5555, shares: 3.33 })
  const { trades } = await operator.buy(market, { player: 'bob', price: 0.6, shares: 3.33 })
  const [trade] = trades
  assertShape(trade, tradeShape)
  // 3.33 x 0.5555 x 2 / 100
  assert.deepEqual([trade.buyerFee, trade.sellerFee], ['0.0369963', '0.0369963'])
  assert.deepEqual([trade.buyerOperatorId, trade.sellerOperatorId], [operator.id, operator.id])
  assert.deepEqual([trade.buyerRole, trade.sellerRole], ['TAKER', 'MAKER'])
  assert.deepEqual((await operator.get('/trades')).trades, trades)
  assert.deepEqual(await operator.get(`/trades/${trade.id}`), trade)
  await operator.buy(market, { player: 'bob', price: 0.5, shares: 1 })
  const sold = await operator.sell(market, { player: 'sam', price: 0.5, shares: 1 })
  assert.deepEqual([sold.trades[0].buyerRole, sold.trades[0].sellerRole], ['MAKER', 'TAKER'])
  const { trades: listed } = await operator.get('/trades?limit=1')
  assert.deepEqual(listed, sold.trades)
})

test("an operator's own fee applies as of the trade, down to 0", async () => {
  const operator = await OperatorClient.create(service, { feePercent: 1.25 })
  const market = await marketWith(operator)
  await operator.sell(market, { player: 'sam', shares: 100 })
  const feeOf = async () => {
    const { trades } = await operator.buy(market, { player: 'bob' })
    return [trades[0].buyerFee, trades[0].sellerFee]
  }
  assert.deepEqual(await feeOf(), ['0.0625', '0.0625'])
  const path = `/api/v1/admin/operators/${operator.id}`
  await service.admin('PATCH', path, { feePercent: 0 })
  assert.deepEqual(await feeOf(), ['0', '0'])
  await service.admin('PATCH', path, { feePercent: null })
  assert.deepEqual(await feeOf(), ['0.1', '0.1'])
  const { trades } = await operator.get('/trades')
  assert.equal(trades.at(-1).buyerFee, '0.0625', 'trades never change')
})

test("the market's volume and trades count each trade once", async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWith(operator)
  await operator.sell(market, { player: 'sam', shares: 7.5 })
  await operator.sell(market, { player: 'sam', shares: 10, outcome: 1, price: 0.3 })
  await operator.buy(market, { player: 'bob', shares: 7 })
  await operator.buy(market, { player: 'bob', shares: 2, outcome: 1, price: 0.3 })
  const { totalVolume, totalTrades } = await operator.market(market)
  assert.deepEqual([totalVolume, totalTrades], ['9', 2])
})

test('averages have up to 8 decimals, rounded half up', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWith(operator)
  for (const placing of [
    { price: 0.1, shares: 1 },
    { price: 0.2, shares: 2 },
  ]) {
    await operator.sell(market, { player: 'sam', ...placing } satisfies Placing)
  }
  const placed = await operator.buy(market, { player: 'bob', shares: 3, price: 0.5 })
  assert.equal(placed.avgFillPrice, '0.16666667')
  assert.equal((await operator.position(market, 'bob')).avgPrice, '0.16666667')
})

test('players of one operator trade with each other, and a player with itself', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWith(operator)
  await operator.sell(market, { player: 'sam' })
  const { status, trades } = await operator.buy(market, { player: 'sam' })
  assert.deepEqual([status, trades.length], ['FILLED', 1])
  assert.equal((await operator.position(market, 'sam')).shares, '1000')
})

test('every read shows a placement once it is answered', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWith(operator)
  for (let round = 1; round <= 10; round += 1) {
    const sold = await operator.sell(market, { player: 'sam', shares: 1 })
    assert.equal((await operator.get(`/orders/${sold.order.id}`)).status, 'PENDING')
    const bought = await operator.buy(market, { player: 'bob', shares: 1 })
    const [order, held, page, shown, prices, events] = await Promise.all([
      operator.get(`/orders/${sold.order.id}`),
      operator.position(market, 'bob'),
      operator.get('/trades?limit=1'),
      operator.market(market),
      operator.prices(market),
      operator.get('/events?since=0&limit=1000&eventType=ORDER_MATCHED'),
    ])
    assert.equal(order.status, 'FILLED')
    assert.equal(held.shares, `${round}`)
    assert.deepEqual(page.trades, bought.trades)
    assert.equal(shown.totalTrades, round)
    assert.deepEqual([prices.lastPrice, prices.volume24h], [0.5, round])
    assert.equal(events.events.length, round * 2)
  }
})
