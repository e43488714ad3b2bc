// The exposure of a player over HTTP: exactly what its operator must keep locked.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertShape } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { exposureShape } from '../../support/http/shapes.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

const nothing = { currencies: [], openOrders: 0, positions: 0 }

function exposureOf(operator: OperatorClient, playerId: string): Promise<Json> {
  return operator.get(`/players/${encodeURIComponent(playerId)}/exposure`)
}

test('open BUY orders count at their limit prices, with fees at the current rate', async () => {
  const operator = await OperatorClient.create(service, { feePercent: 1.5 })
  const market = await operator.marketWithHolders({ ann: 100 })
  await operator.sell(market, { price: 0.4, shares: 4 })
  const { order } = await operator.buy(market, { player: 'bob', price: 0.5, shares: 10 })
  await operator.buy(market, { player: 'bob', price: 0.25, shares: 2.5, outcome: 1 })
  const exposure = await exposureOf(operator, 'bob')
  assertShape(exposure, exposureShape)
  // 6 left at 0.5 and 2.5 at 0.25; the 4 were got at 0.4.
  const usd = { currency: 'USD', openBuyCost: '3.625', positionsCost: '1.6' }
  const counts = { openOrders: 2, positions: 1 }
  const expected = { ...usd, openBuyFees: '0.054375' }
  assert.deepEqual(exposure, { playerId: 'bob', currencies: [expected], ...counts })
  await service.admin('PATCH', `/api/v1/admin/operators/${operator.id}`, { feePercent: null })
  const { currencies } = await exposureOf(operator, 'bob')
  assert.deepEqual(currencies, [{ ...usd, openBuyFees: '0.0725' }])
  await operator.cancel(order)
  const after = await exposureOf(operator, 'bob')
  assert.deepEqual([after.currencies[0].openBuyCost, after.openOrders], ['0.625', 1])
})

test('a player with an id of the maximum length is found', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const player = '\u{1f3b2}'.repeat(128)
  await operator.mint(market, player, 3)
  const { positions, currencies } = await exposureOf(operator, player)
  assert.deepEqual([positions, currencies[0].positionsCost], [2, '3'])
})

test('a SELL locks no money, and a position without shares is not counted', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ ann: 10 })
  await operator.sell(market, { price: 0.6, shares: 10 })
  const offered = await exposureOf(operator, 'ann')
  const usd = { currency: 'USD', openBuyCost: '0', openBuyFees: '0' }
  assert.deepEqual(offered.currencies, [{ ...usd, positionsCost: '10' }])
  assert.deepEqual([offered.openOrders, offered.positions], [1, 2])
  await operator.buy(market, { player: 'bob', price: 0.6, shares: 10 })
  const sold = await exposureOf(operator, 'ann')
  assert.deepEqual(sold.currencies, [{ ...usd, positionsCost: '5' }])
  assert.deepEqual([sold.openOrders, sold.positions], [0, 1])
})

test('currencies are separate; a market that has ended locks nothing', async () => {
  const operator = await OperatorClient.create(service, { supportedCurrencies: ['USD', 'EUR'] })
  const [usd, eur] = [await operator.openMarket(), await operator.openMarket({ currency: 'EUR' })]
  await operator.mint(usd, 'ann', 5)
  await operator.mint(eur, 'ann', 7)
  await operator.buy(eur, { price: 0.1, shares: 10 })
  const { currencies, positions } = await exposureOf(operator, 'ann')
  const costs = currencies.map((each: Json) => [
    each.currency,
    each.openBuyCost,
    each.positionsCost,
  ])
  assert.deepEqual(costs, [
    ['EUR', '1', '7'],
    ['USD', '0', '5'],
  ])
  assert.equal(positions, 4)
  await operator.finish(usd)
  await operator.act(eur, 'cancel', { reason: 'x' })
  assert.deepEqual(await exposureOf(operator, 'ann'), { playerId: 'ann', ...nothing })
})

test('players of the same name of two operators are different players', async () => {
  const [operator, other] = [
    await OperatorClient.create(service),
    await OperatorClient.create(service),
  ]
  await operator.mint(await operator.openMarket(), 'ann', 10)
  assert.deepEqual(await exposureOf(other, 'ann'), { playerId: 'ann', ...nothing })
})

test('any text is accepted as a player without exposure', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  await operator.mint(market, 'a/b ü', 10)
  assert.equal((await exposureOf(operator, 'a/b ü')).positions, 2)
  for (const playerId of ['nobody', 'x'.repeat(300), 'a\u0000b', '%']) {
    assert.deepEqual(await exposureOf(operator, playerId), { playerId, ...nothing })
  }
})
