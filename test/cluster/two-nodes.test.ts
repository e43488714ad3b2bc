// The rules of trading where requests reach a node that does not own the shard, and after a node
// has taken the shard over from one that was killed.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused, until } from '../support/http/answers.ts'
import { orderBody } from '../support/http/operator-client.ts'
import { postgresOrNot, quick } from '../support/store/postgres-databases.ts'
import { startTwoNodes } from './support/two-nodes.ts'

const server = await postgresOrNot('rules of trading at two nodes', quick)

if (server !== null) {
  after(() => server.stop())

  test('a switch that was armed at another node is triggered by the next owner', async (t) => {
    const { owner, atOwner, atOther } = await startTwoNodes(server, t)
    const market = await atOther.openMarket()
    const { order } = await atOther.buy(market, { player: 'maker', price: 0.4 })
    const arm = { timeoutMs: 300_000, playerId: 'maker' }
    const { data } = (await atOther.request('PUT', '/dead-man', arm)).body
    assert.deepEqual(await atOwner.get('/dead-man?playerId=maker'), data)
    const renewed = await atOther.request('PUT', '/dead-man', { ...arm, timeoutMs: 1_000 })
    assert.equal(renewed.status, 200)
    await owner.kill()
    const refused = await until(
      () => atOther.tryOrder(market, 'BUY', { player: 'maker', price: 0.4 }),
      ({ body }) => body.error?.code === 'DEAD_MAN_TRIGGERED',
      60_000,
    )
    assert.equal(refused.body.error?.code, 'DEAD_MAN_TRIGGERED')
    const { status } = await until(
      () => atOther.get(`/orders/${order.id}`),
      ({ status }) => status === 'CANCELLED',
      30_000,
    )
    assert.equal(status, 'CANCELLED')
    const triggered = await atOther.events('&eventType=DEAD_MAN_TRIGGERED')
    assert.deepEqual(
      triggered.map(({ marketId, payload }) => [marketId, payload.playerId]),
      [[null, 'maker']],
    )
  })

  test('a group that was filled at one owner is triggered at the next', async (t) => {
    const { owner, atOwner, atOther } = await startTwoNodes(server, t)
    const market = await atOther.marketWithHolders({ maker: 100 })
    const group = { playerId: 'maker', limitShares: 10, windowMs: 60_000 }
    const { id: orderGroupId } = await atOther.post('/order-groups', group)
    const path = `/order-groups/${orderGroupId}`
    const quote = (price: number) => ({
      ...orderBody(market, 'SELL', { player: 'maker', price, shares: 6 }),
      orderGroupId,
    })
    const { order } = await atOther.post('/orders', quote(0.6))
    assert.equal(order.orderGroupId, orderGroupId)
    const { order: kept } = await atOther.post('/orders', quote(0.7))
    await atOther.buy(market, { player: 'bob', price: 0.6, shares: 6 })
    assert.equal((await atOwner.get(path)).matchedShares, '6')
    await owner.kill()
    const bought = await until(
      () => atOther.tryOrder(market, 'BUY', { player: 'bob', price: 0.7, shares: 5 }),
      ({ status }) => status === 201,
      60_000,
    )
    assert.equal(bought.body.data.order.status, 'FILLED')
    const { status, matchedShares } = await atOther.get(path)
    assert.deepEqual([status, matchedShares], ['TRIGGERED', '11'])
    assert.equal((await atOther.get(`/orders/${kept.id}`)).status, 'CANCELLED')
    const refused = await atOther.request('POST', '/orders', quote(0.8))
    assert.equal(refused.body.error.code, 'ORDER_GROUP_TRIGGERED')
  })

  test('limits and their usage are the same at every node, and after a takeover', async (t) => {
    const { owner, atOwner, atOther } = await startTwoNodes(server, t)
    const market = await atOther.marketWithHolders({ ann: 2 })
    await atOther.buy(market, { player: 'ann', price: 0.2, shares: 5 })
    await atOwner.put('/controls', { mode: 'OPEN', playerDefaults: { maxOutcomeShares: 20 } })
    await atOther.put('/players/ann/controls', { mode: 'OPEN', limits: { maxMarketCost: 5 } })
    await atOwner.buy(market, { player: 'ann', price: 0.2, shares: 6 })
    const order = { player: 'ann', price: 0.2 }
    const tooDear = () => atOther.tryOrder(market, 'BUY', { ...order, shares: 4.01 })
    const details = { limit: 'maxMarketCost', max: '5', would: '5.002' }
    assert.deepEqual((await tooDear()).body.error.details, details)
    const shown = await atOther.get('/players/ann/controls')
    assert.equal(shown.usage.markets[0].cost, '4.2')
    assert.deepEqual((await atOwner.get('/players/ann/controls')).usage, shown.usage)

    await owner.kill()
    const again = await until(tooDear, ({ status }) => status !== 503, 30_000)
    assertRefused(again, 'LIMIT_EXCEEDED')
    assert.deepEqual(again.body.error.details, details)
    assert.deepEqual(await atOther.get('/players/ann/controls'), shown)
    await atOther.buy(market, { ...order, shares: 4 })
    await atOther.put('/players/ann/controls', { mode: 'OPEN' })
    const many = await atOther.tryOrder(market, 'BUY', { ...order, shares: 3.01 })
    assert.deepEqual(many.body.error.details, {
      limit: 'maxOutcomeShares',
      max: '20',
      would: '20.01',
    })
  })

  test('a band holds at every node, and a rejection is repeated after a takeover', async (t) => {
    const { owner, atOwner, atOther } = await startTwoNodes(server, t)
    const market = await atOther.marketWithHolders({ sam: 100 }, { priceBand: { maxMove: 0.1 } })
    await atOther.sell(market, { player: 'sam', price: 0.4 })
    await atOther.buy(market, { price: 0.4 })
    await atOwner.sell(market, { player: 'sam', price: 0.6 })
    const far = { price: 0.6, transactionId: 'far', postOnly: true }
    const refused = await atOther.tryOrder(market, 'BUY', far)
    assertRefused(refused, 'ORDER_OUTSIDE_BAND')
    const suspending = { maxMove: 0.1, suspendOnBand: true }
    await atOther.patch(`/markets/${market.id}`, { priceBand: suspending })

    await owner.kill()
    const again = await until(
      () => atOther.tryOrder(market, 'BUY', far),
      ({ status }) => status !== 503,
      30_000,
    )
    assertRefused(again, 'ORDER_OUTSIDE_BAND')
    assert.deepEqual(again.body.error.details, refused.body.error.details)
    assert.equal((await atOther.market(market)).status, 'OPEN', 'a repetition does nothing')
    assertRefused(await atOther.tryOrder(market, 'BUY', { price: 0.6 }), 'ORDER_OUTSIDE_BAND')
    const { priceBand, status } = await atOther.market(market)
    assert.deepEqual([priceBand, status], [{ ...suspending, maxMove: '0.1' }, 'SUSPENDED'])
  })

  test('a moved end of trading counts at every node, and after a takeover', async (t) => {
    const { owner, atOwner, atOther } = await startTwoNodes(server, t)
    const market = await atOther.openMarket()
    const move = (tradingEndsAt: string) =>
      atOther.post(`/markets/${market.id}/trading-window`, { tradingEndsAt, reason: 'A delay' })

    const soon = new Date(Date.now() + 1_000).toISOString()
    assert.equal((await move(soon)).tradingEndsAt, soon)
    assert.equal((await atOwner.market(market)).tradingEndsAt, soon)
    await until(
      () => atOther.tryOrder(market, 'BUY'),
      ({ body }) => body.error?.code === 'MARKET_NOT_OPEN',
    )
    assert.ok(Date.now() >= Date.parse(soon))

    const later = '2099-01-01T00:00:00.000Z'
    await move(later)
    assert.equal((await atOwner.tryOrder(market, 'BUY')).status, 201)
    await owner.kill()
    const { status } = await until(
      () => atOther.tryOrder(market, 'BUY'),
      (answer) => answer.status !== 503,
      30_000,
    )
    assert.equal(status, 201)
    const events = await atOther.events('&eventType=MARKET_UPDATED')
    assert.deepEqual(
      events.map(({ payload }) => payload.tradingEndsAt),
      [soon, later],
    )
  })

  test('the owner of the shard takes fees by schedules that another node has set', async (t) => {
    const { other, atOwner, atOther } = await startTwoNodes(server, t)
    const linear = { model: 'LINEAR', takerPercent: 3, makerPercent: 1 }
    await other.admin('PATCH', `/api/v1/admin/operators/${atOwner.id}`, { feeSchedule: linear })
    const quadratic = { model: 'QUADRATIC', takerPercent: 7, makerPercent: 0.5 }
    const usual = await atOther.marketWithHolders({ sam: 100 })
    const own = await atOther.marketWithHolders({ sam: 100 }, { feeSchedule: quadratic })
    for (const [market, fees] of [
      [usual, ['0.18', '0.06']],
      [own, ['0.168', '0.012']],
    ] as const) {
      await atOther.sell(market, { player: 'sam', price: 0.6, shares: 10 })
      const { trades } = await atOther.buy(market, { price: 0.6, shares: 10 })
      assert.deepEqual([trades[0].buyerFee, trades[0].sellerFee], fees)
      assert.deepEqual((await atOwner.get(`/trades?marketId=${market.id}`)).trades, trades)
    }
  })

  test('every node shows the public page of a market, and stops when it is private', async (t) => {
    const { other, atOwner } = await startTwoNodes(server, t)
    const market = await atOwner.openMarket({ publicPage: true })
    await atOwner.buy(market, { price: 0.37 })
    const page = async () => {
      const response = await fetch(`${other.url}/m/${market.id}`)
      return { status: response.status, text: await response.text() }
    }
    const { status, text } = await page()
    assert.equal(status, 200)
    assert.match(text, /data-bid[^>]*>0\.37</)
    await atOwner.patch(`/markets/${market.id}`, { publicPage: false })
    assert.equal((await page()).status, 404)
  })
}
