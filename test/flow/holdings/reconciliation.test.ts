// The reconciliation of a market over HTTP: it balances unless a stored record is wrong.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { assertRefused, assertShape } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { reconciliationShape } from '../../support/http/shapes.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

function reconcile(operator: OperatorClient, { id }: Json): Promise<Json> {
  return operator.get(`/markets/${id}/reconciliation`)
}

async function busyMarket() {
  const owner = await OperatorClient.create(service, { feePercent: 1 })
  const participant = await OperatorClient.create(service, { feePercent: 0 })
  const market = await owner.marketWithHolders({ ann: 100 }, { shared: true })
  await participant.mint(market, 'gus', 20.5)
  await owner.post(`/markets/${market.id}/redeem`, { playerId: 'ann', shares: 10 })
  await owner.sell(market, { price: 0.4, shares: 30 })
  await participant.buy(market, { player: 'gus', price: 0.5, shares: 25 })
  return { owner, participant, market }
}

const ofOwner = { minted: '100', redeemed: '10', bought: '0', sold: '10', fees: '0.1' }
const ofParticipant = { minted: '20.5', redeemed: '0', bought: '10', sold: '0', fees: '0' }

test('sets, shares, the cash of each operator and payouts are added up', async () => {
  const { owner, participant, market } = await busyMarket()
  const found = await reconcile(owner, market)
  assertShape(found, reconciliationShape)
  const outcomes = (shares: string) =>
    market.outcomes.map(({ id }: Json) => ({ outcomeId: id, shares }))
  const operators = [
    { operatorId: owner.id, ...ofOwner },
    { operatorId: participant.id, ...ofParticipant },
  ]
  const sets = { setsMinted: '120.5', setsRedeemed: '10', outcomes: outcomes('110.5') }
  assert.deepEqual(found, { ...sets, operators, payouts: '0', balanced: true })
  await owner.finish(market)
  const settled = await reconcile(owner, market)
  assert.deepEqual(settled, { ...sets, operators, payouts: '110.5', balanced: true })
})

test('a market in which nothing happened balances', async () => {
  const owner = await OperatorClient.create(service)
  const market = await owner.createMarket({ outcomes: [{ name: 'a' }, { name: 'b' }] })
  const found = await reconcile(owner, market)
  const shares = found.outcomes.map((outcome: Json) => outcome.shares)
  assert.deepEqual([shares, found.operators, found.balanced], [['0', '0'], [], true])
})

test('only the owner may reconcile a market: participants get FORBIDDEN, others 404', async () => {
  const { participant, market } = await busyMarket()
  const outsider = await OperatorClient.create(service, { supportedCurrencies: ['EUR'] })
  const path = `/markets/${market.id}/reconciliation`
  assertRefused(await participant.request('GET', path), 'FORBIDDEN')
  assertRefused(await outsider.request('GET', path), 'MARKET_NOT_FOUND')
})

test('one wrong row of any kind makes the market unbalanced', async () => {
  for (const [wrong, right] of [
    ['UPDATE sets SET shares = shares + 1', 'UPDATE sets SET shares = shares - 1'],
    ['UPDATE positions SET shares = shares - 1', 'UPDATE positions SET shares = shares + 1'],
    ['UPDATE trades SET kind = 1', 'UPDATE trades SET kind = 0'],
    ['UPDATE settlements SET shares = shares + 1', 'UPDATE settlements SET shares = shares - 1'],
  ] as const) {
    const { owner, market } = await busyMarket()
    await owner.finish(market)
    plant(wrong)
    assert.equal((await reconcile(owner, market)).balanced, false, wrong)
    plant(right)
    assert.equal((await reconcile(owner, market)).balanced, true, right)
  }
})

// Changes the database of the running service; the market is the newest.
function plant(change: string): void {
  const database = new DatabaseSync(join(service.dataDir, 'outcry.db'), { timeout: 5_000 })
  try {
    const table = change.split(' ')[1]
    const paid = table === 'settlements' ? 'payout_per_share > 0 AND' : ''
    const { changes } = database
      .prepare(
        `${change} WHERE serial = (SELECT max(serial) FROM ${table}
         WHERE ${paid} market_serial = (SELECT max(serial) FROM markets))`,
      )
      .run()
    assert.equal(changes, 1)
  } finally {
    database.close()
  }
}
