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

test('the same request again: 200, the order as it is now, and nothing happens twice', async () => {
  const house = await OperatorClient.create(service)
  const market = await house.marketWithHolders({ ann: 20 })
  await house.sell(market, { shares: 4 })
  const body = orderBody(market, 'BUY', { player: 'bob', transactionId: 't-1' })
  const first = await house.ask('POST', '/orders', body)
  assert.equal(first.status, 201)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  await house.sell(market, { shares: 3 })
  const again = await house.ask('POST', '/orders', body)
  assert.equal(again.status, 200)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const { order, trades, status, filledShares, remainingShares } = again.body.data
  assert.equal(order.id, first.body.data.order.id)
  assert.equal(order.transactionId, 't-1')
  assert.deepEqual([status, filledShares, remainingShares], ['PARTIAL', '7', '3'])
  assert.deepEqual(trades, first.body.data.trades, 'the trades of its placement')
  assert.equal((await house.get('/trades')).total, 2)
  assert.equal((await house.get('/orders?playerId=bob')).total, 1)
})

test('twenty at once make one order', async () => {
  const house = await OperatorClient.create(service)
  const market = await house.openMarket()
  const body = orderBody(market, 'BUY', { transactionId: 'same' })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => house.ask('POST', '/orders', body)),
  )
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [...Array(19).fill(200), 201])
  assert.equal(new Set(answers.map(({ body: { data } }) => data.order.id)).size, 1)
  assert.equal((await house.get('/orders')).total, 1)
})

test('a key with another request is refused; orders, mint and redeem share names', async () => {
  const house = await OperatorClient.create(service)
  const market = await house.openMarket()
  const other = await house.openMarket()
  const transactionId = 'once'
  const body = orderBody(market, 'BUY', { transactionId })
  await house.post('/orders', body)
  for (const change of [
    { shares: 11 },
    { price: 0.51 },
    { playerId: 'bob' },
    { outcomeId: market.outcomes[1].id },
    { marketId: other.id, outcomeId: other.outcomes[0].id },
    { expiresAt: '2099-01-01T00:00:00Z' },
  ]) {
    const answer = await house.ask('POST', '/orders', { ...body, ...change })
    assertRefused(answer, 'ORDER_DUPLICATE_TRANSACTION')
  }
  const sets = { playerId: 'ann', shares: 10, transactionId }
  for (const action of ['mint', 'redeem']) {
    const answer = await house.ask('POST', `/markets/${market.id}/${action}`, sets)
    assertRefused(answer, 'ORDER_DUPLICATE_TRANSACTION')
  }
  await house.mint(market, 'ann', 10, { transactionId: 'minted' })
  const order = { ...body, transactionId: 'minted' }
  assertRefused(await house.ask('POST', '/orders', order), 'ORDER_DUPLICATE_TRANSACTION')
})

test('each operator has keys of its own', async () => {
  for (const house of [
    await OperatorClient.create(service),
    await OperatorClient.create(service),
  ]) {
    const market = await house.openMarket()
    const answer = await house.tryOrder(market, 'BUY', { transactionId: 'mine' })
    assert.equal(answer.status, 201)
  }
})

test('a refused request leaves no key behind; a REJECTED order repeats its refusal', async () => {
  const house = await OperatorClient.create(service)
  const market = await house.openMarket()
  const body = orderBody(market, 'SELL', { transactionId: 'r-1' })
  assertRefused(await house.ask('POST', '/orders', body), 'POSITION_INSUFFICIENT_SHARES')
  await house.mint(market, 'ann', 10)
  assert.equal((await house.ask('POST', '/orders', body)).status, 201)

  const taker = orderBody(market, 'BUY', { outcome: 1, type: 'MARKET', transactionId: 'r-2' })
  const first = await house.ask('POST', '/orders', taker)
  assertRefused(first, 'ORDER_NO_LIQUIDITY')
  await house.sell(market, { outcome: 1 })
  const again = await house.ask('POST', '/orders', taker)
  assertRefused(again, 'ORDER_NO_LIQUIDITY')
  assert.deepEqual(again.body.error.details, first.body.error.details)
  const marks = [first, again].map(({ headers }) => headers.get('idempotent-replayed'))
  assert.deepEqual(marks, [null, 'true'])
})

test('minting and redeeming again: 200, once', async () => {
  const house = await OperatorClient.create(service)
  const market = await house.openMarket()
  const body = { playerId: 'ann', shares: 5, transactionId: 'm' }
  const first = await house.ask('POST', `/markets/${market.id}/mint`, body)
  const again = await house.ask('POST', `/markets/${market.id}/mint`, body)
  assert.deepEqual([first.status, again.status], [201, 200])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body.data, first.body.data, 'also the order of its positions')
  assert.equal((await house.position(market, 'ann')).shares, '5')
  const back = { ...body, transactionId: 'r' }
  for (const replayed of [null, 'true']) {
    const answer = await house.ask('POST', `/markets/${market.id}/redeem`, back)
    assert.deepEqual([answer.status, answer.headers.get('idempotent-replayed')], [200, replayed])
  }
  assert.equal((await house.position(market, 'ann')).shares, '0')
})

test('a killed service remembers its keys, also of a market that closed', async () => {
  const dataDir = await newFolder()
  const first = await Service.start({ dataDir })
  const house = await OperatorClient.create(first)
  const market = await house.openMarket()
  const body = orderBody(market, 'BUY', { transactionId: 'kept' })
  const { order } = await house.post('/orders', body)
  await house.act(market, 'close')
  await first.kill()
  const second = await Service.start({ dataDir })
  try {
    const again = await new OperatorClient(second, house).ask('POST', '/orders', body)
    assert.equal(again.status, 200)
    assert.deepEqual(again.body.data.order, order)
  } finally {
    await second.stop()
  }
})
