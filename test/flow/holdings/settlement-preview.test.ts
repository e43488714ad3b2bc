// Previews of settlements over HTTP: what is shown is what the settlement then pays.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

/** A shared market with shares of two operators, one position of which is empty. */
async function shared(owner: OperatorClient, guest: OperatorClient): Promise<Json> {
  const market = await owner.openMarket({ shared: true })
  await owner.mint(market, 'ann', 7.77)
  await guest.mint(market, 'gus', 100)
  await guest.sell(market, { player: 'gus', price: 0.3, shares: 40, outcome: 1 })
  await owner.buy(market, { player: 'bob', price: 0.3, shares: 40, outcome: 1 })
  await owner.sell(market, { player: 'bob', price: 0.2, shares: 40, outcome: 1 })
  await owner.buy(market, { player: 'cat', price: 0.2, shares: 40, outcome: 1 })
  return market
}

const preview = (operator: OperatorClient, { id }: Json, body: object = {}) =>
  operator.post(`/markets/${id}/settlement-preview`, body)

async function paidTo(operator: OperatorClient, { id }: Json): Promise<readonly [number, number]> {
  const settlements: Json[] = await operator.get(`/settlements?marketId=${id}`)
  const cents = settlements.map(({ totalPayout }) => Math.round(Number(totalPayout) * 1e6))
  return [settlements.length, cents.reduce((sum, each) => sum + each, 0) / 1e6]
}

for (const share of [1, 0.35]) {
  test(`shows what is then paid where Yes pays ${share}, by outcome and operator`, async () => {
    const owner = await OperatorClient.create(service)
    const guest = await OperatorClient.create(service)
    const market = await shared(owner, guest)
    const [yes, no] = market.outcomes.map(({ id }: Json) => id)
    const result =
      share === 1
        ? { winningOutcomeId: yes }
        : {
            payouts: [
              { outcomeId: yes, payoutPerShare: share },
              { outcomeId: no, payoutPerShare: 1 - share },
            ],
          }
    await owner.act(market, 'close')
    const before = await preview(owner, market, result)
    await owner.act(market, 'resolve', { ...result, resolutionSource: 'the news' })
    assert.deepEqual(await preview(owner, market), before)
    const other = await preview(owner, market, { winningOutcomeId: no })
    assert.deepEqual(
      other.payouts.map(({ payoutPerShare }: Json) => payoutPerShare),
      ['0', '1'],
    )
    const settled = await owner.act(market, 'settle')
    assert.deepEqual(
      [before.positions, before.totalPayout],
      [settled.totalPositions, settled.totalPayout],
    )
    assert.equal(before.totalPayout, '107.77')
    for (const operator of [owner, guest]) {
      const own = before.operators.find(({ operatorId }: Json) => operatorId === operator.id)
      assert.deepEqual([own.positions, Number(own.totalPayout)], await paidTo(operator, market))
      const ofOutcomes = own.outcomes.map(({ payout }: Json) => Math.round(Number(payout) * 1e6))
      assert.equal(
        ofOutcomes.reduce((sum: number, each: number) => sum + each, 0),
        Math.round(Number(own.totalPayout) * 1e6),
      )
    }
    assert.equal(before.operatorsTotal, 2)
    assert.equal(before.operators[0].operatorId, guest.id)
    assert.deepEqual(
      before.outcomes.map(({ shares }: Json) => shares),
      ['107.77', '107.77'],
    )
    assert.deepEqual(await preview(owner, market), before)
  })
}

test('is refused to guests, in a cancelled market, and without a valid result', async () => {
  const owner = await OperatorClient.create(service)
  const guest = await OperatorClient.create(service)
  const market = await shared(owner, guest)
  const [yes, no] = market.outcomes.map(({ id }: Json) => id)
  const path = `/markets/${market.id}/settlement-preview`
  assertRefused(await guest.request('POST', path, { winningOutcomeId: yes }), 'FORBIDDEN')
  const bad = async (body: object, field: string) =>
    assertRefused(await owner.request('POST', path, body), 'VALIDATION_ERROR', field)
  await bad({}, 'winningOutcomeId')
  await bad({ winningOutcomeId: market.id }, 'winningOutcomeId')
  const half = { outcomeId: yes, payoutPerShare: 0.5 }
  await bad({ payouts: [half] }, 'payouts')
  await bad({ payouts: [half, half] }, 'payouts')
  await bad({ payouts: [half, { ...half, outcomeId: market.id }] }, 'payouts')
  const split = [half, { ...half, outcomeId: no }]
  await bad({ payouts: split, winningOutcomeId: yes }, 'payouts')
  await bad({ payouts: [{ ...half, payoutPerShare: 0.00001 }] }, 'payouts[0].payoutPerShare')
  await bad({ winningOutcomeId: yes, resolutionSource: 'x' }, 'resolutionSource')
  await owner.act(market, 'cancel', { reason: 'a mistake' })
  const cancelled = await owner.request('POST', path, { winningOutcomeId: yes })
  assertRefused(cancelled, 'MARKET_INVALID_TRANSITION')
  const unseen = await owner.createMarket()
  const body = { winningOutcomeId: unseen.outcomes[0].id }
  const foreign = await guest.request('POST', `/markets/${unseen.id}/settlement-preview`, body)
  assertRefused(foreign, 'MARKET_NOT_FOUND')
  const { outcomes, operators, totalPayout } = await preview(owner, unseen, body)
  assert.deepEqual([outcomes, operators, totalPayout], [[], [], '0'])
})
