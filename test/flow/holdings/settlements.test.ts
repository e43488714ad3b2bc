// Settling, acknowledging and retrying, over HTTP.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused, assertShape } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import {
  settlementShape,
  settlementSummaryShape,
  settleResultShape,
} from '../../support/http/shapes.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

/** Bob holds 4 of Yes, sam 6 of Yes and 10 of No, cat none; one order is open. */
async function traded(operator: OperatorClient): Promise<Json> {
  const market = await operator.marketWithHolders({ sam: 10 })
  await operator.sell(market, { player: 'sam', shares: 6 })
  await operator.buy(market, { player: 'bob', shares: 4 })
  await operator.buy(market, { player: 'cat', shares: 1 })
  await operator.buy(market, { player: 'sam', shares: 1 })
  await operator.buy(market, { player: 'sam', shares: 1, price: 0.4 })
  await operator.sell(market, { player: 'cat', shares: 1, price: 0.4 })
  await operator.buy(market, { player: 'dan', shares: 3, price: 0.1 })
  return market
}

test('settling cancels open orders, pays winning shares, and records every position', async () => {
  const operator = await OperatorClient.create(service)
  const market = await traded(operator)
  const before = await operator.get(`/markets/${market.id}/settlement-status`)
  assertShape(before, settlementSummaryShape)
  assert.deepEqual([before.totalPositions, before.pendingCount], [4, 4])
  const result = await operator.finish(market)
  assertShape(result, settleResultShape)
  const { totalPositions, successCount, failedCount, totalPayout, cancelledOrders } = result
  assert.deepEqual([totalPositions, successCount, failedCount], [4, 4, 0])
  assert.deepEqual([totalPayout, cancelledOrders, result.errors], ['10', 1, []])
  assert.equal(result.marketId, market.id)
  const paid = result.settlements.map((each: Json) => {
    assertShape(each, settlementShape)
    assert.deepEqual(
      [each.status, each.errorMessage, each.transactionId],
      ['COMPLETED', null, null],
    )
    assert.ok(each.settledAt)
    const isYes = each.outcomeId === market.outcomes[0].id
    return `${each.playerId} ${isYes} ${each.shares} ${each.payoutPerShare} ${each.totalPayout}`
  })
  assert.deepEqual(paid.sort(), [
    'bob true 4 1 4',
    'cat true 0 1 0',
    'sam false 10 0 0',
    'sam true 6 1 6',
  ])
  assert.equal((await operator.market(market)).status, 'SETTLED')
  const dan = await operator.get('/orders?playerId=dan')
  assert.deepEqual([dan.orders[0].status, dan.orders[0].remainingShares], ['CANCELLED', '0'])
  const after = await operator.get(`/markets/${market.id}/settlement-status`)
  const { pendingCount, completedCount, completedPayout } = after
  assert.deepEqual([pendingCount, completedCount, completedPayout], [0, 4, '10'])
  assert.equal(after.totalPayout, '10')
})

test('settlements name their position, and are listed with filters or in pages', async () => {
  const operator = await OperatorClient.create(service)
  const market = await traded(operator)
  const { settlements } = await operator.finish(market, 1)
  const positions = await operator.get('/positions')
  assert.deepEqual(
    settlements.map(({ positionId }: Json) => positionId).sort(),
    positions.map(({ id }: Json) => id).sort(),
  )
  const newestFirst = settlements.toReversed()
  assert.deepEqual(await operator.get(`/settlements?marketId=${market.id}`), newestFirst)
  assert.equal((await operator.get('/settlements?playerId=sam')).length, 2)
  const page = await operator.get('/settlements?limit=3')
  assert.deepEqual([page.settlements.length, page.total, page.hasMore], [3, 4, true])
  const rest = await operator.get(`/settlements?limit=3&cursor=${page.nextCursor}`)
  assert.deepEqual([...page.settlements, ...rest.settlements], newestFirst)
  assert.deepEqual([rest.hasMore, rest.nextCursor], [false, null])
})

test('a second settle is SETTLEMENT_ALREADY_COMPLETED and changes nothing', async () => {
  const operator = await OperatorClient.create(service)
  const market = await traded(operator)
  const { settlements } = await operator.finish(market)
  const again = await operator.request('POST', `/markets/${market.id}/settle`)
  assertRefused(again, 'SETTLEMENT_ALREADY_COMPLETED')
  assert.deepEqual(await operator.get('/settlements'), settlements.toReversed())
})

test('of two concurrent settles one succeeds', async () => {
  const operator = await OperatorClient.create(service)
  const market = await traded(operator)
  await operator.act(market, 'close')
  await operator.resolve(market)
  const path = `/markets/${market.id}/settle`
  const answers = await Promise.all([
    operator.request('POST', path),
    operator.request('POST', path),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  assert.equal((await operator.get('/settlements')).length, 4)
})

test('a market without positions settles without records', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const { totalPositions, totalPayout, settlements } = await operator.finish(market)
  assert.deepEqual([totalPositions, totalPayout, settlements], [0, '0', []])
  const summary = await operator.get(`/markets/${market.id}/settlement-status`)
  assert.deepEqual([summary.totalPositions, summary.totalPayout], [0, '0'])
})

test('an operator acknowledges payouts, and retries failed ones', async () => {
  const operator = await OperatorClient.create(service)
  const market = await traded(operator)
  const { settlements } = await operator.finish(market)
  const [one, two] = settlements
  const paid = { transactionId: 'pay-1', status: 'COMPLETED' }
  const done = await operator.post(`/settlements/${one.id}/acknowledge`, paid)
  assertShape(done, settlementShape)
  assert.deepEqual([done.status, done.transactionId], ['COMPLETED', 'pay-1'])
  const same = await operator.post(`/settlements/${one.id}/acknowledge`, paid)
  assert.deepEqual(same, done, 'the same again changes nothing')

  const failed = { transactionId: 'pay-2', status: 'FAILED', errorMessage: 'bank closed' }
  const lost = await operator.post(`/settlements/${two.id}/acknowledge`, failed)
  assert.deepEqual([lost.status, lost.errorMessage], ['FAILED', 'bank closed'])
  const during = await operator.get(`/markets/${market.id}/settlement-status`)
  assert.deepEqual([during.completedCount, during.failedCount], [3, 1])
  assert.equal((await operator.market(market)).status, 'SETTLED')

  const retried = await operator.act(market, 'retry-settlements')
  assertShape(retried, settleResultShape)
  assert.deepEqual([retried.totalPositions, retried.successCount], [1, 1])
  assert.equal(retried.totalPayout, two.totalPayout)
  assert.deepEqual([retried.cancelledOrders, retried.failedCount], [0, 0])
  assert.deepEqual(
    retried.settlements.map(({ id, status, errorMessage }: Json) => [id, status, errorMessage]),
    [[two.id, 'COMPLETED', null]],
  )
  const nothing = await operator.act(market, 'retry-settlements')
  assert.deepEqual([nothing.totalPositions, nothing.settlements], [0, []])
})

test('settlements are listed by whether the operator has acknowledged them', async () => {
  const operator = await OperatorClient.create(service)
  const market = await traded(operator)
  await operator.finish(await traded(operator))
  const { settlements } = await operator.finish(market)
  const idsOf = (list: readonly Json[]) => list.map(({ id }) => id)
  const [all, ofMarket] = [await operator.get('/settlements'), `marketId=${market.id}`]
  assert.deepEqual(await operator.get('/settlements?acknowledged=false'), all)
  assert.deepEqual(await operator.get('/settlements?acknowledged=true'), [])

  const [paid, failed] = settlements
  const pay = (transactionId: string, status: string) => ({ transactionId, status })
  await operator.post(`/settlements/${paid.id}/acknowledge`, pay('pay-1', 'COMPLETED'))
  await operator.post(`/settlements/${failed.id}/acknowledge`, pay('pay-2', 'FAILED'))
  const reported = [failed.id, paid.id]
  const open = idsOf(all).filter((id) => !reported.includes(id))
  assert.deepEqual(idsOf(await operator.get('/settlements?acknowledged=true')), reported)
  assert.deepEqual(idsOf(await operator.get('/settlements?acknowledged=false')), open)
  const here = await operator.get(`/settlements?acknowledged=true&${ofMarket}`)
  assert.deepEqual(idsOf(here), reported)
  const { playerId } = paid
  const own = await operator.get(`/settlements?acknowledged=true&playerId=${playerId}&${ofMarket}`)
  assert.deepEqual(idsOf(own), idsOf(here.filter((each: Json) => each.playerId === playerId)))

  const found: string[] = []
  for (let cursor = ''; ; ) {
    const page = await operator.get(`/settlements?acknowledged=false&limit=4${cursor}`)
    assert.equal(page.total, open.length)
    found.push(...idsOf(page.settlements))
    if (page.nextCursor === null) break
    cursor = `&cursor=${page.nextCursor}`
  }
  assert.deepEqual(found, open)
  const wrong = await operator.request('GET', '/settlements?acknowledged=maybe')
  assertRefused(wrong, 'VALIDATION_ERROR', 'acknowledged')

  await operator.act(market, 'retry-settlements')
  const summary = await operator.get(`/markets/${market.id}/settlement-status`)
  assert.deepEqual([summary.completedCount, summary.failedCount], [4, 0])
  const again = idsOf(await operator.get('/settlements?acknowledged=true'))
  assert.deepEqual(again, reported, 'a retry keeps the report')
})

test('a COMPLETED settlement has no errorMessage, even if one is sent', async () => {
  const operator = await OperatorClient.create(service)
  const { settlements } = await operator.finish(await traded(operator))
  const path = `/settlements/${settlements[0].id}/acknowledge`
  const wordy = { transactionId: 'pay-1', status: 'COMPLETED', errorMessage: 'none' }
  const done = await operator.post(path, wordy)
  assert.deepEqual([done.status, done.errorMessage], ['COMPLETED', null])
  assert.deepEqual(await operator.post(path, wordy), done, 'the same again changes nothing')
  await operator.post(path, { ...wordy, status: 'FAILED' })
  assert.equal((await operator.post(path, wordy)).errorMessage, null)
})

test('acknowledging needs valid fields and a settlement of the caller', async () => {
  const operator = await OperatorClient.create(service)
  const market = await traded(operator)
  const { settlements } = await operator.finish(market)
  const path = `/settlements/${settlements[0].id}/acknowledge`
  for (const [field, body] of [
    ['transactionId', { status: 'COMPLETED' }],
    ['status', { transactionId: 'x' }],
    ['status', { transactionId: 'x', status: 'PENDING' }],
    ['errorMessage', { transactionId: 'x', status: 'FAILED', errorMessage: 5 }],
    ['colour', { transactionId: 'x', status: 'FAILED', colour: 1 }],
  ] as const) {
    assertRefused(await operator.request('POST', path, body), 'VALIDATION_ERROR', field)
  }
  const body = { transactionId: 'x', status: 'COMPLETED' }
  for (const id of [crypto.randomUUID(), 'x', market.id]) {
    const answer = await operator.request('POST', `/settlements/${id}/acknowledge`, body)
    assertRefused(answer, 'SETTLEMENT_NOT_FOUND')
  }
})

test('retrying needs a SETTLED market', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const early = await operator.request('POST', `/markets/${market.id}/retry-settlements`)
  assertRefused(early, 'MARKET_INVALID_TRANSITION')
  for (const id of [crypto.randomUUID(), 'x']) {
    const retry = await operator.request('POST', `/markets/${id}/retry-settlements`)
    assertRefused(retry, 'MARKET_NOT_FOUND')
    const status = await operator.request('GET', `/markets/${id}/settlement-status`)
    assertRefused(status, 'MARKET_NOT_FOUND')
  }
})

test('orders and trades stay readable after the settlement', async () => {
  const operator = await OperatorClient.create(service)
  const market = await traded(operator)
  const [orders, trades] = [await operator.get('/orders'), await operator.get('/trades')]
  await operator.finish(market)
  assert.equal((await operator.get(`/orders?marketId=${market.id}`)).total, orders.total)
  assert.deepEqual(await operator.get('/trades'), trades)
  assert.equal((await operator.get(`/orders/${orders.orders[0].id}`)).id, orders.orders[0].id)
})
