// Placing, cancelling and reading orders, over HTTP.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertRefused, assertShape } from '../../support/http/answers.ts'
import { OperatorClient, orderBody, type Placing } from '../../support/http/operator-client.ts'
import { orderShape, placementShape, tradeShape } from '../../support/http/shapes.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

describe('placing an order', () => {
  test('answers 201 with the order, and the order can be read at once', async () => {
    const house = await OperatorClient.create(service)
    const market = await house.openMarket()
    const expiresAt = '2099-01-01T00:00:00.000Z'
    const answer = await house.tryOrder(market, 'BUY', { shares: 12.5, price: 0.55, expiresAt })
    assert.equal(answer.status, 201)
    const { data } = answer.body
    assertShape(data, placementShape)
    assertShape(data.order, orderShape)
    const { order } = data
    assert.deepEqual(await house.get(`/orders/${order.id}`), order)
    const shown = { shares: '12.5', price: '0.55', filledShares: '0', avgFillPrice: '0' }
    const rest = { remainingShares: '12.5', status: 'PENDING', transactionId: null, expiresAt }
    const about = { marketId: market.id, outcomeId: market.outcomes[0].id, operatorId: house.id }
    for (const [field, value] of Object.entries({ ...shown, ...rest, ...about })) {
      assert.equal(order[field], value, field)
    }
    assert.deepEqual([data.status, data.trades, data.remainingShares], ['PENDING', [], '12.5'])
    assert.deepEqual([order.playerId, order.side, order.type], ['ann', 'BUY', 'LIMIT'])
  })

  test('with a wrong field is refused, and the message names the field', async () => {
    const house = await OperatorClient.create(service)
    const market = await house.openMarket()
    const good = orderBody(market, 'BUY')
    for (const field of ['marketId', 'outcomeId', 'playerId', 'side', 'type', 'shares', 'price']) {
      const { [field]: _, ...without } = good
      assertRefused(await house.ask('POST', '/orders', without), 'VALIDATION_ERROR', field)
    }
    for (const [field, value] of [
      ['marketId', 'x'],
      ['outcomeId', 5],
      ['playerId', ''],
      ['playerId', null],
      ['playerId', 7],
      ['side', 'buy'],
      ['type', 'STOP'],
      ['shares', '10'],
      ['shares', null],
      ['price', '0.5'],
      ['price', null],
      ['transactionId', ''],
      ['transactionId', 5],
      ['expiresAt', 'soon'],
      ['expiresAt', '2020-01-01T00:00:00Z'],
      ['expiresAt', 4_102_444_800_000],
      ['colour', 'red'],
    ] as const) {
      const answer = await house.ask('POST', '/orders', { ...good, [field]: value })
      assertRefused(answer, 'VALIDATION_ERROR', field)
    }
    assert.equal((await house.get('/orders')).total, 0)
  })

  test('checks shares and price against range and step, and names the step', async () => {
    const house = await OperatorClient.create(service)
    const market = await house.openMarket()
    const at = (placing: Placing) => house.tryOrder(market, 'BUY', placing)
    for (const shares of [0, 0.99, -1, 100_000.01, 1e15, 1e300, 5e-324, 1.005, 1.000001]) {
      assertRefused(await at({ shares }), 'ORDER_INVALID_SHARES', '0.01')
    }
    for (const price of [0, 0.0099, 0.9901, 1, -0.5, 0.12345, 0.5000001, 1e300]) {
      assertRefused(await at({ price }), 'ORDER_INVALID_PRICE', '0.0001')
    }
    for (const [shares, price] of [
      [1, 0.01],
      [100_000, 0.99],
      [1.01, 0.9899],
    ] as const) {
      assert.equal((await at({ shares, price })).status, 201)
    }
    const nearly = await house.buy(market, { shares: 1.1 + 2.2, price: 0.1 + 0.2 })
    assert.deepEqual([nearly.order.shares, nearly.order.price], ['3.3', '0.3'])
  })

  test('ignores the price of a MARKET order, however wrong', async () => {
    const house = await OperatorClient.create(service)
    const market = await house.marketWithHolders({ ann: 10 })
    for (const price of [7, 0.123456, null]) {
      await house.sell(market, { shares: 2 })
      const placing = { player: 'bob', type: 'MARKET', shares: 2, price: price as number }
      const { order } = await house.buy(market, placing)
      assert.deepEqual([order.status, order.price], ['FILLED', null])
    }
  })

  test('checks in the order of the contract', async () => {
    const house = await OperatorClient.create(service)
    const draft = await house.createMarket()
    const open = await house.openMarket()
    const nowhere = { marketId: crypto.randomUUID() }
    const elsewhere = { outcomeId: open.outcomes[0].id }
    const sells = (placing: Placing) => house.tryOrder(draft, 'SELL', placing)
    const all = { shares: 0, price: 7, ...nowhere, ...elsewhere, side: 'NEITHER' }
    assertRefused(await sells(all), 'VALIDATION_ERROR', 'side')
    assertRefused(await sells({ ...all, side: 'SELL' }), 'ORDER_INVALID_SHARES')
    const { shares: _, ...rest } = { ...all, side: 'SELL' }
    assertRefused(await sells(rest), 'ORDER_INVALID_PRICE')
    assertRefused(await sells({ ...nowhere, ...elsewhere }), 'MARKET_NOT_FOUND')
    assertRefused(await sells(elsewhere), 'VALIDATION_ERROR', 'outcomeId')
    assertRefused(await sells({}), 'MARKET_NOT_OPEN')
    const market = { type: 'MARKET' }
    assertRefused(await house.tryOrder(open, 'SELL', market), 'POSITION_INSUFFICIENT_SHARES')
    assertRefused(await house.tryOrder(open, 'BUY', market), 'ORDER_NO_LIQUIDITY')
  })

  test('is refused in every status but OPEN', async () => {
    const house = await OperatorClient.create(service)
    const market = await house.openMarket()
    const isRefused = async () => {
      assertRefused(await house.tryOrder(market, 'BUY'), 'MARKET_NOT_OPEN')
    }
    await house.suspend(market)
    await isRefused()
    await house.act(market, 'resume')
    await house.buy(market)
    for (const step of [
      () => house.act(market, 'close'),
      () => house.resolve(market),
      () => house.act(market, 'settle'),
    ]) {
      await step()
      await isRefused()
    }
  })
})

describe('cancelling an order', () => {
  test('answers with it, CANCELLED and with nothing remaining', async () => {
    const house = await OperatorClient.create(service)
    const market = await house.marketWithHolders({ ann: 10 })
    const { order } = await house.sell(market, { shares: 10 })
    await house.buy(market, { player: 'bob', shares: 4 })
    const cancelled = await house.cancel(order)
    assertShape(cancelled, orderShape)
    const { status, remainingShares, filledShares, avgFillPrice, shares } = cancelled
    assert.deepEqual([status, remainingShares, filledShares], ['CANCELLED', '0', '4'])
    assert.deepEqual([avgFillPrice, shares], ['0.5', '10'])
    assert.deepEqual(await house.get(`/orders/${order.id}`), cancelled)
    assert.equal((await house.position(market, 'ann')).reservedShares, '0')
    assert.deepEqual((await house.book(market)).asks, [])
  })

  test('works in any status of its market', async () => {
    const house = await OperatorClient.create(service)
    const market = await house.openMarket()
    const orders: Json[] = []
    for (const player of ['a', 'b', 'c']) orders.push((await house.buy(market, { player })).order)
    for (const step of [
      () => house.suspend(market),
      () => house.act(market, 'close'),
      () => house.resolve(market),
    ]) {
      await step()
      assert.equal((await house.cancel(orders.pop())).status, 'CANCELLED')
    }
  })

  test('is refused once it is FILLED, CANCELLED or REJECTED', async () => {
    const house = await OperatorClient.create(service)
    const market = await house.marketWithHolders({ ann: 10 })
    const { order: ask } = await house.sell(market)
    const { order: bid } = await house.buy(market, { player: 'bob' })
    const { order: gone } = await house.buy(market)
    await house.cancel(gone)
    const refused = await house.tryOrder(market, 'BUY', { type: 'MARKET' })
    const rejected = { id: refused.body.error.details.orderId }
    for (const { id } of [ask, bid, gone, rejected]) {
      assertRefused(await house.ask('DELETE', `/orders/${id}`), 'ORDER_CANNOT_CANCEL')
    }
    for (const id of [crypto.randomUUID(), 'x', market.id]) {
      assertRefused(await house.ask('DELETE', `/orders/${id}`), 'ORDER_NOT_FOUND')
      assertRefused(await house.ask('GET', `/orders/${id}`), 'ORDER_NOT_FOUND')
    }
  })
})

describe('listing orders and trades', () => {
  test('filters, combines filters, and counts', async () => {
    const house = await OperatorClient.create(service)
    const [one, two] = [await house.openMarket(), await house.openMarket()]
    await house.mint(one, 'ann', 50)
    const { order: ask } = await house.sell(one, { price: 0.6, transactionId: 'ask-1' })
    const { order: bid } = await house.buy(one, { player: 'bob', outcome: 1, price: 0.2 })
    const { order: taker } = await house.buy(one, { player: 'bob', type: 'MARKET', shares: 3 })
    const { order: away } = await house.buy(two, { player: 'bob' })
    const idsOf = async (query: string) => {
      const { orders, total } = await house.get(`/orders?${query}`)
      assert.equal(total, orders.length, query)
      return orders.map(({ id }: Json) => id)
    }
    assert.deepEqual(await idsOf(''), [away.id, taker.id, bid.id, ask.id])
    assert.deepEqual(await idsOf('playerId=ann'), [ask.id])
    assert.deepEqual(await idsOf(`marketId=${one.id}`), [taker.id, bid.id, ask.id])
    assert.deepEqual(await idsOf(`outcomeId=${one.outcomes[1].id}`), [bid.id])
    assert.deepEqual(await idsOf('side=SELL'), [ask.id])
    assert.deepEqual(await idsOf('type=MARKET'), [taker.id])
    assert.deepEqual(await idsOf('status=PENDING'), [away.id, bid.id])
    assert.deepEqual(await idsOf('status=PARTIAL,FILLED'), [taker.id, ask.id])
    assert.deepEqual(await idsOf('transactionId=ask-1'), [ask.id])
    assert.deepEqual(await idsOf(`playerId=bob&marketId=${one.id}&status=FILLED`), [taker.id])
    assert.deepEqual(await idsOf('playerId=nobody'), [])
    for (const query of ['side=buy', 'type=x', 'status=OPEN', 'marketId=1', 'limit=1001']) {
      const field = query.split('=')[0]!
      assertRefused(await house.ask('GET', `/orders?${query}`), 'VALIDATION_ERROR', field)
    }
  })

  test('gives 50 of each at first, newest first, in pages', async () => {
    const house = await OperatorClient.create(service)
    const market = await house.marketWithHolders({ ann: 100 })
    await house.sell(market, { shares: 60 })
    for (let at = 0; at < 60; at += 1) await house.buy(market, { player: 'bob', shares: 1 })
    for (const name of ['orders', 'trades']) {
      const first = await house.get(`/${name}?marketId=${market.id}`)
      const second = await house.get(`/${name}?marketId=${market.id}&cursor=${first.nextCursor}`)
      assert.deepEqual([first[name].length, first.hasMore], [50, true])
      assert.deepEqual([second.hasMore, second.nextCursor], [false, null])
      const all = [...first[name], ...second[name]]
      assert.equal(all.length, first.total)
      assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
      const times = all.map(({ createdAt }) => createdAt)
      assert.deepEqual(times, times.toSorted().reverse())
      const bad = await house.ask('GET', `/${name}?cursor=${first.nextCursor}x`)
      assertRefused(bad, 'VALIDATION_ERROR', 'cursor')
      const other = name === 'orders' ? 'trades' : 'orders'
      const elsewhere = await house.ask('GET', `/${other}?cursor=${first.nextCursor}`)
      assertRefused(elsewhere, 'VALIDATION_ERROR', 'another list')
    }
    const { trades } = await house.get('/trades?limit=1')
    assertShape(trades[0], tradeShape)
    assert.equal((await house.get(`/trades?outcomeId=${market.outcomes[1].id}`)).total, 0)
    assert.equal((await house.get(`/trades?outcomeId=${market.outcomes[0].id}`)).total, 60)
  })
})
