// Resolving by payouts over HTTP: a draw, a dead heat or a void market.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused, assertShape } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { marketShape } from '../../support/http/shapes.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

const resolutionSource = 'the referee'

async function closed(operator: OperatorClient): Promise<Json> {
  const market = await operator.openMarket({
    outcomes: [{ name: 'Home' }, { name: 'Away' }, { name: 'Draw' }],
  })
  await operator.mint(market, 'ann', 7.77)
  await operator.act(market, 'close')
  return market
}

test('a market resolved by payouts shows them, has no winner, and settles by them', async () => {
  const operator = await OperatorClient.create(service)
  const market = await closed(operator)
  assert.equal(market.payouts, null)
  const [home, away, draw] = market.outcomes.map(({ id }: Json) => id)
  const payouts = [
    { outcomeId: draw, payoutPerShare: 0.1 + 0.2 },
    { outcomeId: home, payoutPerShare: 0.7 },
    { outcomeId: away, payoutPerShare: 1 - 0.9 - 0.1 },
  ]
  const resolved = await operator.act(market, 'resolve', { payouts, resolutionSource })
  assertShape(resolved, marketShape)
  assert.deepEqual(
    [resolved.status, resolved.winningOutcomeId, resolved.resolutionSource],
    ['RESOLVED', null, resolutionSource],
  )
  const shown = [
    { outcomeId: home, payoutPerShare: '0.7' },
    { outcomeId: away, payoutPerShare: '0' },
    { outcomeId: draw, payoutPerShare: '0.3' },
  ]
  assert.deepEqual(resolved.payouts, shown)
  assert.deepEqual((await operator.market(market)).payouts, shown)
  const [event] = await operator.events('&eventType=MARKET_RESOLVED')
  assert.equal(event!.payload.winningOutcomeId, null)
  assert.deepEqual(
    event!.payload.payouts,
    shown.map((each) => ({ ...each, payoutPerShare: Number(each.payoutPerShare) })),
  )
  const result = await operator.act(market, 'settle')
  assert.equal(result.totalPayout, '7.77')
  assert.deepEqual(
    result.settlements.map((each: Json) => [each.payoutPerShare, each.totalPayout]),
    [
      ['0.7', '5.439'],
      ['0', '0'],
      ['0.3', '2.331'],
    ],
  )
})

test('a market resolved by a winner shows no payouts', async () => {
  const operator = await OperatorClient.create(service)
  const market = await closed(operator)
  const resolved = await operator.resolve(market)
  assert.equal(resolved.payouts, null)
  const [event] = await operator.events('&eventType=MARKET_RESOLVED')
  assert.equal(event!.payload.payouts, null)
})

test('payouts that do not add up, or are sent with a winner, are refused', async () => {
  const operator = await OperatorClient.create(service)
  const market = await closed(operator)
  const other = await operator.createMarket()
  const [home, away] = market.outcomes.map(({ id }: Json) => id)
  const pay = (outcomeId: string, payoutPerShare: unknown) => ({ outcomeId, payoutPerShare })
  const half = pay(home, 0.5)
  for (const [field, body] of [
    ['payouts', { payouts: [pay(home, 1)], winningOutcomeId: home }],
    ['winningOutcomeId', {}],
    ['winningOutcomeId', { payouts: null }],
    ['payouts', { payouts: [] }],
    ['payouts', { payouts: [half] }],
    ['payouts', { payouts: [half, pay(away, 0.5001)] }],
    ['payouts', { payouts: [half, half] }],
    ['payouts', { payouts: [half, pay(other.outcomes[0].id, 0.5)] }],
    ['payouts', { payouts: [half, pay(crypto.randomUUID(), 0.5)] }],
    ['payouts', { payouts: [half, pay('away', 0.5)] }],
    ['payouts', { payouts: [pay(home, 0.50005), pay(away, 0.49995)] }],
    ['payouts', { payouts: [pay(home, 1.5), pay(away, -0.5)] }],
    ['payouts', { payouts: [pay(home, '1')] }],
    ['payouts', { payouts: [{ ...half, note: 'x' }, pay(away, 0.5)] }],
    ['payouts', { payouts: { [home]: 1 } }],
  ] as const) {
    const sent = { ...body, resolutionSource }
    const answer = await operator.request('POST', `/markets/${market.id}/resolve`, sent)
    assertRefused(answer, 'VALIDATION_ERROR', field)
  }
  assert.equal((await operator.market(market)).status, 'CLOSED')
})
