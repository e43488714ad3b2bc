// Trading windows, markets that open at their time, and orders that expire, over HTTP.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused, until } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

function inMs(ms: number): string {
  return new Date(Date.now() + ms).toISOString()
}

async function untilPast(time: string): Promise<void> {
  while (Date.now() <= Date.parse(time)) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('an UPCOMING market opens within a second of its tradingStartsAt', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket({ tradingStartsAt: '2099-01-01T00:00:00Z' })
  assert.equal(market.status, 'UPCOMING')
  assertRefused(await operator.tryOrder(market, 'BUY'), 'MARKET_NOT_OPEN')
  const early = await operator.request('POST', `/markets/${market.id}/open`)
  assertRefused(early, 'MARKET_INVALID_TRANSITION')
  const tradingStartsAt = inMs(400)
  await operator.patch(`/markets/${market.id}`, { tradingStartsAt })
  const opened = await until(
    () => operator.market(market),
    ({ status }: Json) => status === 'OPEN',
  )
  assert.equal(opened.status, 'OPEN')
  const events = await operator.events(`&marketId=${market.id}&eventType=MARKET_STATUS_CHANGED`)
  assert.deepEqual(
    events.map(({ payload }: Json) => `${payload.previousStatus} ${payload.status}`),
    ['DRAFT UPCOMING', 'UPCOMING OPEN'],
  )
  const openedAt = Date.parse(events[1].createdAt)
  assert.ok(openedAt >= Date.parse(tradingStartsAt))
  assert.ok(openedAt <= Date.parse(tradingStartsAt) + 1_000)
})

test('the first order after tradingStartsAt finds the market OPEN', async () => {
  const operator = await OperatorClient.create(service)
  const tradingStartsAt = inMs(300)
  const market = await operator.openMarket({ tradingStartsAt })
  await untilPast(tradingStartsAt)
  assert.equal((await operator.tryOrder(market, 'BUY')).status, 201)
})

test('an UPCOMING market can be opened once its tradingStartsAt has passed', async () => {
  const operator = await OperatorClient.create(service)
  const tradingStartsAt = inMs(250)
  const market = await operator.openMarket({ tradingStartsAt })
  await untilPast(tradingStartsAt)
  const answer = await operator.request('POST', `/markets/${market.id}/open`)
  // It may have opened by itself just before, and an OPEN market cannot be opened.
  if (answer.status === 409) assertRefused(answer, 'MARKET_INVALID_TRANSITION')
  else assert.equal(answer.body.data.status, 'OPEN')
  assert.equal((await operator.market(market)).status, 'OPEN')
})

test('a market with a past tradingStartsAt opens at once; an edited time applies', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket({ tradingStartsAt: '2020-01-01T00:00:00Z' })
  assert.equal(market.status, 'OPEN')
  const other = await operator.openMarket({ tradingStartsAt: '2099-01-01T00:00:00Z' })
  await operator.patch(`/markets/${other.id}`, { tradingStartsAt: inMs(100) })
  const opened = await until(
    () => operator.market(other),
    ({ status }: Json) => status === 'OPEN',
  )
  assert.equal(opened.status, 'OPEN')
})

test('tradingEndsAt ends trading and minting, and does not change the status', async () => {
  const operator = await OperatorClient.create(service)
  const tradingEndsAt = inMs(2_000)
  const market = await operator.openMarket({ tradingEndsAt })
  const { order } = await operator.buy(market)
  await untilPast(tradingEndsAt)
  assertRefused(await operator.tryOrder(market, 'BUY'), 'MARKET_NOT_OPEN')
  for (const action of ['mint', 'redeem']) {
    const body = { playerId: 'ann', shares: 1 }
    const answer = await operator.request('POST', `/markets/${market.id}/${action}`, body)
    assertRefused(answer, 'MARKET_NOT_OPEN')
  }
  assert.equal((await operator.market(market)).status, 'OPEN')
  assert.equal((await operator.get(`/orders/${order.id}`)).status, 'PENDING')
  assert.equal((await operator.cancel(order)).status, 'CANCELLED')
})

test('an expired order shows as EXPIRED within a second, and releases its shares', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ ann: 10 })
  const expiresAt = inMs(1_500)
  const { order } = await operator.sell(market, { expiresAt })
  await operator.buy(market, { player: 'bob', shares: 4 })
  const expired = await until(
    () => operator.get(`/orders/${order.id}`),
    ({ status }: Json) => status === 'EXPIRED',
  )
  const { status, filledShares, remainingShares } = expired
  assert.deepEqual([status, filledShares, remainingShares], ['EXPIRED', '4', '0'])
  assert.equal((await operator.position(market, 'ann')).reservedShares, '0')
  assert.deepEqual((await operator.book(market)).asks, [])
  assertRefused(await operator.request('DELETE', `/orders/${order.id}`), 'ORDER_CANNOT_CANCEL')
  const [event] = await operator.events('&eventType=ORDER_CANCELLED')
  const lateMs = Date.parse(event.createdAt) - Date.parse(expiresAt)
  assert.ok(lateMs >= 0 && lateMs <= 1_000, `${lateMs} ms late`)
  const { reason, cancelledShares } = event.payload
  assert.deepEqual([event.payload.status, reason, cancelledShares], ['EXPIRED', 'EXPIRED', 6])
})

test('an order never trades at or after its expiresAt', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ ann: 10 })
  const expiresAt = inMs(1_000)
  const { order } = await operator.sell(market, { expiresAt })
  await untilPast(expiresAt)
  const { trades } = await operator.buy(market, { player: 'bob' })
  assert.deepEqual(trades, [])
  assert.equal((await operator.get(`/orders/${order.id}`)).status, 'EXPIRED')
})
