// Reading single trades and the trades of a player over HTTP.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused, assertShape } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { tradeShape } from '../../support/http/shapes.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

const idsOf = ({ trades }: Json): readonly string[] => trades.map(({ id }: Json) => id)

test('a trade is read by its id by the operators of its orders, and by no other', async () => {
  const [owner, guest, stranger] = [
    await OperatorClient.create(service),
    await OperatorClient.create(service),
    await OperatorClient.create(service),
  ]
  const market = await owner.openMarket({ shared: true })
  await guest.mint(market, 'gil', 10)
  await guest.sell(market, { player: 'gil' })
  const { trades } = await stranger.buy(market, { player: 'sid' })
  const trade = await guest.get(`/trades/${trades[0].id}`)
  assertShape(trade, tradeShape)
  assert.deepEqual(trade, (await guest.get('/trades')).trades[0])
  assert.deepEqual(await stranger.get(`/trades/${trade.id}`), trades[0])
  const unknown = await owner.request('GET', `/trades/${crypto.randomUUID()}`)
  assertRefused(unknown, 'TRADE_NOT_FOUND')
  for (const id of [trade.id, market.id, 'x', trade.buyOrderId]) {
    const answer = await owner.request('GET', `/trades/${id}`)
    assertRefused(answer, 'TRADE_NOT_FOUND')
    assert.deepEqual(answer.body.error.message, unknown.body.error.message)
  }
})

test('the leg of a match by complete sets is not a trade of the owner of the market', async () => {
  const [owner, guest] = [
    await OperatorClient.create(service),
    await OperatorClient.create(service),
  ]
  const market = await owner.openMarket({ shared: true, completeSetMatching: true })
  await guest.buy(market, { player: 'gil', price: 0.6 })
  const { trades } = await guest.buy(market, { player: 'gus', outcome: 1, price: 0.4 })
  assert.equal(trades.length, 2)
  for (const { id } of trades) {
    assert.equal((await guest.get(`/trades/${id}`)).id, id)
    assertRefused(await owner.request('GET', `/trades/${id}`), 'TRADE_NOT_FOUND')
  }
  assert.deepEqual(idsOf(await guest.get('/trades?playerId=gus')), [trades[0].id])
  assert.deepEqual(idsOf(await owner.get('/trades?playerId=gus')), [])
})

test('the trades of a player are those of its own orders, on either side, once each', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ ann: 100 })
  const other = await operator.marketWithHolders({ ann: 100 })
  const trade = async (in_: Json, seller: string, buyer: string) => {
    const { order } = await operator.sell(in_, { player: seller, shares: 1 })
    const { trades } = await operator.buy(in_, { player: buyer, shares: 1 })
    return { id: trades[0].id, offer: order.id }
  }
  const [first, self] = [await trade(market, 'ann', 'bob'), await trade(market, 'ann', 'ann')]
  const [third, back] = [await trade(other, 'ann', 'bob'), await trade(other, 'bob', 'ann')]
  const list = (query: string) => operator.get(`/trades?${query}`)
  const all = [back.id, third.id, self.id, first.id]
  assert.deepEqual(idsOf(await list('playerId=ann')), all)
  assert.deepEqual(idsOf(await list('playerId=bob')), [back.id, third.id, first.id])
  assert.deepEqual(idsOf(await list(`playerId=bob&marketId=${market.id}`)), [first.id])
  assert.deepEqual(idsOf(await list(`playerId=bob&outcomeId=${other.outcomes[1].id}`)), [])
  assert.deepEqual(idsOf(await list(`playerId=bob&orderId=${first.offer}`)), [first.id])
  assert.deepEqual(idsOf(await list(`playerId=bob&orderId=${self.offer}`)), [])
  assert.deepEqual((await list('playerId=nobody')).total, 0)

  const pages: string[] = []
  for (let cursor = ''; ; ) {
    const page = await list(`playerId=ann&limit=3${cursor}`)
    assert.equal(page.total, 4)
    pages.push(...idsOf(page))
    if (page.nextCursor === null) break
    cursor = `&cursor=${page.nextCursor}`
  }
  assert.deepEqual(pages, all)
  const empty = await operator.request('GET', '/trades?playerId=')
  assertRefused(empty, 'VALIDATION_ERROR', 'playerId')
})
