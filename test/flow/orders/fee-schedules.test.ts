// Fee schedules over HTTP: what takers and makers pay, where a schedule is set and what it changes.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { type Json, newFolder, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

const quadratic = { model: 'QUADRATIC', takerPercent: 7, makerPercent: 0.5 }
const linear = { model: 'LINEAR', takerPercent: 3, makerPercent: 1 }
const shown = { model: 'QUADRATIC', takerPercent: '7', makerPercent: '0.5' }

function setFees(operator: OperatorClient, change: Json, at: Service = service) {
  return at.admin('PATCH', `/api/v1/admin/operators/${operator.id}`, change)
}

const feesOf = ({ trades: [trade] }: Json) => [trade.buyerFee, trade.sellerFee]

test("an operator's schedule has rates for takers and makers, until it is null", async () => {
  const operator = await OperatorClient.create(service, { feePercent: 2 })
  const market = await operator.marketWithHolders({ sam: 1_000 })
  await operator.sell(market, { player: 'sam', price: 0.6, shares: 300 })
  const buy = async () => feesOf(await operator.buy(market, { price: 0.6, shares: 100 }))
  await setFees(operator, { feeSchedule: quadratic })
  // 100 x 0.6 x 0.4 = 24, of which the taker pays 7 % and the maker 0.5 %.
  assert.deepEqual(await buy(), ['1.68', '0.12'])
  await setFees(operator, { feeSchedule: linear })
  assert.deepEqual(await buy(), ['1.8', '0.6'])
  await setFees(operator, { feeSchedule: null })
  assert.deepEqual(await buy(), ['1.2', '1.2'])
  const { trades } = await operator.get('/trades')
  const kept = trades.map(({ buyerFee }: Json) => buyerFee)
  assert.deepEqual(kept, ['1.2', '1.8', '1.68'], 'trades never change')
})

test('a QUADRATIC fee is rounded down for each trade, and a preview says the same', async () => {
  const operator = await OperatorClient.create(service)
  await setFees(operator, { feeSchedule: { ...quadratic, takerPercent: 0.01 } })
  const market = await operator.marketWithHolders({ sam: 100 })
  for (const player of ['sam', 'sam']) {
    await operator.sell(market, { player, price: 0.0333, shares: 1.03 })
  }
  const order = { player: 'bob', price: 0.0333, shares: 3 }
  const body = orderBody(market, 'BUY', order)
  const previewed = await operator.post('/orders/preview', body)
  // 1.03 x 0.0333 x 0.9667 x 0.0001 = 0.00000331568433
  const { trades } = await operator.buy(market, order)
  const fees = trades.map(({ buyerFee }: Json) => buyerFee)
  assert.deepEqual(fees, ['0.0000033156', '0.0000033156'])
  assert.equal(previewed.fee, '0.0000066312')
  // And the 0.94 left at the limit as a maker: 0.5 % of 0.94 x 0.0333 x 0.9667.
  assert.equal(previewed.maxCost, '0.1000579294')
})

test("a market's schedule is for its owner's own sides, and fixed once it is open", async () => {
  const operator = await OperatorClient.create(service, { feePercent: 2 })
  const guest = await OperatorClient.create(service, { feePercent: 1 })
  const created = await operator.createMarket({ shared: true, feeSchedule: linear })
  assert.deepEqual(created.feeSchedule, { ...linear, takerPercent: '3', makerPercent: '1' })
  const edited = await operator.patch(`/markets/${created.id}`, { feeSchedule: quadratic })
  assert.deepEqual(edited.feeSchedule, shown)
  assert.deepEqual((await operator.market(created)).feeSchedule, shown)
  await operator.post(`/markets/${created.id}/open`, {})
  const late = await operator.request('PATCH', `/markets/${created.id}`, { feeSchedule: null })
  assertRefused(late, 'MARKET_NOT_EDITABLE', 'fee schedule')
  await operator.mint(created, 'sam', 200)
  await operator.sell(created, { player: 'sam', price: 0.5, shares: 100 })
  assert.deepEqual(feesOf(await guest.buy(created, { price: 0.5, shares: 100 })), ['0.5', '0.125'])
  await guest.sell(created, { price: 0.5, shares: 100 })
  assert.deepEqual(feesOf(await operator.buy(created, { price: 0.5, shares: 100 })), [
    '1.75',
    '0.5',
  ])
})

test('the exposure counts what rests as a maker, by the fees of each market', async () => {
  const operator = await OperatorClient.create(service, { feePercent: 2 })
  await setFees(operator, { feeSchedule: linear })
  const usual = await operator.openMarket()
  const own = await operator.openMarket({ feeSchedule: quadratic })
  for (const market of [usual, own]) {
    await operator.buy(market, { player: 'bob', price: 0.2, shares: 100 })
  }
  const { currencies } = await operator.get('/players/bob/exposure')
  // 1 % of 20, and 0.5 % of 100 x 0.2 x 0.8.
  assert.deepEqual(currencies, [
    { currency: 'USD', openBuyCost: '40', openBuyFees: '0.28', positionsCost: '0' },
  ])
})

test('the exposure rounds the QUADRATIC fee of each order down, as its preview does', async () => {
  const operator = await OperatorClient.create(service)
  await setFees(operator, { feeSchedule: { ...quadratic, makerPercent: 0.03 } })
  const market = await operator.openMarket()
  const maxCosts: string[] = []
  for (const [price, shares] of [
    [0.3333, 1.07],
    [0.3333, 1.07],
    [0.3333, 101.07],
    [0.1117, 3.01],
  ]) {
    const order = { player: 'bob', price: price!, shares: shares! }
    const { maxCost } = await operator.post('/orders/preview', orderBody(market, 'BUY', order))
    maxCosts.push(maxCost)
    await operator.buy(market, order)
  }
  // Each is shares x price x (1 + 0.0003 x (1 - price)), its fee rounded down.
  const expected = ['0.3567023297', '0.3567023297', '33.693368663', '0.3363065984']
  assert.deepEqual(maxCosts, expected)
  const { currencies } = await operator.get('/players/bob/exposure')
  const [{ openBuyCost, openBuyFees }] = currencies
  assert.deepEqual([openBuyCost, openBuyFees], ['34.73611', '0.0069699208'])
})

test('a schedule that is none is refused, and the fault is named', async () => {
  const operator = await OperatorClient.create(service)
  const refused: [Json, string][] = [
    [{ ...quadratic, model: 'CUBIC' }, 'model'],
    [{ ...quadratic, takerPercent: 100.01 }, 'takerPercent'],
    [{ ...quadratic, takerPercent: -0.01 }, 'takerPercent'],
    [{ ...quadratic, makerPercent: 0.001 }, 'makerPercent'],
    [{ model: 'LINEAR', takerPercent: 1 }, 'makerPercent'],
    [{ ...quadratic, issuerPercent: 1 }, 'issuerPercent'],
  ]
  for (const [feeSchedule, named] of refused) {
    const market = await operator.request('POST', '/markets', { title: 'x', feeSchedule })
    assertRefused(market, 'VALIDATION_ERROR', named)
    const path = `/api/v1/admin/operators/${operator.id}`
    const edited = await service.admin('PATCH', path, { feeSchedule })
    assertRefused(edited, 'VALIDATION_ERROR', named)
  }
  const accepted = { model: 'LINEAR', takerPercent: 100, makerPercent: 0.01 }
  const { feeSchedule } = await operator.createMarket({ feeSchedule: accepted })
  assert.deepEqual(feeSchedule, { model: 'LINEAR', takerPercent: '100', makerPercent: '0.01' })
})

test('schedules survive a kill', async () => {
  const dataDir = await newFolder()
  const first = await Service.start({ dataDir })
  const operator = await OperatorClient.create(first)
  await setFees(operator, { feeSchedule: linear }, first)
  const usual = await operator.marketWithHolders({ sam: 100 })
  const own = await operator.marketWithHolders({ sam: 100 }, { feeSchedule: quadratic })
  await first.kill()
  const second = await Service.start({ dataDir })
  const again = new OperatorClient(second, operator)
  try {
    for (const [market, fees] of [
      [usual, ['0.15', '0.05']],
      [own, ['0.175', '0.0125']],
    ] as const) {
      await again.sell(market, { player: 'sam', price: 0.5, shares: 10 })
      assert.deepEqual(feesOf(await again.buy(market, { price: 0.5, shares: 10 })), fees)
    }
  } finally {
    await second.stop()
  }
})
