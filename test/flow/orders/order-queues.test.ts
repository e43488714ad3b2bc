// How many orders match before an open one, over HTTP.

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

async function buys(operator: OperatorClient, market: Json, shares: readonly number[]) {
  const orders: Json[] = []
  for (const [at, count] of shares.entries()) {
    const player = at % 2 === 0 ? 'ann' : 'bob'
    const { order } = await operator.buy(market, { player, price: 0.4, shares: count })
    orders.push(order)
  }
  return orders
}

test('the place of an order counts the orders and shares before it at its price', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  await operator.buy(market, { player: 'cid', price: 0.5, shares: 7 })
  const [first, second, third] = await buys(operator, market, [10, 2.5, 4])
  const { version } = await operator.book(market)
  assert.deepEqual(await operator.get(`/orders/${third!.id}/queue`), {
    orderId: third!.id,
    ordersAhead: 2,
    sharesAhead: '12.5',
    version,
  })
  await operator.cancel(first!)
  const after = await operator.get(`/orders/${third!.id}/queue`)
  assert.deepEqual([after.ordersAhead, after.sharesAhead], [1, '2.5'])
  assert.equal(after.version, version + 1)
  const front = await operator.get(`/orders/${second!.id}/queue`)
  assert.deepEqual([front.ordersAhead, front.sharesAhead], [0, '0'])
})

test('an order that is closed, unknown or of another operator has no place', async () => {
  const operator = await OperatorClient.create(service)
  const other = await OperatorClient.create(service)
  const [order] = await buys(operator, await operator.openMarket(), [1])
  assertRefused(await other.request('GET', `/orders/${order!.id}/queue`), 'ORDER_NOT_FOUND')
  await operator.cancel(order!)
  assertRefused(await operator.request('GET', `/orders/${order!.id}/queue`), 'ORDER_NOT_OPEN')
  const unknown = `/orders/${crypto.randomUUID()}/queue`
  assertRefused(await operator.request('GET', unknown), 'ORDER_NOT_FOUND')
  assertRefused(await operator.request('GET', '/orders/x/queue'), 'ORDER_NOT_FOUND')
})

test('the places of many are those of a market, a player or both, newest first', async () => {
  const operator = await OperatorClient.create(service)
  const [one, two] = [await operator.openMarket(), await operator.openMarket()]
  const orders = await buys(operator, one!, [1, 2, 3])
  const [elsewhere] = await buys(operator, two!, [4])
  const placesOf = async (query: string) => {
    const { orders: places, hasMore } = await operator.get(`/orders/queue?${query}`)
    assert.equal(hasMore, false)
    return places.map((place: Json) => [place.orderId, place.ordersAhead])
  }
  const [first, second, third] = orders.map(({ id }) => id)
  const inOne = await placesOf(`marketId=${one!.id}`)
  assert.deepEqual(
    new Map(inOne),
    new Map([
      [first, 0],
      [second, 1],
      [third, 2],
    ]),
  )
  const ofAnn = await placesOf('playerId=ann')
  assert.deepEqual(ofAnn, [
    [elsewhere!.id, 0],
    [third, 2],
    [first, 0],
  ])
  assert.deepEqual(await placesOf(`marketId=${one!.id}&playerId=bob`), [[second, 1]])
  assert.deepEqual(await placesOf('playerId=nobody'), [])
  for (const query of ['', '?outcomeId=1']) {
    const answer = await operator.request('GET', `/orders/queue${query}`)
    assertRefused(answer, 'VALIDATION_ERROR', 'query')
  }
})

test('of more than 1,000 orders of a player, the answer has the newest', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const ids: string[] = []
  for (let batch = 0; batch < 11; batch += 1) {
    const order = orderBody(market, 'BUY')
    const { results } = await operator.post('/orders/batch', { orders: Array(100).fill(order) })
    for (const { data } of results) ids.push(data.order.id)
  }
  const { orders, hasMore } = await operator.get('/orders/queue?playerId=ann')
  assert.equal(hasMore, true)
  assert.deepEqual(
    orders.map((place: Json) => place.orderId),
    ids.slice(-1_000).reverse(),
  )
  assert.deepEqual(orders[0].ordersAhead, 1_099)
  for (const id of ids.slice(-100)) await operator.cancel({ id })
  const all = await operator.get('/orders/queue?playerId=ann')
  assert.deepEqual([all.orders.length, all.hasMore], [1_000, false])
})
