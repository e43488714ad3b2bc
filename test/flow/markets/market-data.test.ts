// Public market data without a key, and an operator's statistics, over HTTP.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertRefused, assertShape } from '../../support/http/answers.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import { bookShape, priceShape } from '../../support/http/shapes.ts'
import { type Json, Service } from '../../support/process/outcry-process.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

function pathsOf(market: Json, outcomeId = market.outcomes[0].id): string[] {
  const at = `/api/v1/markets/${market.id}`
  return [`${at}/orderbook/${outcomeId}`, `${at}/prices`, `${at}/prices/${outcomeId}`]
}

async function read(path: string): Promise<Json> {
  const answer = await service.request('GET', path)
  assert.equal(answer.status, 200, path)
  return answer.body.data
}

test('an empty book has null for its best prices and spread', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  const [bookPath, allPath, onePath] = pathsOf(market)
  const book = await read(bookPath!)
  assertShape(book, bookShape)
  assert.deepEqual([book.bids, book.asks], [[], []])
  assert.deepEqual([book.bestBid, book.bestAsk, book.spread], [null, null, null])
  assert.ok(Math.abs(book.timestamp - Date.now()) < 60_000)
  const prices = await read(allPath!)
  assert.deepEqual(
    prices.map(({ outcomeName }: Json) => outcomeName),
    ['Yes', 'No'],
  )
  assert.deepEqual(await read(onePath!), prices[0])
  assertShape(prices[0], priceShape)
  const { lastPrice, midPrice, spread, bestBid, volume24h } = prices[0]
  assert.deepEqual([lastPrice, midPrice, spread, bestBid, volume24h], [null, null, null, null, 0])
})

test('a book adds up the orders at each price, best first, as plain numbers', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ ann: 100 })
  for (const price of [0.3, 0.31, 0.3]) await operator.buy(market, { player: 'bob', price })
  for (const price of [0.7, 0.6, 0.7]) await operator.sell(market, { price, shares: 5.25 })
  const [bookPath, , onePath] = pathsOf(market)
  const book = await read(bookPath!)
  assert.deepEqual(book.bids, [
    { price: 0.31, shares: 10, orderCount: 1 },
    { price: 0.3, shares: 20, orderCount: 2 },
  ])
  assert.deepEqual(book.asks, [
    { price: 0.6, shares: 5.25, orderCount: 1 },
    { price: 0.7, shares: 10.5, orderCount: 2 },
  ])
  assert.deepEqual([book.bestBid, book.bestAsk, book.spread], [0.31, 0.6, 0.29])
  const prices = await read(onePath!)
  const { bestBid, bestAsk, spread, midPrice, lastPrice } = prices
  assert.deepEqual([bestBid, bestAsk, spread, midPrice, lastPrice], [0.31, 0.6, 0.29, 0.455, null])
  await operator.buy(market, { player: 'bob', price: 0.6, shares: 2.5 })
  const after = await read(onePath!)
  assert.deepEqual([after.lastPrice, after.volume24h], [0.6, 2.5])
  const next = await read(bookPath!)
  assert.equal(next.asks[0].shares, 2.75)
  assert.equal(next.version, book.version + 1)
})

test('depth limits the levels of each side, 10 by default', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  for (let cents = 1; cents <= 12; cents += 1) await operator.buy(market, { price: cents / 100 })
  const [path] = pathsOf(market)
  const byDefault = await read(path!)
  assert.equal(byDefault.bids.length, 10)
  assert.equal(byDefault.bids[0].price, 0.12)
  assert.equal((await read(`${path}?depth=1`)).bids.length, 1)
  assert.equal((await read(`${path}?depth=1000`)).bids.length, 12)
  for (const depth of ['0', '1001', '-1', 'all', '1.5', '']) {
    const answer = await service.request('GET', `${path}?depth=${depth}`)
    assertRefused(answer, 'VALIDATION_ERROR', 'depth')
  }
})

test('market data of a DRAFT are not found; from UPCOMING on they are public', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.createMarket({ tradingStartsAt: '2099-01-01T00:00:00Z' })
  for (const path of pathsOf(market)) {
    assertRefused(await service.request('GET', path), 'MARKET_NOT_FOUND')
    assertRefused(await operator.request('GET', path.slice(7)), 'MARKET_NOT_FOUND')
  }
  await operator.act(market, 'open')
  for (const path of pathsOf(market)) await read(path)
  await operator.act(market, 'cancel', { reason: 'x' })
  for (const path of pathsOf(market)) await read(path)
})

test('unknown markets and outcomes are not found', async () => {
  const operator = await OperatorClient.create(service)
  const [market, other] = [await operator.openMarket(), await operator.openMarket()]
  for (const id of [crypto.randomUUID(), 'x', market.outcomes[0].id]) {
    for (const path of pathsOf({ ...market, id })) {
      assertRefused(await service.request('GET', path), 'MARKET_NOT_FOUND')
    }
  }
  for (const outcomeId of [crypto.randomUUID(), 'x', other.outcomes[0].id, market.id]) {
    const [book, , one] = pathsOf(market, outcomeId)
    assertRefused(await service.request('GET', book!), 'OUTCOME_NOT_FOUND')
    assertRefused(await service.request('GET', one!), 'OUTCOME_NOT_FOUND')
  }
})

test('a wrong key is ignored where no key is needed', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket()
  for (const path of pathsOf(market)) {
    assert.equal((await service.request('GET', path, { key: 'wrong' })).status, 200)
  }
})

test("statistics count an operator's own markets by status", async () => {
  const [operator, other] = [
    await OperatorClient.create(service),
    await OperatorClient.create(service),
  ]
  const overview = () => operator.get('/stats/overview')
  assert.deepEqual(await overview(), { openMarkets: 0, pendingResolution: 0, resolved: 0 })
  await other.openMarket()
  await operator.createMarket()
  const market = await operator.openMarket()
  await operator.suspend(await operator.openMarket())
  await operator.openMarket()
  assert.deepEqual(await overview(), { openMarkets: 2, pendingResolution: 0, resolved: 0 })
  await operator.act(market, 'close')
  assert.deepEqual(await overview(), { openMarkets: 1, pendingResolution: 1, resolved: 0 })
  await operator.resolve(market)
  assert.deepEqual(await overview(), { openMarkets: 1, pendingResolution: 0, resolved: 1 })
  await operator.act(market, 'settle')
  assert.deepEqual(await overview(), { openMarkets: 1, pendingResolution: 0, resolved: 1 })
})
