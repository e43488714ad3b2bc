// Brakes on players, operators and the whole exchange, over HTTP and over a restart.

import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, newFolder, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start({ env: { RATE_LIMIT_ORDERS: '0' } })
})
after(() => service.stop())

const open = { mode: 'OPEN' }
const halted = { mode: 'HALTED', reason: 'A reason' }
const reduceOnly = { mode: 'REDUCE_ONLY', reason: 'Too fast' }
const openPath = '/orders?status=PENDING,PARTIAL'

const status = async (of = service) => (await of.request('GET', '/api/v1/status')).body.data
const admin = async (method: string, path: string, body?: object, of = service) =>
  (await of.admin(method, path, body)).body.data

test('a HALTED player neither trades nor has open orders, and others go on', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ ann: 20, bob: 20 })
  const { order } = await operator.buy(market, { player: 'ann', price: 0.3, shares: 2 })
  await operator.sell(market, { player: 'ann', price: 0.8, shares: 2 })
  await operator.sell(market, { player: 'bob', price: 0.9, shares: 2 })
  const changed = await operator.put('/players/ann/controls', halted)
  assert.equal(changed.cancelled, 2)
  assert.deepEqual([changed.controls.playerId, changed.controls.mode], ['ann', 'HALTED'])
  assert.deepEqual(await operator.get('/players/ann/controls'), changed.controls)

  const details = { scope: 'PLAYER', mode: 'HALTED', reason: 'A reason', until: null }
  const place = (player: string, side: string) => {
    const outcomeId = market.outcomes[0].id
    const order = { marketId: market.id, outcomeId, playerId: player, side, type: 'LIMIT' }
    return operator.request('POST', '/orders', { ...order, shares: 1, price: 0.85 })
  }
  for (const refused of [
    await place('ann', 'BUY'),
    await place('ann', 'SELL'),
    await operator.request('POST', `/markets/${market.id}/mint`, { playerId: 'ann', shares: 1 }),
    await operator.request('POST', `/markets/${market.id}/redeem`, { playerId: 'ann', shares: 1 }),
  ]) {
    assertRefused(refused, 'TRADING_RESTRICTED')
    assert.deepEqual(refused.body.error.details, details)
  }
  assert.equal((await place('bob', 'SELL')).status, 201)
  assert.equal((await operator.get(`/orders/${order.id}`)).status, 'CANCELLED')
  const events = await operator.events()
  const about = events.filter(({ eventType }) => /CONTROLS|CANCELLED/.test(eventType))
  assert.deepEqual(
    about.map(({ eventType, marketId, payload }: Json) => [
      eventType,
      marketId === null,
      payload.reason,
    ]),
    [
      ['CONTROLS_CHANGED', true, 'A reason'],
      ['ORDER_CANCELLED', false, 'TRADING_RESTRICTED'],
      ['ORDER_CANCELLED', false, 'TRADING_RESTRICTED'],
    ],
  )
  const { timestamp, ...payload } = about[0].payload
  assert.deepEqual(payload, { ...details, playerId: 'ann', limits: null })
  assert.equal((await operator.put('/players/ann/controls', open)).cancelled, 0)
  assert.equal((await place('ann', 'BUY')).status, 201)
})

test('REDUCE_ONLY cancels BUY orders, and allows what reduces', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ ann: 20 })
  await operator.buy(market, { player: 'ann', price: 0.3, shares: 2 })
  const { order } = await operator.sell(market, { player: 'ann', price: 0.8, shares: 2 })
  const amend = (change: object) => operator.request('PATCH', `/orders/${order.id}`, change)
  assert.equal((await operator.put('/controls', reduceOnly)).cancelled, 1)
  assert.deepEqual(
    (await operator.get(openPath)).orders.map(({ id }: Json) => id),
    [order.id],
  )
  const sets = { playerId: 'ann', shares: 1 }
  const mint = await operator.request('POST', `/markets/${market.id}/mint`, sets)
  assertRefused(mint, 'TRADING_RESTRICTED')
  assert.equal(mint.body.error.details.scope, 'OPERATOR')
  assert.equal((await operator.request('POST', `/markets/${market.id}/redeem`, sets)).status, 200)
  assert.equal((await amend({ price: 0.9, shares: 4 })).status, 200)
  await operator.put('/controls', { ...reduceOnly, mode: 'HALTED', cancelOrders: false })
  assertRefused(await amend({ shares: 3 }), 'TRADING_RESTRICTED')
  assert.equal((await operator.get(openPath)).total, 1)
  await operator.cancel(order)
  const opened = await operator.put('/controls', { ...open, reason: 'Not kept' })
  assert.equal(opened.controls.reason, null)
})

test('under REDUCE_ONLY a BUY order may become smaller or cheaper, and nothing else', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const { order } = await operator.buy(market, { player: 'ann', price: 0.3, shares: 5 })
  await operator.put('/players/ann/controls', { ...reduceOnly, cancelOrders: false })
  const amend = (change: object) => operator.request('PATCH', `/orders/${order.id}`, change)
  assertRefused(await amend({ shares: 6 }), 'TRADING_RESTRICTED')
  assertRefused(await amend({ price: 0.31 }), 'TRADING_RESTRICTED')
  assert.equal((await amend({ shares: 4 })).status, 200)
  assert.equal((await amend({ price: 0.29 })).status, 200)
  assert.equal((await operator.put('/players/ann/controls', reduceOnly)).cancelled, 1)
})

test('the strictest brake wins, and the reason of the administrator is not shown', async () => {
  const operator = await OperatorClient.create(service)
  const other = await OperatorClient.create(service)
  const market = await operator.openMarket({ shared: true })
  const path = `/api/v1/admin/operators/${operator.id}/controls`
  await operator.buy(market, { player: 'ann', price: 0.3 })
  await operator.put('/controls', reduceOnly)
  const { controls } = await admin('PUT', path, halted)
  assert.deepEqual([controls.operatorId, controls.reason], [operator.id, 'A reason'])
  assert.deepEqual(await admin('GET', path), controls)
  assert.equal((await operator.get('/controls')).mode, 'REDUCE_ONLY')
  const body = { marketId: market.id, outcomeId: market.outcomes[0].id, playerId: 'ann' }
  const order = { ...body, side: 'BUY', type: 'LIMIT', shares: 1, price: 0.2 }
  const refused = await operator.request('POST', '/orders/preview', order)
  assertRefused(refused, 'TRADING_RESTRICTED')
  const { details } = refused.body.error
  assert.deepEqual(details, { scope: 'OPERATOR', mode: 'HALTED', reason: null, until: null })
  // The operator cannot lift it.
  await operator.put('/controls', open)
  assertRefused(await operator.request('POST', '/orders', order), 'TRADING_RESTRICTED')
  assert.equal((await other.request('POST', '/orders', order)).status, 201)
  await admin('PUT', path, open)
  assert.equal((await operator.request('POST', '/orders', order)).status, 201)
})

test('a brake on the exchange halts all, with events where it cancels orders', async () => {
  const busy = await OperatorClient.create(service)
  const idle = await OperatorClient.create(service)
  const market = await busy.openMarket({ shared: true })
  await busy.buy(market, { player: 'ann', price: 0.3 })
  await idle.delete('/orders?playerId=x')
  assert.equal((await status()).trading, true)
  const path = '/api/v1/admin/controls'
  const { cancelled, controls } = await admin('PUT', path, halted)
  assert.ok(cancelled >= 1)
  assert.deepEqual(await admin('GET', path), controls)
  const { since, ...about } = await status()
  assert.deepEqual(about, { trading: false, mode: 'HALTED', reason: 'A reason' })
  assert.equal(since, controls.updatedAt)
  const order = { marketId: market.id, outcomeId: market.outcomes[0].id, playerId: 'x' }
  const buy = { ...order, side: 'BUY', type: 'LIMIT', shares: 1, price: 0.2 }
  const refused = await idle.request('POST', '/orders', buy)
  assertRefused(refused, 'TRADING_RESTRICTED')
  const { scope, reason } = refused.body.error.details
  assert.deepEqual([scope, reason], ['EXCHANGE', null])
  await admin('PUT', path, { ...reduceOnly })
  assert.equal((await status()).trading, true)
  await admin('PUT', path, open)
  assert.equal((await idle.request('POST', '/orders', buy)).status, 201)
  const told = async (operator: OperatorClient) =>
    (await operator.events('&eventType=CONTROLS_CHANGED')).map(({ payload }) => payload.mode)
  assert.deepEqual(await told(busy), ['HALTED', 'REDUCE_ONLY', 'OPEN'])
  assert.deepEqual(await told(idle), [])
})

test('brakes hold after a restart, and open again when their time comes', async (t) => {
  const dataDir = await newFolder()
  const first = await Service.start({ dataDir })
  const { id, key } = await OperatorClient.create(first)
  const before = new OperatorClient(first, { id, key })
  const market = await before.openMarket()
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await before.put('/players/ann/controls', { ...halted, until })
  await before.put('/players/bob/controls', halted)
  await admin('PUT', '/api/v1/admin/controls', { ...reduceOnly, until }, first)
  await first.stop()

  const second = await Service.start({ dataDir })
  t.after(async () => {
    await second.stop()
    await rm(dataDir, { recursive: true })
  })
  const operator = new OperatorClient(second, { id, key })
  assert.equal((await operator.get('/players/ann/controls')).until, until)
  const order = { marketId: market.id, outcomeId: market.outcomes[0].id, side: 'BUY' }
  const place = (playerId: string) => {
    const rest = { playerId, type: 'LIMIT', shares: 1, price: 0.2 }
    return operator.request('POST', '/orders', { ...order, ...rest })
  }
  for (const [player, scope] of [
    ['ann', 'PLAYER'],
    ['bob', 'PLAYER'],
    ['cid', 'EXCHANGE'],
  ] as const) {
    const refused = await place(player)
    assertRefused(refused, 'TRADING_RESTRICTED')
    assert.equal(refused.body.error.details.scope, scope)
  }
  assert.equal((await status(second)).mode, 'REDUCE_ONLY')
  const soon = new Date(Date.now() + 5_000).toISOString()
  await operator.put('/players/bob/controls', { ...halted, until: soon })
  await admin('PUT', '/api/v1/admin/controls', { ...reduceOnly, until: soon }, second)
  for (const player of ['cid', 'bob']) {
    while ((await place(player)).status !== 201) await setTimeout(20)
  }
  const events = await operator.events('&eventType=CONTROLS_CHANGED')
  const bobs = events.filter(({ payload }) => payload.playerId === 'bob')
  assert.deepEqual(
    bobs.map(({ payload }) => payload.mode),
    ['HALTED', 'HALTED', 'OPEN'],
  )
  assert.equal((await operator.get('/players/bob/controls')).mode, 'OPEN')
  const { mode, since } = await status(second)
  assert.deepEqual([mode, since], ['OPEN', soon])
  assertRefused(await place('ann'), 'TRADING_RESTRICTED')
})

test('a malformed brake is refused, and changes nothing', async () => {
  const operator = await OperatorClient.create(service)
  const past = new Date(Date.now() - 1_000).toISOString()
  for (const [field, body] of [
    ['mode', { reason: 'x' }],
    ['mode', { mode: 'CLOSED', reason: 'x' }],
    ['reason', { mode: 'HALTED' }],
    ['reason', { mode: 'HALTED', reason: '' }],
    ['until', { ...halted, until: 'soon' }],
    ['until', { ...halted, until: past }],
    ['until', { ...open, until: new Date(Date.now() + 60_000).toISOString() }],
    ['cancelOrders', { ...halted, cancelOrders: 'yes' }],
  ] as const) {
    const refused = await operator.request('PUT', '/players/ann/controls', body)
    assertRefused(refused, 'VALIDATION_ERROR', field)
    const ofExchange = await service.admin('PUT', '/api/v1/admin/controls', body)
    assertRefused(ofExchange, 'VALIDATION_ERROR', field)
  }
  const long = `/players/${'x'.repeat(129)}/controls`
  assertRefused(await operator.request('PUT', long, halted), 'VALIDATION_ERROR', 'playerId')
  assert.equal((await operator.get('/players/ann/controls')).mode, 'OPEN')
  assert.equal((await status()).mode, 'OPEN')
  assert.deepEqual(await operator.events('&eventType=CONTROLS_CHANGED'), [])
})
