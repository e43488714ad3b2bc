// The lifecycle of a market over HTTP: every action in every status.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused, timeForm } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

const later = '2099-01-01T00:00:00.000Z'

type Bring = (operator: OperatorClient) => Promise<Json>

const bringTo: Readonly<Record<string, Bring>> = {
  DRAFT: (operator) => operator.createMarket(),
  UPCOMING: (operator) => operator.openMarket({ tradingStartsAt: later }),
  OPEN: (operator) => operator.openMarket(),
  SUSPENDED: async (operator) => operator.suspend(await operator.openMarket()),
  CLOSED: async (operator) => operator.act(await operator.openMarket(), 'close'),
  RESOLVED: async (operator) => operator.resolve(await bringTo.CLOSED!(operator)),
  SETTLED: async (operator) => {
    const market = await operator.openMarket()
    await operator.finish(market)
    return operator.market(market)
  },
  CANCELLED: async (operator) =>
    operator.act(await operator.openMarket(), 'cancel', { reason: 'void' }),
}

/** Whatever is not in it is refused. */
const valid: Readonly<Record<string, string>> = {
  'DRAFT open': 'OPEN',
  'OPEN suspend': 'SUSPENDED',
  'SUSPENDED resume': 'OPEN',
  'OPEN close': 'CLOSED',
  'SUSPENDED close': 'CLOSED',
  'CLOSED resolve': 'RESOLVED',
  'RESOLVED settle': 'SETTLED',
  'DRAFT cancel': 'CANCELLED',
  'UPCOMING cancel': 'CANCELLED',
  'OPEN cancel': 'CANCELLED',
  'SUSPENDED cancel': 'CANCELLED',
  'CLOSED cancel': 'CANCELLED',
}

const bodies: Readonly<Record<string, (market: Json) => object | undefined>> = {
  open: () => undefined,
  suspend: () => ({ reason: 'pause' }),
  resume: () => undefined,
  close: () => undefined,
  resolve: (market) => ({ winningOutcomeId: market.outcomes[1].id, resolutionSource: 'tv' }),
  settle: () => undefined,
  cancel: () => ({ reason: 'void' }),
}

for (const [status, bring] of Object.entries(bringTo)) {
  test(`a market that is ${status} accepts the actions of the table and no others`, async () => {
    const operator = await OperatorClient.create(service)
    for (const [action, bodyFor] of Object.entries(bodies)) {
      const market = await bring(operator)
      assert.equal(market.status, status)
      const answer = await operator.request(
        'POST',
        `/markets/${market.id}/${action}`,
        bodyFor(market),
      )
      const next = valid[`${status} ${action}`]
      if (next === undefined) {
        const isDone = status === 'SETTLED' && action === 'settle'
        assertRefused(answer, isDone ? 'SETTLEMENT_ALREADY_COMPLETED' : 'MARKET_INVALID_TRANSITION')
        assert.deepEqual(await operator.market(market), market)
        continue
      }
      assert.equal(answer.status, 200, `${status} ${action}`)
      assert.equal((await operator.market(market)).status, next)
      if (action !== 'settle') assert.deepEqual(answer.body.data, await operator.market(market))
    }
  })
}

test('an action without a body accepts none, an empty one or {}, and no other', async () => {
  const operator = await OperatorClient.create(service)
  const { id } = await operator.createMarket()
  const json = { 'content-type': 'application/json' }
  assertRefused(
    await operator.request('POST', `/markets/${id}/open`, { now: true }),
    'VALIDATION_ERROR',
  )
  assertRefused(await operator.request('POST', `/markets/${id}/open`, '[]'), 'VALIDATION_ERROR')
  assert.equal((await operator.request('POST', `/markets/${id}/open`, {})).status, 200)
  await operator.suspend({ id })
  const empty = await operator.request('POST', `/markets/${id}/resume`, '', { headers: json })
  assert.equal(empty.status, 200)
  assert.equal((await operator.request('POST', `/markets/${id}/close`)).status, 200)
})

test('suspending and cancelling need a reason', async () => {
  const operator = await OperatorClient.create(service)
  const { id } = await operator.openMarket()
  for (const action of ['suspend', 'cancel']) {
    for (const body of [undefined, {}, { reason: '' }, { reason: 5 }, { reason: null }]) {
      const answer = await operator.request('POST', `/markets/${id}/${action}`, body)
      assertRefused(answer, 'VALIDATION_ERROR', 'reason')
    }
  }
  assert.equal((await operator.market({ id })).status, 'OPEN')
})

test('resolving records the winner, the source, the notes and the time', async () => {
  const operator = await OperatorClient.create(service)
  const market = await bringTo.CLOSED!(operator)
  const winningOutcomeId = market.outcomes[1].id
  const body = { winningOutcomeId, resolutionSource: 'https://tv', resolutionNotes: 'by a head' }
  const resolved = await operator.act(market, 'resolve', body)
  for (const [field, value] of Object.entries(body)) assert.equal(resolved[field], value)
  assert.equal(resolved.status, 'RESOLVED')
  assert.match(resolved.resolvedAt, timeForm)
})

test('resolving needs an outcome of the market and a source', async () => {
  const operator = await OperatorClient.create(service)
  const market = await bringTo.CLOSED!(operator)
  const other = await operator.createMarket()
  const resolutionSource = 'tv'
  const winningOutcomeId = market.outcomes[0].id
  for (const [field, body] of [
    ['winningOutcomeId', { winningOutcomeId: other.outcomes[0].id, resolutionSource }],
    ['winningOutcomeId', { winningOutcomeId: crypto.randomUUID(), resolutionSource }],
    ['winningOutcomeId', { winningOutcomeId: 'Yes', resolutionSource }],
    ['winningOutcomeId', { resolutionSource }],
    ['resolutionSource', { winningOutcomeId }],
    ['resolutionSource', { winningOutcomeId, resolutionSource: '' }],
    ['resolutionNotes', { winningOutcomeId, resolutionSource, resolutionNotes: 1 }],
  ] as const) {
    const answer = await operator.request('POST', `/markets/${market.id}/resolve`, body)
    assertRefused(answer, 'VALIDATION_ERROR', field)
  }
  assert.equal((await operator.market(market)).status, 'CLOSED')
})

test('cancelling a market cancels its open orders and keeps positions', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ ann: 10 })
  const bid = await operator.buy(market, { player: 'bob', price: 0.3 })
  const ask = await operator.sell(market, { player: 'ann', price: 0.7 })
  await operator.act(market, 'cancel', { reason: 'rain' })
  for (const { order } of [bid, ask]) {
    const now = await operator.get(`/orders/${order.id}`)
    assert.deepEqual([now.status, now.remainingShares], ['CANCELLED', '0'])
  }
  assert.equal((await operator.position(market, 'ann')).shares, '10')
  assert.equal((await operator.position(market, 'ann')).reservedShares, '0')
  assert.deepEqual(await operator.get(`/settlements?marketId=${market.id}`), [])
  const book = await operator.book(market)
  assert.deepEqual([book.bids, book.asks], [[], []])
})

test('an unknown market is not found, for every action and form of id', async () => {
  const operator = await OperatorClient.create(service)
  const { outcomes } = await operator.createMarket()
  for (const id of [crypto.randomUUID(), 'nothing', '1', '%F0%9F', "1'--", 'a'.repeat(300)]) {
    for (const [action, bodyFor] of Object.entries(bodies)) {
      const answer = await operator.request(
        'POST',
        `/markets/${id}/${action}`,
        bodyFor({ outcomes }),
      )
      assertRefused(answer, id === '%F0%9F' ? 'NOT_FOUND' : 'MARKET_NOT_FOUND')
    }
  }
})
