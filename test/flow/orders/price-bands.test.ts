// Price bands over HTTP: where they are set, what they refuse, and how they suspend a market.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { type Json, newFolder, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

const newOperator = () => OperatorClient.create(service)
const edit = (operator: OperatorClient, { id }: Json, body: object) =>
  operator.request('PATCH', `/markets/${id}`, body)

/** The last price of Yes is 0.4, and sam sells 10 shares at each of the prices. */
async function traded(operator: OperatorClient, asks: readonly number[], body: object) {
  const market = await operator.marketWithHolders({ sam: 1_000 }, body)
  await operator.sell(market, { player: 'sam', price: 0.4, shares: 1 })
  await operator.buy(market, { player: 'bob', price: 0.4, shares: 1 })
  for (const price of asks) await operator.sell(market, { player: 'sam', price, shares: 10 })
  return market
}

const narrow = { priceBand: { maxMove: 0.1 } }
const suspending = { priceBand: { maxMove: 0.1, suspendOnBand: true } }

test('a market shows its band, from its creation or a change on, until it is null', async () => {
  const operator = await newOperator()
  const plain = await operator.createMarket()
  assert.equal(plain.priceBand, null)
  const market = await operator.createMarket({ priceBand: { maxMove: 0.0001 } })
  const shown = { maxMove: '0.0001', suspendOnBand: false }
  assert.deepEqual(market.priceBand, shown)
  assert.deepEqual((await operator.market(market)).priceBand, shown)
  const changed = await operator.patch(`/markets/${market.id}`, {
    priceBand: { maxMove: 0.99, suspendOnBand: true },
  })
  assert.deepEqual(changed.priceBand, { maxMove: '0.99', suspendOnBand: true })
  const { markets } = await operator.get('/markets')
  assert.deepEqual(
    markets.map(({ priceBand }: Json) => priceBand),
    [changed.priceBand, null],
  )
  assert.equal((await operator.patch(`/markets/${market.id}`, { priceBand: null })).priceBand, null)
})

test('a band that is none is refused, and the fault is named', async () => {
  const operator = await newOperator()
  const market = await operator.createMarket()
  const refused: [unknown, string][] = [
    [{ maxMove: 0 }, 'maxMove'],
    [{ maxMove: 0.00009 }, 'maxMove'],
    [{ maxMove: 0.00015 }, 'maxMove'],
    [{ maxMove: 0.9901 }, 'maxMove'],
    [{ maxMove: -0.1 }, 'maxMove'],
    [{ maxMove: '0.1' }, 'maxMove'],
    [{ maxMove: null }, 'maxMove'],
    [{}, 'maxMove'],
    [{ suspendOnBand: true }, 'maxMove'],
    [{ maxMove: 0.1, suspendOnBand: 'yes' }, 'suspendOnBand'],
    [{ maxMove: 0.1, suspendOnBand: null }, 'suspendOnBand'],
    [{ maxMove: 0.1, minMove: 0.1 }, 'minMove'],
    [0.1, 'priceBand'],
  ]
  for (const [priceBand, named] of refused) {
    const body = { title: 'x', priceBand }
    assertRefused(await operator.request('POST', '/markets', body), 'VALIDATION_ERROR', named)
    assertRefused(await edit(operator, market, { priceBand }), 'VALIDATION_ERROR', named)
  }
  assert.equal((await operator.market(market)).priceBand, null)
})

test('a maxMove within 1e-9 of a bound is that bound, one further away is refused', async () => {
  const operator = await newOperator()
  const market = await operator.createMarket()
  for (const [maxMove, shown] of [
    [0.5001 - 0.5, '0.0001'],
    [1.1 * 0.9, '0.99'],
    [0.0001 - 2e-9, null],
    [0.99 + 2e-9, null],
  ] as const) {
    const { body } = await edit(operator, market, { priceBand: { maxMove } })
    assert.equal(body.data?.priceBand.maxMove ?? null, shown, `${maxMove}`)
  }
})

test('only the owner changes it, until the market is RESOLVED or CANCELLED', async () => {
  const [owner, guest] = [await newOperator(), await newOperator()]
  const market = await owner.createMarket({ shared: true })
  const change = async (maxMove: number) => edit(owner, market, { priceBand: { maxMove } })
  assert.equal((await change(0.11)).status, 200)
  await owner.act(market, 'open')
  assert.equal((await change(0.12)).status, 200)
  assertRefused(await edit(guest, market, narrow), 'FORBIDDEN')
  const trader = await owner.withKey({ scopes: ['read', 'trade'] })
  assertRefused(await edit(trader, market, narrow), 'FORBIDDEN')
  await owner.suspend(market)
  assert.equal((await change(0.13)).status, 200)
  await owner.act(market, 'close')
  assert.equal((await change(0.14)).status, 200)
  await owner.resolve(market)
  assertRefused(await change(0.15), 'MARKET_NOT_EDITABLE', 'price band')
  assertRefused(await edit(owner, market, { priceBand: null }), 'MARKET_NOT_EDITABLE')
  await owner.act(market, 'settle')
  assertRefused(await change(0.15), 'MARKET_NOT_EDITABLE')
  assert.equal((await owner.market(market)).priceBand.maxMove, '0.14')
  const cancelled = await owner.createMarket()
  await owner.act(cancelled, 'cancel', { reason: 'Rain' })
  assertRefused(await edit(owner, cancelled, narrow), 'MARKET_NOT_EDITABLE')
})

test('each change sends one event, to the owner and to each participant', async () => {
  const [owner, guest] = [await newOperator(), await newOperator()]
  const market = await owner.openMarket({ shared: true, ...narrow })
  await guest.buy(market, { price: 0.1 })
  await edit(owner, market, suspending)
  await edit(owner, market, suspending)
  await edit(owner, market, { imageUrl: null })
  await edit(owner, market, { priceBand: null })
  for (const operator of [owner, guest]) {
    const events = await operator.events('&eventType=MARKET_UPDATED')
    const bands = [suspending.priceBand, null]
    assert.deepEqual(
      events.map(({ payload }) => payload),
      events.map(({ createdAt }, at) => ({
        marketId: market.id,
        tradingEndsAt: null,
        reason: null,
        priceBand: bands[at],
        timestamp: Date.parse(createdAt),
      })),
    )
    assert.equal(events.length, bands.length)
  }
})

test('what is outside of the band is not matched, and what was left is not rested', async () => {
  const operator = await newOperator()
  const market = await traded(operator, [0.45, 0.6], narrow)
  const placed = await operator.buy(market, { player: 'bob', price: 0.9, shares: 25 })
  assert.deepEqual([placed.status, placed.filledShares], ['CANCELLED', '10'])
  const [cancelled] = await operator.events('&eventType=ORDER_CANCELLED')
  assert.deepEqual(
    [cancelled.payload.orderId, cancelled.payload.reason, cancelled.payload.cancelledShares],
    [placed.order.id, 'PRICE_BAND', 15],
  )
  const book = await operator.book(market)
  assert.deepEqual([book.bids, book.asks.length], [[], 1])
})

test('an order that meets nothing else is REJECTED, and its preview says so', async () => {
  const operator = await newOperator()
  const market = await traded(operator, [0.6], narrow)
  for (const [options, code] of [
    [{ price: 0.6 }, 'ORDER_OUTSIDE_BAND'],
    [{ type: 'MARKET' }, 'ORDER_OUTSIDE_BAND'],
    [{ price: 0.6, timeInForce: 'IOC' }, 'ORDER_OUTSIDE_BAND'],
    [{ price: 0.6, postOnly: true }, 'ORDER_OUTSIDE_BAND'],
    [{ price: 0.6, timeInForce: 'FOK' }, 'ORDER_NO_LIQUIDITY'],
  ] as const) {
    const body = orderBody(market, 'BUY', { player: 'bob', ...options })
    const previewed = await operator.request('POST', '/orders/preview', body)
    assertRefused(previewed, code)
    assert.equal(previewed.body.error.details, undefined, 'nothing was stored')
    const refused = await operator.request('POST', '/orders', body)
    assertRefused(refused, code)
    const order = await operator.get(`/orders/${refused.body.error.details.orderId}`)
    assert.deepEqual([order.status, order.filledShares], ['REJECTED', '0'])
  }
  assert.equal((await operator.get('/orders?status=REJECTED')).total, 5)
  const just = await operator.buy(market, { player: 'bob', price: 0.5999 })
  assert.equal(just.status, 'PENDING', 'above the band it rests where it meets nothing')
})

test('a preview shows the fills within the band, and that nothing would rest', async () => {
  const operator = await newOperator()
  const market = await traded(operator, [0.5, 0.5001], narrow)
  const body = orderBody(market, 'BUY', { player: 'bob', price: 0.9, shares: 25 })
  const previewed = await operator.post('/orders/preview', body)
  assert.deepEqual(previewed.fills, [{ price: '0.5', shares: '10' }])
  assert.deepEqual([previewed.filledShares, previewed.restingShares], ['10', '0'])
  assert.equal((await operator.market(market)).status, 'OPEN')
})

test('a repeated request gets the code that the first one got, also after a kill', async (t) => {
  const dataDir = await newFolder()
  const first = await Service.start({ dataDir })
  t.after(() => first.kill())
  const operator = await OperatorClient.create(first)
  const market = await traded(operator, [0.5, 0.6], narrow)
  const requests: [Json, string][] = []
  const bodyOf = (more: Json) =>
    orderBody(market, 'BUY', { player: 'bob', transactionId: `t-${requests.length}`, ...more })
  const note = async (more: Json, code: string) => {
    const body = bodyOf(more)
    const answer = await operator.request('POST', '/orders', body)
    assertRefused(answer, code)
    assert.equal(answer.headers.get('idempotent-replayed'), null)
    requests.push([{ body, details: answer.body.error.details }, code])
  }
  await note({ price: 0.5, postOnly: true }, 'ORDER_WOULD_MATCH')
  await note({ price: 0.9, shares: 30, timeInForce: 'FOK' }, 'ORDER_NO_LIQUIDITY')
  await operator.buy(market, { player: 'amy', price: 0.5 })
  await edit(operator, market, { priceBand: { maxMove: 0.05 } })
  await note({ price: 0.9 }, 'ORDER_OUTSIDE_BAND')
  await note({ price: 0.9, timeInForce: 'IOC' }, 'ORDER_OUTSIDE_BAND')
  await note({ price: 0.9, postOnly: true }, 'ORDER_OUTSIDE_BAND')
  await note({ type: 'MARKET' }, 'ORDER_OUTSIDE_BAND')
  await note({ type: 'MARKET', outcome: 1 }, 'ORDER_NO_LIQUIDITY')
  await edit(operator, market, { priceBand: null })
  const repeat = async (client: OperatorClient) => {
    for (const [{ body, details }, code] of requests) {
      const answer = await client.request('POST', '/orders', body)
      assertRefused(answer, code)
      assert.deepEqual(answer.body.error.details, details)
      assert.equal(answer.headers.get('idempotent-replayed'), 'true')
    }
  }
  await repeat(operator)
  await first.kill()
  const second = await Service.start({ dataDir })
  try {
    const again = new OperatorClient(second, operator)
    await repeat(again)
    await again.buy(market, { player: 'bob', price: 0.6 })
    await edit(again, market, { priceBand: { maxMove: 0.02 } })
    await again.sell(market, { player: 'sam', price: 0.65 })
    assertRefused(await again.tryOrder(market, 'BUY', { price: 0.65 }), 'ORDER_OUTSIDE_BAND')
  } finally {
    await second.stop()
  }
})

test('an amendment beyond the band is refused, and the order stays', async () => {
  const operator = await newOperator()
  const market = await traded(operator, [0.6], narrow)
  const { order } = await operator.buy(market, { player: 'bob', price: 0.3 })
  const refused = await operator.request('PATCH', `/orders/${order.id}`, { price: 0.6 })
  assertRefused(refused, 'ORDER_OUTSIDE_BAND')
  assert.deepEqual(await operator.get(`/orders/${order.id}`), order)
  assert.equal((await operator.patch(`/orders/${order.id}`, { price: 0.59 })).status, 'PENDING')
})

test('in a batch the orders after the one that suspends the market are refused', async () => {
  const operator = await newOperator()
  const market = await traded(operator, [0.45, 0.6], suspending)
  const bid = orderBody(market, 'BUY', { player: 'bob', price: 0.2, shares: 1 })
  const orders = [bid, { ...bid, price: 0.9, shares: 25 }, bid, { ...bid, price: 0.9 }]
  const { results } = await operator.post('/orders/batch', { orders })
  assert.deepEqual(
    results.map(({ data, error }: Json) => data?.status ?? error.code),
    ['PENDING', 'CANCELLED', 'MARKET_NOT_OPEN', 'MARKET_NOT_OPEN'],
  )
  assert.equal((await operator.market(market)).status, 'SUSPENDED')
  const events = await operator.events()
  const last = events.at(-1)!
  assert.equal(last.eventType, 'MARKET_STATUS_CHANGED')
  const { previousStatus, status, reason } = last.payload
  assert.deepEqual([previousStatus, status, reason], ['OPEN', 'SUSPENDED', 'PRICE_BAND'])
  await operator.act(market, 'resume')
  assert.equal((await operator.buy(market, { player: 'bob', price: 0.2 })).status, 'PENDING')
})

test("an order of a guest suspends the owner's market, inside its trading window", async () => {
  const [owner, guest] = [await newOperator(), await newOperator()]
  const tradingEndsAt = '2099-01-01T00:00:00.000Z'
  const market = await traded(owner, [0.6], { shared: true, tradingEndsAt, ...suspending })
  assertRefused(await guest.tryOrder(market, 'BUY', { price: 0.9 }), 'ORDER_OUTSIDE_BAND')
  for (const operator of [owner, guest]) {
    const [last] = (await operator.events('&eventType=MARKET_STATUS_CHANGED')).slice(-1)
    assert.deepEqual([last!.payload.status, last!.payload.reason], ['SUSPENDED', 'PRICE_BAND'])
  }
  const resumed = await owner.act(market, 'resume')
  assert.deepEqual([resumed.status, resumed.tradingEndsAt], ['OPEN', tradingEndsAt])
})
