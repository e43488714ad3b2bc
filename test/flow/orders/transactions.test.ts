// The transactionId as an idempotency key, over HTTP.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { newFolder, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

test('a repeated request returns 200 with the current order and changes nothing', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ ann: 20 })
  await operator.sell(market, { shares: 4 })
  const body = orderBody(market, 'BUY', { player: 'bob', transactionId: 't-1' })
  const first = await operator.request('POST', '/orders', body)
  assert.equal(first.status, 201)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  await operator.sell(market, { shares: 3 })
  const again = await operator.request('POST', '/orders', body)
  assert.equal(again.status, 200)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const { order, trades, status, filledShares, remainingShares } = again.body.data
  assert.equal(order.id, first.body.data.order.id)
  assert.equal(order.transactionId, 't-1')
  assert.deepEqual([status, filledShares, remainingShares], ['PARTIAL', '7', '3'])
  assert.deepEqual(trades, first.body.data.trades, 'the trades of its placement')
  assert.equal((await operator.get('/trades')).total, 2)
  assert.equal((await operator.get('/orders?playerId=bob')).total, 1)
})

test('twenty concurrent requests with one transactionId place one order', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const body = orderBody(market, 'BUY', { transactionId: 'same' })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => operator.request('POST', '/orders', body)),
  )
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [...Array(19).fill(200), 201])
  assert.equal(new Set(answers.map(({ body: { data } }) => data.order.id)).size, 1)
  assert.equal((await operator.get('/orders')).total, 1)
})

test('a used transactionId is refused for a different request, order or set', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const other = await operator.openMarket()
  const transactionId = 'once'
  const body = orderBody(market, 'BUY', { transactionId })
  await operator.post('/orders', body)
  for (const change of [
    { shares: 11 },
    { price: 0.51 },
    { playerId: 'bob' },
    { outcomeId: market.outcomes[1].id },
    { marketId: other.id, outcomeId: other.outcomes[0].id },
    { expiresAt: '2099-01-01T00:00:00Z' },
  ]) {
    const answer = await operator.request('POST', '/orders', { ...body, ...change })
    assertRefused(answer, 'ORDER_DUPLICATE_TRANSACTION')
  }
  const sets = { playerId: 'ann', shares: 10, transactionId }
  for (const action of ['mint', 'redeem']) {
    const answer = await operator.request('POST', `/markets/${market.id}/${action}`, sets)
    assertRefused(answer, 'ORDER_DUPLICATE_TRANSACTION')
  }
  await operator.mint(market, 'ann', 10, { transactionId: 'minted' })
  const order = { ...body, transactionId: 'minted' }
  assertRefused(await operator.request('POST', '/orders', order), 'ORDER_DUPLICATE_TRANSACTION')
})

test('two operators may use the same transactionId', async () => {
  for (const operator of [
    await OperatorClient.create(service),
    await OperatorClient.create(service),
  ]) {
    const market = await operator.openMarket()
    const answer = await operator.tryOrder(market, 'BUY', { transactionId: 'mine' })
    assert.equal(answer.status, 201)
  }
})

test('a refused request does not use its transactionId; a REJECTED order does', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const body = orderBody(market, 'SELL', { transactionId: 'r-1' })
  assertRefused(await operator.request('POST', '/orders', body), 'POSITION_INSUFFICIENT_SHARES')
  await operator.mint(market, 'ann', 10)
  assert.equal((await operator.request('POST', '/orders', body)).status, 201)

  const taker = orderBody(market, 'BUY', { outcome: 1, type: 'MARKET', transactionId: 'r-2' })
  const first = await operator.request('POST', '/orders', taker)
  assertRefused(first, 'ORDER_NO_LIQUIDITY')
  await operator.sell(market, { outcome: 1 })
  const again = await operator.request('POST', '/orders', taker)
  assertRefused(again, 'ORDER_NO_LIQUIDITY')
  assert.deepEqual(again.body.error.details, first.body.error.details)
  const marks = [first, again].map(({ headers }) => headers.get('idempotent-replayed'))
  assert.deepEqual(marks, [null, 'true'])
})

test('repeated mints and redemptions return 200 and are carried out once', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const body = { playerId: 'ann', shares: 5, transactionId: 'm' }
  const first = await operator.request('POST', `/markets/${market.id}/mint`, body)
  const again = await operator.request('POST', `/markets/${market.id}/mint`, body)
  assert.deepEqual([first.status, again.status], [201, 200])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body.data, first.body.data, 'also the order of its positions')
  assert.equal((await operator.position(market, 'ann')).shares, '5')
  const back = { ...body, transactionId: 'r' }
  for (const replayed of [null, 'true']) {
    const answer = await operator.request('POST', `/markets/${market.id}/redeem`, back)
    assert.deepEqual([answer.status, answer.headers.get('idempotent-replayed')], [200, replayed])
  }
  assert.equal((await operator.position(market, 'ann')).shares, '0')
})

test('transactionIds survive a kill, also of a market that has closed', async () => {
  const dataDir = await newFolder()
  const first = await Service.start({ dataDir })
  const operator = await OperatorClient.create(first)
  const market = await operator.openMarket()
  const body = orderBody(market, 'BUY', { transactionId: 'kept' })
  const { order } = await operator.post('/orders', body)
  await operator.act(market, 'close')
  await first.kill()
  const second = await Service.start({ dataDir })
  try {
    const again = await new OperatorClient(second, operator).request('POST', '/orders', body)
    assert.equal(again.status, 200)
    assert.deepEqual(again.body.data.order, order)
  } finally {
    await second.stop()
  }
})
