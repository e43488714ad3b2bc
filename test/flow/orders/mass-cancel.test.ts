// Cancelling all orders that match a filter, over HTTP.

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
async function busy(operator: OperatorClient): Promise<Json[]> {
  const markets = [await operator.openMarket(), await operator.openMarket()]
  for (const market of markets) {
    for (const player of ['ann', 'bob']) {
      await operator.mint(market, player, 10)
      for (const outcome of [0, 1]) {
        await operator.buy(market, { player, outcome, price: 0.3, shares: 2 })
        await operator.sell(market, { player, outcome, price: 0.7, shares: 2 })
      }
    }
  }
  return markets
}

test('only orders that match all filters are cancelled', async () => {
  const operator = await OperatorClient.create(service)
  const [first, second] = await busy(operator)
  const left = async () => (await operator.get(openPath)).total
  const cancel = async (query: string) => (await operator.delete(`/orders?${query}`)).cancelled
  const [yes, no] = first!.outcomes
  assert.equal(await cancel(`marketId=${first!.id}&playerId=ann&outcomeId=${yes.id}&side=SELL`), 1)
  assert.equal(await left(), 15)
  assert.equal(await cancel(`outcomeId=${yes.id}&playerId=ann`), 1)
  assert.equal(await cancel(`outcomeId=${no.id}`), 4)
  assert.equal(await cancel(`playerId=ann`), 4)
  assert.equal(await cancel(`side=SELL`), 3)
  assert.equal(await left(), 3)
  for (const { playerId, side } of (await operator.get(openPath)).orders) {
    assert.deepEqual([playerId, side], ['bob', 'BUY'])
  }
  assert.equal(await cancel(`marketId=${second!.id}`), 2)
  assert.equal(await cancel(`marketId=${second!.id}`), 0)
  assert.equal(await left(), 1)
  const events = await operator.events('&eventType=ORDER_CANCELLED')
  assert.equal(events.length, 15)
  assert.deepEqual(new Set(events.map(({ payload }) => payload.reason)), new Set(['REQUESTED']))
})

test('without a filter, or with a malformed one, nothing is cancelled', async () => {
  const operator = await OperatorClient.create(service)
  await busy(operator)
  for (const [field, query] of [
    ['query', ''],
    ['query', '?status=PENDING'],
    ['marketId', '?marketId=x'],
    ['outcomeId', '?playerId=ann&outcomeId=1'],
    ['side', '?side=BOTH'],
    ['playerId', '?playerId='],
  ] as const) {
    assertRefused(await operator.request('DELETE', `/orders${query}`), 'VALIDATION_ERROR', field)
  }
  assert.equal((await operator.delete(`/orders?marketId=${crypto.randomUUID()}`)).cancelled, 0)
  assert.equal((await operator.get(openPath)).total, 16)
})

test("another operator's orders are not cancelled, in its own and in shared markets", async () => {
  const operator = await OperatorClient.create(service)
  const other = await OperatorClient.create(service)
  const market = await operator.openMarket({ shared: true })
  await operator.buy(market, { price: 0.3 })
  const { order } = await other.buy(market, { price: 0.3 })
  assert.equal((await operator.delete(`/orders?marketId=${market.id}`)).cancelled, 1)
  assert.equal((await other.get(`/orders/${order.id}`)).status, 'PENDING')
})

test('orders are cancelled in any status of their market', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  await operator.buy(market, { price: 0.3 })
  await operator.act(market, 'close')
  assert.equal((await operator.delete(`/orders?marketId=${market.id}`)).cancelled, 1)
})

test('thousands of orders are cancelled once each while other orders are placed', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const orders = Array.from({ length: 100 }, (_, at) =>
    orderBody(market, 'BUY', { player: at % 2 === 0 ? 'ann' : 'bob', price: 0.1, shares: 1 }),
  )
  for (let batch = 0; batch < 50; batch += 1) await operator.post('/orders/batch', { orders })
  const cancelling = [
    operator.delete('/orders?playerId=ann'),
    operator.delete('/orders?playerId=ann'),
  ]
  const trading = Array.from({ length: 20 }, () =>
    operator.buy(market, { player: 'cat', price: 0.2 }),
  )
  const placed = await Promise.all(trading)
  assert.ok(placed.every(({ status }) => status === 'PENDING'))
  const [one, two] = await Promise.all(cancelling)
  assert.equal(one!.cancelled + two!.cancelled, 2_500)
  assert.equal((await operator.get(`${openPath}&playerId=ann`)).total, 0)
  assert.equal((await operator.get(`${openPath}&playerId=bob`)).total, 2_500)
  const { bids } = await operator.book(market)
  assert.deepEqual(bids, [
    { price: 0.2, shares: 200, orderCount: 20 },
    { price: 0.1, shares: 2_500, orderCount: 2_500 },
  ])
})
