// The options of an order, and its preview, over HTTP.

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

/** A market in which sam and bob may sell, with asks of sam: 10 at 0.5 and 10 at 0.6. */
async function marketWithAsks(operator: OperatorClient): Promise<Json> {
  const market = await operator.marketWithHolders({ sam: 1_000, bob: 1_000 })
  for (const price of [0.5, 0.6]) await operator.sell(market, { player: 'sam', price })
  return market
}

function fateOf({ status, filledShares, remainingShares }: Json): readonly string[] {
  return [status, filledShares, remainingShares]
}

test('an order shows its options, and the defaults if none were sent', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWithAsks(operator)
  const usual = await operator.buy(market, { price: 0.1 })
  const { timeInForce, postOnly, selfTradePrevention } = usual.order
  assert.deepEqual([timeInForce, postOnly, selfTradePrevention], ['GTC', false, 'NONE'])
  const asked = { postOnly: true, selfTradePrevention: 'CANCEL_OLDEST' }
  const { order } = await operator.buy(market, { price: 0.1, timeInForce: 'GTC', ...asked })
  const stored = await operator.get(`/orders/${order.id}`)
  assert.deepEqual(stored, order)
  assert.deepEqual([stored.postOnly, stored.selfTradePrevention], [true, 'CANCEL_OLDEST'])
  const none = { timeInForce: null, postOnly: null, selfTradePrevention: null }
  assert.equal((await operator.buy(market, { price: 0.1, ...none })).order.timeInForce, 'GTC')
})

test('IOC matches what it can and cancels the remainder, with 201', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWithAsks(operator)
  const body = orderBody(market, 'BUY', { price: 0.5, shares: 15, timeInForce: 'IOC' })
  const { status, body: first } = await operator.request('POST', '/orders', body)
  assert.equal(status, 201)
  assert.deepEqual(fateOf(first.data), ['CANCELLED', '10', '0'])
  assert.deepEqual(fateOf(await operator.post('/orders', body)), ['CANCELLED', '0', '0'])
  const cancels = await operator.events('&eventType=ORDER_CANCELLED')
  assert.deepEqual(
    cancels.map(({ payload }) => [payload.reason, payload.filledShares, payload.cancelledShares]),
    [
      ['IMMEDIATE', 10, 5],
      ['IMMEDIATE', 0, 15],
    ],
  )
})

test('FOK is filled in full or stored as REJECTED; a repetition gets the same answer', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWithAsks(operator)
  const asked = { price: 0.6, shares: 21, timeInForce: 'FOK', transactionId: 'all' }
  for (const _ of ['first', 'again']) {
    const refused = await operator.tryOrder(market, 'BUY', asked)
    assertRefused(refused, 'ORDER_NO_LIQUIDITY')
    const stored = await operator.get(`/orders/${refused.body.error.details.orderId}`)
    assert.deepEqual(fateOf(stored), ['REJECTED', '0', '0'])
  }
  assert.equal((await operator.get('/trades')).total, 0)
  const filled = await operator.buy(market, { ...asked, shares: 20, transactionId: 'some' })
  assert.deepEqual(fateOf(filled), ['FILLED', '20', '0'])
})

test('postOnly rests or is stored as REJECTED; a repetition gets the same answer', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWithAsks(operator)
  const asked = { price: 0.5, postOnly: true, transactionId: 'rest' }
  const ids: string[] = []
  for (const _ of ['first', 'again']) {
    const refused = await operator.tryOrder(market, 'BUY', asked)
    assertRefused(refused, 'ORDER_WOULD_MATCH')
    ids.push(refused.body.error.details.orderId)
  }
  assert.equal(ids[0], ids[1])
  assert.equal((await operator.get(`/orders/${ids[0]}`)).status, 'REJECTED')
  const placed = await operator.buy(market, { ...asked, price: 0.49, transactionId: 'below' })
  assert.deepEqual(fateOf(placed), ['PENDING', '0', '10'])
  const events = await operator.events('&eventType=ORDER_CANCELLED')
  assert.deepEqual(events, [], 'a REJECTED order emits ORDER_PLACED only')
})

test('options that do not fit the order are refused, and the message names them', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWithAsks(operator)
  for (const [asked, field] of [
    [{ type: 'MARKET', timeInForce: 'IOC' }, 'timeInForce'],
    [{ type: 'MARKET', timeInForce: 'GTC' }, 'timeInForce'],
    [{ timeInForce: 'DAY' }, 'timeInForce'],
    [{ postOnly: true, timeInForce: 'FOK' }, 'postOnly'],
    [{ postOnly: true, type: 'MARKET' }, 'postOnly'],
    [{ postOnly: 1 }, 'postOnly'],
    [{ selfTradePrevention: 'CANCEL_BOTH' }, 'selfTradePrevention'],
  ] as const) {
    assertRefused(await operator.tryOrder(market, 'BUY', asked), 'VALIDATION_ERROR', field)
    const body = orderBody(market, 'BUY', asked)
    assertRefused(
      await operator.request('POST', '/orders/preview', body),
      'VALIDATION_ERROR',
      field,
    )
  }
})

test('self-trade prevention cancels the newest or the oldest order, as requested', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWithAsks(operator)
  const { order: own } = await operator.sell(market, { player: 'bob', price: 0.4 })
  const newest = { player: 'bob', shares: 15, selfTradePrevention: 'CANCEL_NEWEST' }
  assert.deepEqual(fateOf(await operator.buy(market, newest)), ['CANCELLED', '0', '0'])
  assert.equal((await operator.get(`/orders/${own.id}`)).status, 'PENDING')
  const oldest = { ...newest, selfTradePrevention: 'CANCEL_OLDEST' }
  assert.deepEqual(fateOf(await operator.buy(market, oldest)), ['PARTIAL', '10', '5'])
  assert.equal((await operator.get(`/orders/${own.id}`)).status, 'CANCELLED')
  assert.equal((await operator.position(market, 'bob')).reservedShares, '0')
  const cancels = await operator.events('&eventType=ORDER_CANCELLED')
  const reasons = cancels.map(({ payload }) => [payload.reason, payload.orderId === own.id])
  assert.deepEqual(reasons, [
    ['SELF_TRADE', false],
    ['SELF_TRADE', true],
  ])
})

test('a transactionId with other options is a different request', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWithAsks(operator)
  const asked = { price: 0.1, transactionId: 'once', timeInForce: 'GTC' }
  await operator.buy(market, asked)
  const same = orderBody(market, 'BUY', { price: 0.1, transactionId: 'once', postOnly: false })
  assert.equal(
    (await operator.request('POST', '/orders', same)).status,
    200,
    'the usual, spelt out',
  )
  for (const change of [
    { timeInForce: 'IOC' },
    { postOnly: true },
    { selfTradePrevention: 'CANCEL_NEWEST' },
  ]) {
    const answer = await operator.tryOrder(market, 'BUY', { ...asked, ...change })
    assertRefused(answer, 'ORDER_DUPLICATE_TRANSACTION')
  }
})

test('options survive a restart', async () => {
  const dataDir = await newFolder()
  const first = await Service.start({ dataDir })
  let operator = await OperatorClient.create(first)
  const market = await operator.openMarket()
  const asked = { price: 0.2, postOnly: true, selfTradePrevention: 'CANCEL_OLDEST' }
  const { order } = await operator.buy(market, asked)
  await first.kill()
  const second = await Service.start({ dataDir })
  try {
    operator = new OperatorClient(second, operator)
    assert.deepEqual(await operator.get(`/orders/${order.id}`), order)
    const { status, postOnly } = await operator.cancel(order)
    assert.deepEqual([status, postOnly], ['CANCELLED', true])
  } finally {
    await second.stop()
  }
})

test('a preview shows what placing then does, and changes nothing', async () => {
  const operator = await OperatorClient.create(service, { feePercent: 1.5 })
  const market = await marketWithAsks(operator)
  const body = orderBody(market, 'BUY', { player: 'new', price: 0.55, shares: 12.5 })
  const before = await operator.events()
  const answer = await operator.request('POST', '/orders/preview', {
    ...body,
    transactionId: 'kept',
  })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body.data, {
    fills: [{ price: '0.5', shares: '10' }],
    filledShares: '10',
    avgFillPrice: '0.5',
    restingShares: '2.5',
    cost: '5',
    fee: '0.075',
    maxCost: '6.470625',
  })
  assert.deepEqual(await operator.events(), before)
  const placed = await operator.request('POST', '/orders', { ...body, transactionId: 'kept' })
  assert.equal(placed.status, 201, 'the transactionId is still free')
  assert.equal(placed.body.data.trades[0].buyerFee, '0.075')
})

test('a preview is refused as placing would be', async () => {
  const operator = await OperatorClient.create(service)
  const market = await marketWithAsks(operator)
  for (const [side, asked, code] of [
    ['BUY', { shares: 0.5 }, 'ORDER_INVALID_SHARES'],
    ['BUY', { price: 0.999 }, 'ORDER_INVALID_PRICE'],
    ['BUY', { marketId: crypto.randomUUID() }, 'MARKET_NOT_FOUND'],
    ['SELL', { player: 'nobody' }, 'POSITION_INSUFFICIENT_SHARES'],
    ['BUY', { type: 'MARKET', outcome: 1 }, 'ORDER_NO_LIQUIDITY'],
    ['BUY', { shares: 11, timeInForce: 'FOK' }, 'ORDER_NO_LIQUIDITY'],
    ['BUY', { postOnly: true }, 'ORDER_WOULD_MATCH'],
  ] as const) {
    const body = orderBody(market, side, asked)
    assertRefused(await operator.request('POST', '/orders/preview', body), code)
  }
  const { total } = await operator.get('/orders?status=REJECTED')
  assert.equal(total, 0, 'and leaves no order behind')
  await operator.suspend(market)
  const closed = await operator.request('POST', '/orders/preview', orderBody(market, 'BUY'))
  assertRefused(closed, 'MARKET_NOT_OPEN')
})

/** What an operator sees of a day of trading, without ids and times. */
async function dayOf(operator: OperatorClient, market: Json, options: object): Promise<unknown> {
  const answers: unknown[] = []
  await operator.mint(market, 'sam', 100)
  for (const [side, placing] of [
    ['SELL', { player: 'sam', price: 0.6 }],
    ['SELL', { player: 'sam', price: 0.55, shares: 5 }],
    ['BUY', { player: 'bob', price: 0.58, shares: 8 }],
    ['BUY', { player: 'cid', outcome: 1, price: 0.9 }],
    ['BUY', { player: 'sam', price: 0.6, shares: 4 }],
    ['BUY', { player: 'bob', type: 'MARKET', shares: 50 }],
    ['BUY', { player: 'bob', type: 'MARKET', shares: 1 }],
  ] as const) {
    const isLimit = !('type' in placing)
    const body = orderBody(market, side, { ...placing, ...(isLimit ? options : {}) })
    answers.push((await operator.request('POST', '/orders', body)).body)
  }
  answers.push(await operator.finish(market), await operator.events())
  return JSON.parse(
    JSON.stringify(answers, (key, value) =>
      /Id$|^id$|At$|^timestamp$/.test(key) && value !== null ? key : value,
    ),
  )
}

test('an order without options behaves as one with the defaults', async () => {
  const spelt = { timeInForce: 'GTC', postOnly: false, selfTradePrevention: 'NONE' }
  const [first, second] = [
    await OperatorClient.create(service),
    await OperatorClient.create(service),
  ]
  const plain = await dayOf(first, await first.openMarket(), {})
  const market = await second.openMarket({ completeSetMatching: false })
  assert.deepEqual(await dayOf(second, market, spelt), plain)
})
