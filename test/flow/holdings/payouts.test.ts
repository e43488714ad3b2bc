// Resolving by payouts, over HTTP: a draw, a dead heat or a void pays fairly.

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

async function closed(house: OperatorClient): Promise<Json> {
  const market = await house.openMarket({
    outcomes: [{ name: 'Home' }, { name: 'Away' }, { name: 'Draw' }],
  })
  await house.mint(market, 'ann', 7.77)
  await house.act(market, 'close')
  return market
}

test('a market resolved by payouts shows them, has no winner, and settles by them', async () => {
  const house = await OperatorClient.create(service)
  const market = await closed(house)
  assert.equal(market.payouts, null)
  const [home, away, draw] = market.outcomes.map(({ id }: Json) => id)
  const payouts = [
    { outcomeId: draw, payoutPerShare: 0.1 + 0.2 },
    { outcomeId: home, payoutPerShare: 0.7 },
  ]
  const resolved = await house.act(market, 'resolve', { payouts, resolutionSource })
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
  assert.deepEqual((await house.market(market)).payouts, shown)
  const [told] = await house.events('&eventType=MARKET_RESOLVED')
  assert.equal(told!.payload.winningOutcomeId, null)
  assert.deepEqual(
    told!.payload.payouts,
    shown.map((each) => ({ ...each, payoutPerShare: Number(each.payoutPerShare) })),
  )
  const result = await house.act(market, 'settle')
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

test('a market resolved by a winner has no payouts to show', async () => {
  const house = await OperatorClient.create(service)
  const market = await closed(house)
  const resolved = await house.resolve(market)
  assert.equal(resolved.payouts, null)
  const [told] = await house.events('&eventType=MARKET_RESOLVED')
  assert.equal(told!.payload.payouts, null)
})

test('payouts that do not add up, or come with a winner, change nothing', async () => {
  const house = await OperatorClient.create(service)
  const market = await closed(house)
  const other = await house.createMarket()
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
    const answer = await house.ask('POST', `/markets/${market.id}/resolve`, sent)
    assertRefused(answer, 'VALIDATION_ERROR', field)
  }
  assert.equal((await house.market(market)).status, 'CLOSED')
})
