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
  test('returns 201 with the order, which can be read at once', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.openMarket()
    const expiresAt = '2099-01-01T00:00:00.000Z'
    const answer = await operator.tryOrder(market, 'BUY', { shares: 12.5, price: 0.55, expiresAt })
    assert.equal(answer.status, 201)
    const { data } = answer.body
    assertShape(data, placementShape)
    assertShape(data.order, orderShape)
    const { order } = data
    assert.deepEqual(await operator.get(`/orders/${order.id}`), order)
    const shown = { shares: '12.5', price: '0.55', filledShares: '0', avgFillPrice: '0' }
    const rest = { remainingShares: '12.5', status: 'PENDING', transactionId: null, expiresAt }
    const about = { marketId: market.id, outcomeId: market.outcomes[0].id, operatorId: operator.id }
    for (const [field, value] of Object.entries({ ...shown, ...rest, ...about })) {
      assert.equal(order[field], value, field)
    }
    assert.deepEqual([data.status, data.trades, data.remainingShares], ['PENDING', [], '12.5'])
    assert.deepEqual([order.playerId, order.side, order.type], ['ann', 'BUY', 'LIMIT'])
  })

  test('with an invalid field is refused, and the message names the field', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.openMarket()
    const good = orderBody(market, 'BUY')
    for (const field of ['marketId', 'outcomeId', 'playerId', 'side', 'type', 'shares', 'price']) {
      const { [field]: _, ...without } = good
      assertRefused(await operator.request('POST', '/orders', without), 'VALIDATION_ERROR', field)
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
      const answer = await operator.request('POST', '/orders', { ...good, [field]: value })
      assertRefused(answer, 'VALIDATION_ERROR', field)
    }
    assert.equal((await operator.get('/orders')).total, 0)
  })

  test('checks the range and step of shares and price, and names the step', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.openMarket()
    const at = (placing: Placing) => operator.tryOrder(market, 'BUY', placing)
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
    const nearly = await operator.buy(market, { shares: 1.1 + 2.2, price: 0.1 + 0.2 })
    assert.deepEqual([nearly.order.shares, nearly.order.price], ['3.3', '0.3'])
  })

  test('ignores the price of a MARKET order, even an invalid one', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.marketWithHolders({ ann: 10 })
    for (const price of [7, 0.123456, null]) {
      await operator.sell(market, { shares: 2 })
      const placing = { player: 'bob', type: 'MARKET', shares: 2, price: price as number }
      const { order } = await operator.buy(market, placing)
      assert.deepEqual([order.status, order.price], ['FILLED', null])
    }
  })

  test('reports the first error in the order of the checks', async () => {
    const operator = await OperatorClient.create(service)
    const draft = await operator.createMarket()
    const open = await operator.openMarket()
    const nowhere = { marketId: crypto.randomUUID() }
    const elsewhere = { outcomeId: open.outcomes[0].id }
    const sells = (placing: Placing) => operator.tryOrder(draft, 'SELL', placing)
    const all = { shares: 0, price: 7, ...nowhere, ...elsewhere, side: 'NEITHER' }
    assertRefused(await sells(all), 'VALIDATION_ERROR', 'side')
    assertRefused(await sells({ ...all, side: 'SELL' }), 'ORDER_INVALID_SHARES')
    const { shares: _, ...rest } = { ...all, side: 'SELL' }
    assertRefused(await sells(rest), 'ORDER_INVALID_PRICE')
    assertRefused(await sells({ ...nowhere, ...elsewhere }), 'MARKET_NOT_FOUND')
    assertRefused(await sells(elsewhere), 'VALIDATION_ERROR', 'outcomeId')
    assertRefused(await sells({}), 'MARKET_NOT_OPEN')
    const market = { type: 'MARKET' }
    assertRefused(await operator.tryOrder(open, 'SELL', market), 'POSITION_INSUFFICIENT_SHARES')
    assertRefused(await operator.tryOrder(open, 'BUY', market), 'ORDER_NO_LIQUIDITY')
  })

  test('is refused in every market status but OPEN', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.openMarket()
    const isRefused = async () => {
      assertRefused(await operator.tryOrder(market, 'BUY'), 'MARKET_NOT_OPEN')
    }
    await operator.suspend(market)
    await isRefused()
    await operator.act(market, 'resume')
    await operator.buy(market)
    for (const step of [
      () => operator.act(market, 'close'),
      () => operator.resolve(market),
      () => operator.act(market, 'settle'),
    ]) {
      await step()
      await isRefused()
    }
  })
})

describe('cancelling an order', () => {
  test('returns it as CANCELLED with remainingShares 0', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.marketWithHolders({ ann: 10 })
    const { order } = await operator.sell(market, { shares: 10 })
    await operator.buy(market, { player: 'bob', shares: 4 })
    const cancelled = await operator.cancel(order)
    assertShape(cancelled, orderShape)
    const { status, remainingShares, filledShares, avgFillPrice, shares } = cancelled
    assert.deepEqual([status, remainingShares, filledShares], ['CANCELLED', '0', '4'])
    assert.deepEqual([avgFillPrice, shares], ['0.5', '10'])
    assert.deepEqual(await operator.get(`/orders/${order.id}`), cancelled)
    assert.equal((await operator.position(market, 'ann')).reservedShares, '0')
    assert.deepEqual((await operator.book(market)).asks, [])
  })

  test('works in any status of its market', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.openMarket()
    const orders: Json[] = []
    for (const player of ['a', 'b', 'c'])
      orders.push((await operator.buy(market, { player })).order)
    for (const step of [
      () => operator.suspend(market),
      () => operator.act(market, 'close'),
      () => operator.resolve(market),
    ]) {
      await step()
      assert.equal((await operator.cancel(orders.pop())).status, 'CANCELLED')
    }
  })

  test('is refused once the order is FILLED, CANCELLED or REJECTED', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.marketWithHolders({ ann: 10 })
    const { order: ask } = await operator.sell(market)
    const { order: bid } = await operator.buy(market, { player: 'bob' })
    const { order: gone } = await operator.buy(market)
    await operator.cancel(gone)
    const refused = await operator.tryOrder(market, 'BUY', { type: 'MARKET' })
    const rejected = { id: refused.body.error.details.orderId }
    for (const { id } of [ask, bid, gone, rejected]) {
      assertRefused(await operator.request('DELETE', `/orders/${id}`), 'ORDER_CANNOT_CANCEL')
    }
    for (const id of [crypto.randomUUID(), 'x', market.id]) {
      assertRefused(await operator.request('DELETE', `/orders/${id}`), 'ORDER_NOT_FOUND')
      assertRefused(await operator.request('GET', `/orders/${id}`), 'ORDER_NOT_FOUND')
    }
  })
})

describe('listing orders and trades', () => {
  test('applies one filter or several, and counts the total', async () => {
    const operator = await OperatorClient.create(service)
    const [one, two] = [await operator.openMarket(), await operator.openMarket()]
    await operator.mint(one, 'ann', 50)
    const { order: ask } = await operator.sell(one, { price: 0.6, transactionId: 'ask-1' })
    const { order: bid } = await operator.buy(one, { player: 'bob', outcome: 1, price: 0.2 })
    const { order: taker } = await operator.buy(one, { player: 'bob', type: 'MARKET', shares: 3 })
    const { order: away } = await operator.buy(two, { player: 'bob' })
    const idsOf = async (query: string) => {
      const { orders, total } = await operator.get(`/orders?${query}`)
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
      assertRefused(await operator.request('GET', `/orders?${query}`), 'VALIDATION_ERROR', field)
    }
  })

  test('returns pages of 50 by default, newest first', async () => {
    const operator = await OperatorClient.create(service)
    const market = await operator.marketWithHolders({ ann: 100 })
    await operator.sell(market, { shares: 60 })
    for (let at = 0; at < 60; at += 1) await operator.buy(market, { player: 'bob', shares: 1 })
    for (const name of ['orders', 'trades']) {
      const first = await operator.get(`/${name}?marketId=${market.id}`)
      const second = await operator.get(`/${name}?marketId=${market.id}&cursor=${first.nextCursor}`)
      assert.deepEqual([first[name].length, first.hasMore], [50, true])
      assert.deepEqual([second.hasMore, second.nextCursor], [false, null])
      const all = [...first[name], ...second[name]]
      assert.equal(all.length, first.total)
      assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
      const times = all.map(({ createdAt }) => createdAt)
      assert.deepEqual(times, times.toSorted().reverse())
      const bad = await operator.request('GET', `/${name}?cursor=${first.nextCursor}x`)
      assertRefused(bad, 'VALIDATION_ERROR', 'cursor')
      const other = name === 'orders' ? 'trades' : 'orders'
      const elsewhere = await operator.request('GET', `/${other}?cursor=${first.nextCursor}`)
      assertRefused(elsewhere, 'VALIDATION_ERROR', 'another list')
    }
    const { trades } = await operator.get('/trades?limit=1')
    assertShape(trades[0], tradeShape)
    assert.equal((await operator.get(`/trades?outcomeId=${market.outcomes[1].id}`)).total, 0)
    assert.equal((await operator.get(`/trades?outcomeId=${market.outcomes[0].id}`)).total, 60)
  })
})
