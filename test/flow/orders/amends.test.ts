// Amending orders over HTTP.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { assertRefused, assertShape } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { placementShape } from '../../support/http/shapes.ts'
import { type Answer, type Json, newFolder, Service } from '../../support/process/outcry-process.ts'

let service: Service
let dataDir: string
before(async () => {
  dataDir = await newFolder()
  service = await Service.start({ dataDir })
})
after(async () => {
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
})

function amend(operator: OperatorClient, { id }: Json, body?: unknown): Promise<Answer> {
  return operator.request('PATCH', `/orders/${id}`, body)
}

const buyersOf = (placement: Json) =>
  placement.trades.map(({ buyOrderId, shares }: Json) => [buyOrderId, shares])

test('an amendment is answered as a placement, and published as ORDER_AMENDED', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ sam: 20 })
  const { order } = await operator.buy(market, { player: 'bob', price: 0.4, shares: 10 })
  await operator.sell(market, { player: 'sam', price: 0.5, shares: 4 })
  const answer = await amend(operator, order, { price: 0.5, shares: 9 })
  assert.equal(answer.status, 200)
  const { data } = answer.body
  assertShape(data, placementShape)
  assert.deepEqual(
    [data.status, data.filledShares, data.remainingShares, data.avgFillPrice],
    ['PARTIAL', '4', '5', '0.5'],
  )
  assert.deepEqual(buyersOf(data), [[order.id, '4']])
  const now = await operator.get(`/orders/${order.id}`)
  assert.deepEqual(now, data.order)
  assert.deepEqual([now.shares, now.price, now.createdAt], ['9', '0.5', order.createdAt])
  assert.ok(now.updatedAt >= order.updatedAt)
  const events = await operator.events('&eventType=ORDER_AMENDED')
  assert.deepEqual(events.length, 1)
  assert.partialDeepStrictEqual(events[0]!.payload, {
    orderId: order.id,
    shares: 9,
    price: 0.5,
    status: 'PARTIAL',
    filledShares: 4,
  })
  assert.deepEqual((await operator.book(market)).bids, [{ price: 0.5, shares: 5, orderCount: 1 }])
})

test('places in the queue survive a kill, kept by fewer shares or at the back', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ sam: 50 })
  const bid = async (player: string) => (await operator.buy(market, { player, price: 0.4 })).order
  const [ann, bob, cat] = [await bid('ann'), await bid('bob'), await bid('cat')]
  await operator.patch(`/orders/${bob.id}`, { shares: 6 })
  await operator.patch(`/orders/${ann.id}`, { shares: 11 })
  await service.kill()
  service = await Service.start({ dataDir })
  const again = new OperatorClient(service, operator)
  const sold = await again.sell(market, { player: 'sam', price: 0.4, shares: 20 })
  assert.deepEqual(buyersOf(sold), [
    [bob.id, '6'],
    [cat.id, '10'],
    [ann.id, '4'],
  ])
  const now = await again.get(`/orders/${bob.id}`)
  assert.deepEqual([now.status, now.shares], ['FILLED', '6'])
})

test('a repeated placement returns the amended order', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ sam: 50 })
  const placing = { player: 'bob', price: 0.4, transactionId: 'once' }
  const { order } = await operator.buy(market, placing)
  await operator.sell(market, { player: 'sam', price: 0.6, shares: 3 })
  await operator.patch(`/orders/${order.id}`, { price: 0.6 })
  const replayed = await operator.tryOrder(market, 'BUY', placing)
  assert.equal(replayed.headers.get('idempotent-replayed'), 'true')
  const { data } = replayed.body
  assert.deepEqual([data.order.price, data.filledShares, data.trades], ['0.6', '3', []])
})

test('a refused amendment leaves the order unchanged', async () => {
  const operator = await OperatorClient.create(service)
  const other = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ sam: 10 })
  const { order } = await operator.buy(market, { player: 'bob', price: 0.4, shares: 10 })
  const { order: offer } = await operator.sell(market, { player: 'sam', price: 0.4, shares: 4 })
  const { order: ask } = await operator.sell(market, { player: 'sam', price: 0.9, shares: 6 })
  const refuse = async (body: unknown, code: string, field?: string, of = order) =>
    assertRefused(await amend(operator, of, body), code, field)
  await refuse(undefined, 'VALIDATION_ERROR', 'body')
  await refuse({}, 'VALIDATION_ERROR', 'body')
  await refuse({ shares: '5' }, 'VALIDATION_ERROR', 'shares')
  await refuse({ price: null }, 'VALIDATION_ERROR', 'price')
  await refuse({ shares: 5, side: 'SELL' }, 'VALIDATION_ERROR', 'side')
  for (const shares of [4, 1, 0.5, 4.001, 100_001]) await refuse({ shares }, 'ORDER_INVALID_SHARES')
  for (const price of [0, 1, 0.12345]) await refuse({ price }, 'ORDER_INVALID_PRICE')
  await refuse({ shares: 7 }, 'POSITION_INSUFFICIENT_SHARES', undefined, ask)
  await refuse({ shares: 5 }, 'ORDER_CANNOT_AMEND', undefined, offer)
  await refuse({ shares: 5 }, 'ORDER_NOT_FOUND', undefined, { id: 'nothing' })
  await refuse({ shares: 5 }, 'ORDER_NOT_FOUND', undefined, { id: crypto.randomUUID() })
  assertRefused(await amend(other, order, { shares: 5 }), 'ORDER_NOT_FOUND')
  await operator.suspend(market)
  await refuse({ shares: 5 }, 'MARKET_NOT_OPEN')
  const { shares, price, filledShares } = await operator.get(`/orders/${order.id}`)
  assert.deepEqual([shares, price, filledShares], ['10', '0.4', '4'])
  assert.deepEqual(await operator.events('&eventType=ORDER_AMENDED'), [])
})
