// Cancelling every order that fits a filter, over HTTP.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start({ env: { RATE_LIMIT_ORDERS: '0' } })
})
after(() => service.stop())

const openPath = '/orders?status=PENDING,PARTIAL&limit=1000'

/** Orders of ann and bob on both sides of both outcomes of two markets: 16 in all. */
async function busy(house: OperatorClient): Promise<Json[]> {
  const markets = [await house.openMarket(), await house.openMarket()]
  for (const market of markets) {
    for (const player of ['ann', 'bob']) {
      await house.mint(market, player, 10)
      for (const outcome of [0, 1]) {
        await house.buy(market, { player, outcome, price: 0.3, shares: 2 })
        await house.sell(market, { player, outcome, price: 0.7, shares: 2 })
      }
    }
  }
  return markets
}

test('each filter cancels what fits it and nothing else, and all filters must fit', async () => {
  const house = await OperatorClient.create(service)
  const [first, second] = await busy(house)
  const left = async () => (await house.get(openPath)).total
  const cancel = async (query: string) => (await house.delete(`/orders?${query}`)).cancelled
  const [yes, no] = first!.outcomes
  assert.equal(await cancel(`marketId=${first!.id}&playerId=ann&outcomeId=${yes.id}&side=SELL`), 1)
  assert.equal(await left(), 15)
  assert.equal(await cancel(`outcomeId=${yes.id}&playerId=ann`), 1)
  assert.equal(await cancel(`outcomeId=${no.id}`), 4)
  assert.equal(await cancel(`playerId=ann`), 4)
  assert.equal(await cancel(`side=SELL`), 3)
  assert.equal(await left(), 3)
  for (const { playerId, side } of (await house.get(openPath)).orders) {
    assert.deepEqual([playerId, side], ['bob', 'BUY'])
  }
  assert.equal(await cancel(`marketId=${second!.id}`), 2)
  assert.equal(await cancel(`marketId=${second!.id}`), 0)
  assert.equal(await left(), 1)
  const told = await house.events('&eventType=ORDER_CANCELLED')
  assert.equal(told.length, 15)
  assert.deepEqual(new Set(told.map(({ payload }) => payload.reason)), new Set(['REQUESTED']))
})

test('without a filter, or with a malformed one, nothing is cancelled', async () => {
  const house = await OperatorClient.create(service)
  await busy(house)
  for (const [field, query] of [
    ['query', ''],
    ['query', '?status=PENDING'],
    ['marketId', '?marketId=x'],
    ['outcomeId', '?playerId=ann&outcomeId=1'],
    ['side', '?side=BOTH'],
    ['playerId', '?playerId='],
  ] as const) {
    assertRefused(await house.ask('DELETE', `/orders${query}`), 'VALIDATION_ERROR', field)
  }
  assert.equal((await house.delete(`/orders?marketId=${crypto.randomUUID()}`)).cancelled, 0)
  assert.equal((await house.get(openPath)).total, 16)
})

test("another operator's orders are left alone, in its own and in shared markets", async () => {
  const house = await OperatorClient.create(service)
  const other = await OperatorClient.create(service)
  const market = await house.openMarket({ shared: true })
  await house.buy(market, { price: 0.3 })
  const { order } = await other.buy(market, { price: 0.3 })
  assert.equal((await house.delete(`/orders?marketId=${market.id}`)).cancelled, 1)
  assert.equal((await other.get(`/orders/${order.id}`)).status, 'PENDING')
})

test('orders are cancelled in any state of their market', async () => {
  const house = await OperatorClient.create(service)
  const market = await house.openMarket()
  await house.buy(market, { price: 0.3 })
  await house.act(market, 'close')
  assert.equal((await house.delete(`/orders?marketId=${market.id}`)).cancelled, 1)
})

test('thousands of orders are cancelled once each while others trade', async () => {
  const house = await OperatorClient.create(service)
  const market = await house.openMarket()
  const orders = Array.from({ length: 100 }, (_, at) =>
    orderBody(market, 'BUY', { player: at % 2 === 0 ? 'ann' : 'bob', price: 0.1, shares: 1 }),
  )
  for (let batch = 0; batch < 50; batch += 1) await house.post('/orders/batch', { orders })
  const cancelling = [house.delete('/orders?playerId=ann'), house.delete('/orders?playerId=ann')]
  const trading = Array.from({ length: 20 }, () => house.buy(market, { player: 'cat', price: 0.2 }))
  const placed = await Promise.all(trading)
  assert.ok(placed.every(({ status }) => status === 'PENDING'))
  const [one, two] = await Promise.all(cancelling)
  assert.equal(one!.cancelled + two!.cancelled, 2_500)
  assert.equal((await house.get(`${openPath}&playerId=ann`)).total, 0)
  assert.equal((await house.get(`${openPath}&playerId=bob`)).total, 2_500)
  const { bids } = await house.book(market)
  assert.deepEqual(bids, [
    { price: 0.2, shares: 200, orderCount: 20 },
    { price: 0.1, shares: 2_500, orderCount: 2_500 },
  ])
})
