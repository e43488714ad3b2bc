// Limits of players over HTTP: what they refuse, what the defaults of an operator are, and how much
// of them is shown as used.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start({ env: { RATE_LIMIT_ORDERS: '0' } })
})
after(() => service.stop())

const none = { maxOrderCost: null, maxOutcomeShares: null, maxMarketCost: null }
const limit = (operator: OperatorClient, playerId: string, limits: object | null) =>
  operator.put(`/players/${playerId}/controls`, { mode: 'OPEN', limits })

function assertExceeded(refused: Json, details: object): void {
  assertRefused(refused, 'LIMIT_EXCEEDED')
  assert.deepEqual(refused.body.error.details, details)
}

test('each limit refuses one step more, and allows what just meets it', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const [yes, no] = market.outcomes.map(({ id }: Json) => id)
  const order = (outcomeId: string, shares: number, price: number) => ({
    marketId: market.id,
    outcomeId,
    playerId: 'ann',
    side: 'BUY',
    type: 'LIMIT',
    shares,
    price,
  })
  const place = (...terms: Parameters<typeof order>) =>
    operator.request('POST', '/orders', order(...terms))
  const amend = (id: string, change: object) => operator.request('PATCH', `/orders/${id}`, change)
  const mint = (shares: number) =>
    operator.request('POST', `/markets/${market.id}/mint`, { playerId: 'ann', shares })
  const changed = await limit(operator, 'ann', {
    maxOrderCost: 5,
    maxOutcomeShares: 20,
    maxMarketCost: 9.5,
  })
  const limits = { maxOrderCost: '5', maxOutcomeShares: '20', maxMarketCost: '9.5' }
  assert.deepEqual(changed.controls.limits, limits)
  assert.equal(changed.cancelled, 0)

  const dear = { limit: 'maxOrderCost', max: '5', would: '5.005' }
  assertExceeded(await place(yes, 10.01, 0.5), dear)
  const preview = (shares: number) =>
    operator.request('POST', '/orders/preview', order(yes, shares, 0.5))
  assertExceeded(await preview(10.01), dear)
  assert.equal((await preview(10)).status, 200)
  const placed = await place(yes, 10, 0.5)
  assert.equal(placed.status, 201)
  const { id } = placed.body.data.order

  const many = { limit: 'maxOutcomeShares', max: '20', would: '20.01' }
  assertExceeded(await place(yes, 10.01, 0.01), many)
  assertExceeded(await amend(id, { shares: 20.01, price: 0.2 }), many)
  assertExceeded(await mint(5.01), { limit: 'maxOrderCost', max: '5', would: '5.01' })
  assertExceeded(await mint(4.51), { limit: 'maxMarketCost', max: '9.5', would: '9.51' })
  assert.equal((await mint(4.5)).status, 201)

  const all = { limit: 'maxMarketCost', max: '9.5', would: '9.51' }
  assertExceeded(await place(no, 1, 0.01), all)
  assertExceeded(await amend(id, { price: 0.501 }), { ...dear, would: '5.01' })
  assert.equal((await amend(id, { shares: 10, price: 0.49 })).status, 200)
  assert.equal((await place(no, 10, 0.01)).status, 201)
  assertExceeded(await amend(id, { price: 0.4901 }), { ...all, would: '9.501' })
  assert.equal(
    (await operator.sell(market, { player: 'ann', shares: 4, price: 0.9 })).order.status,
    'PENDING',
  )

  const { usage, limitsInForce } = await operator.get('/players/ann/controls')
  assert.deepEqual(limitsInForce, limits)
  assert.deepEqual(usage, {
    markets: [
      {
        marketId: market.id,
        cost: '9.5',
        outcomes: [
          { outcomeId: yes, shares: '14.5' },
          { outcomeId: no, shares: '14.5' },
        ],
      },
    ],
  })
})

test('a batch sees the orders of the same batch', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  await limit(operator, 'ann', { maxOutcomeShares: 10 })
  const about = {
    marketId: market.id,
    outcomeId: market.outcomes[0].id,
    side: 'BUY',
    type: 'LIMIT',
  }
  const order = (playerId: string, shares: number) => ({ ...about, playerId, shares, price: 0.2 })
  const orders = [order('ann', 6), order('ann', 5), order('bob', 50), order('ann', 4)]
  const { results } = (await operator.request('POST', '/orders/batch', { orders })).body.data
  assert.deepEqual(
    results.map(({ error }: Json) => error?.code ?? null),
    [null, 'LIMIT_EXCEEDED', null, null],
  )
  assert.deepEqual(results[1].error.details, {
    limit: 'maxOutcomeShares',
    max: '10',
    would: '11',
  })
})

test('what a player does not say, its operator says for all of its players', async () => {
  const operator = await OperatorClient.create(service)
  const owner = await OperatorClient.create(service)
  const market = await owner.openMarket({ shared: true })
  const body = { marketId: market.id, outcomeId: market.outcomes[0].id, side: 'BUY', type: 'LIMIT' }
  const place = (of: OperatorClient, playerId: string, shares: number) =>
    of.request('POST', '/orders', { ...body, playerId, shares, price: 0.5 })
  const playerDefaults = { maxOrderCost: 5, maxOutcomeShares: 15 }
  const { controls } = await operator.put('/controls', { mode: 'OPEN', playerDefaults })
  const shown = { maxOrderCost: '5', maxOutcomeShares: '15', maxMarketCost: null }
  assert.deepEqual(controls.playerDefaults, shown)
  assert.deepEqual((await operator.get('/controls')).playerDefaults, shown)
  assert.equal((await owner.get('/controls')).playerDefaults, null)

  assertRefused(await place(operator, 'ann', 11), 'LIMIT_EXCEEDED')
  assert.equal((await place(owner, 'ann', 11)).status, 201, 'its owner has no limits')
  assert.deepEqual((await operator.get('/players/ann/controls')).limits, null)
  assert.deepEqual((await operator.get('/players/ann/controls')).limitsInForce, shown)

  const own = await limit(operator, 'ann', { maxOrderCost: null, maxMarketCost: 7 })
  assert.deepEqual(own.controls.limits, { maxOrderCost: null, maxMarketCost: '7' })
  assert.deepEqual(own.controls.limitsInForce, { ...shown, maxOrderCost: null, maxMarketCost: '7' })
  assert.equal((await place(operator, 'ann', 11)).status, 201)
  assertExceeded(await place(operator, 'ann', 3.01), {
    limit: 'maxMarketCost',
    max: '7',
    would: '7.005',
  })
  assertExceeded(await place(operator, 'ann', 4.01), {
    limit: 'maxOutcomeShares',
    max: '15',
    would: '15.01',
  })
  await operator.put('/controls', { mode: 'OPEN' })
  await limit(operator, 'ann', null)
  assert.deepEqual((await operator.get('/players/ann/controls')).limitsInForce, none)
  assert.equal((await place(operator, 'ann', 1_000)).status, 201)
})

test('a change of limits sends an event, and a mode that ends leaves the limits', async () => {
  const operator = await OperatorClient.create(service)
  await limit(operator, 'ann', { maxOrderCost: 0.5, maxMarketCost: null })
  await operator.put('/controls', { mode: 'OPEN', playerDefaults: { maxOutcomeShares: 1.25 } })
  const until = new Date(Date.now() + 400).toISOString()
  const halted = { mode: 'HALTED', reason: 'A reason', until, limits: { maxOrderCost: 3 } }
  await operator.put('/players/ann/controls', halted)
  let events: Json[] = []
  while (events.length < 4) events = await operator.events('&eventType=CONTROLS_CHANGED')
  assert.deepEqual(
    events.map(({ payload: { scope, mode, limits } }) => [scope, mode, limits]),
    [
      ['PLAYER', 'OPEN', { maxOrderCost: 0.5, maxMarketCost: null }],
      ['OPERATOR', 'OPEN', { ...none, maxOutcomeShares: 1.25 }],
      ['PLAYER', 'HALTED', { maxOrderCost: 3 }],
      ['PLAYER', 'OPEN', { maxOrderCost: 3 }],
    ],
  )
  const { limits, mode } = await operator.get('/players/ann/controls')
  assert.deepEqual([mode, limits], ['OPEN', { maxOrderCost: '3' }])
})

test('a limit that is 0 but for the rounding error of a float is 0', async () => {
  const operator = await OperatorClient.create(service)
  const { controls } = await limit(operator, 'ann', { maxOrderCost: 0.3 - 0.1 * 3 })
  assert.deepEqual(controls.limits, { maxOrderCost: '0' })
})

test('malformed limits are refused, and change nothing', async () => {
  const operator = await OperatorClient.create(service)
  for (const [field, limits] of [
    ['limits', 5],
    ['limits.maxOrderCost', { maxOrderCost: '5' }],
    ['limits.maxOrderCost', { maxOrderCost: -1 }],
    ['limits.maxOrderCost', { maxOrderCost: 0.0000005 }],
    ['limits.maxOutcomeShares', { maxOutcomeShares: 1.005 }],
    ['limits.maxMarketCost', { maxMarketCost: 1_000_000_000.01 }],
    ['limits.maxPrice', { maxPrice: 1 }],
  ] as const) {
    const refused = await operator.request('PUT', '/players/ann/controls', { mode: 'OPEN', limits })
    assertRefused(refused, 'VALIDATION_ERROR', field)
  }
  const onPlayer = { mode: 'OPEN', playerDefaults: { maxOrderCost: 5 } }
  const refused = await operator.request('PUT', '/players/ann/controls', onPlayer)
  assertRefused(refused, 'VALIDATION_ERROR', 'playerDefaults')
  assert.deepEqual((await operator.get('/players/ann/controls')).limits, null)
  assert.deepEqual(await operator.events('&eventType=CONTROLS_CHANGED'), [])
})
