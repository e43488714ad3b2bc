// Matching by complete sets over HTTP: buyers meet buyers and sellers meet sellers. Prices, fees,
// positions, events, replays and restarts.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertShape } from '../../support/http/answers.ts'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { tradeShape } from '../../support/http/shapes.ts'
import { type Json, newFolder, Service } from '../../support/process/outcry-process.ts'
import { auditData } from '../../support/store/audit-data.ts'
import { StreamClient } from '../../support/stream/stream-client.ts'

let service: Service
before(async () => {
  service = await Service.start()
})
after(() => service.stop())

const two = { completeSetMatching: true }
const three = { ...two, outcomes: ['Red', 'Green', 'Blue'].map((name) => ({ name })) }

/** Trades as "kind outcome shares@price". */
function tradesOf(market: Json, { trades }: Json): readonly string[] {
  return trades.map(({ kind, outcomeId, shares, price }: Json) => {
    const outcome = market.outcomes.findIndex(({ id }: Json) => id === outcomeId)
    return `${kind} ${outcome} ${shares}@${price}`
  })
}

const rolesOf = ({ buyerRole, sellerRole }: Json) => `${buyerRole} ${sellerRole}`

test('a market shows that it matches by complete sets', async () => {
  const operator = await OperatorClient.create(service)
  assert.equal((await operator.openMarket(two)).completeSetMatching, true)
  assert.equal((await operator.openMarket()).completeSetMatching, false)
})

test('two buyers meet: legs, fees, positions, prices and counts are exact', async () => {
  const operator = await OperatorClient.create(service, { feePercent: 1 })
  const market = await operator.openMarket(two)
  const ann = await operator.buy(market, { player: 'ann', price: 0.6 })
  const bob = await operator.buy(market, { player: 'bob', outcome: 1, price: 0.45, shares: 4 })
  assert.deepEqual(tradesOf(market, bob), ['MINT 1 4@0.4', 'MINT 0 4@0.6'])
  const [own, other] = bob.trades
  assertShape(own, tradeShape)
  assert.equal(own.buyOrderId, bob.order.id)
  assert.equal(other.buyOrderId, ann.order.id)
  for (const leg of [own, other]) {
    assert.equal(leg.matchId, own.matchId)
    assert.equal(leg.sellOrderId, own.matchId)
    assert.deepEqual([leg.buyerOperatorId, leg.sellerOperatorId], [operator.id, operator.id])
    assert.equal(leg.sellerFee, '0')
  }
  assert.deepEqual([own.buyerFee, other.buyerFee], ['0.016', '0.024'])
  assert.deepEqual([own, other].map(rolesOf), ['TAKER ISSUER', 'MAKER ISSUER'])
  assert.deepEqual([bob.status, bob.avgFillPrice], ['FILLED', '0.4'])
  const held = await operator.position(market, 'ann')
  assert.deepEqual([held.shares, held.totalCost], ['4', '2.4'])
  const { totalTrades, totalVolume } = await operator.market(market)
  assert.deepEqual([totalTrades, totalVolume], [2, '8'])
  assert.equal((await operator.prices(market, 1)).lastPrice, 0.4)
  const listed = await operator.get(`/trades?marketId=${market.id}`)
  assert.deepEqual([listed.total, listed.trades.length], [2, 2])
  assert.deepEqual([...listed.trades].reverse(), bob.trades)
})

test('three buyers meet by minting, three sellers by merging', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket(three)
  await operator.buy(market, { player: 'ann', price: 0.5 })
  await operator.buy(market, { player: 'bob', outcome: 1, price: 0.3 })
  const minted = await operator.buy(market, { player: 'cid', outcome: 2, price: 0.2 })
  assert.deepEqual(tradesOf(market, minted), ['MINT 2 10@0.2', 'MINT 0 10@0.5', 'MINT 1 10@0.3'])
  await operator.sell(market, { player: 'ann', price: 0.45, shares: 6 })
  await operator.sell(market, { player: 'bob', outcome: 1, price: 0.25, shares: 6 })
  const merged = await operator.sell(market, { player: 'cid', outcome: 2, price: 0.1, shares: 6 })
  assert.deepEqual(tradesOf(market, merged), ['MERGE 2 6@0.3', 'MERGE 0 6@0.45', 'MERGE 1 6@0.25'])
  assert.equal(merged.trades[0].buyOrderId, merged.trades[0].matchId)
  assert.deepEqual(merged.trades.map(rolesOf), ['ISSUER TAKER', 'ISSUER MAKER', 'ISSUER MAKER'])
  const listed = (await operator.get('/trades?limit=3')).trades
  assert.deepEqual([...listed].reverse(), merged.trades, 'the list has the same roles')
  const { shares, realizedPnl } = await operator.position(market, 'cid', 2)
  assert.deepEqual([shares, realizedPnl], ['4', '0.6'])
  const { totalPayout } = await operator.finish(market, 1)
  assert.equal(totalPayout, '4', 'what is left of the sets is paid out')
})

test('the events of a match are in order, with one ORDER_MATCHED per leg', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket(two)
  await operator.buy(market, { player: 'ann', price: 0.6 })
  const since = (await operator.events()).length
  const { trades, order } = await operator.buy(market, { player: 'bob', outcome: 1, price: 0.4 })
  const events = await operator.events('', since)
  assert.deepEqual(
    events.map(({ eventType }) => eventType),
    [
      ...['ORDER_PLACED', 'ORDER_MATCHED', 'ORDER_MATCHED', 'POSITION_UPDATED', 'POSITION_UPDATED'],
      ...['ORDER_BOOK_UPDATE', 'ORDER_BOOK_UPDATE', 'PRICE_UPDATED', 'PRICE_UPDATED'],
    ],
  )
  const matched = events.filter(({ eventType }) => eventType === 'ORDER_MATCHED')
  assert.deepEqual(
    matched.map(({ payload }) => payload.tradeId),
    trades.map(({ id }: Json) => id),
  )
  assert.equal(matched[0]?.payload.orderId, order.id)
  assert.deepEqual([matched[0]?.payload.price, matched[1]?.payload.price], [0.4, 0.6])
})

test('in a shared market each operator sees its own legs, at its own fee', async () => {
  const operator = await OperatorClient.create(service, { feePercent: 2 })
  const participant = await OperatorClient.create(service, { feePercent: 0.5 })
  const other = await OperatorClient.create(service, { feePercent: 1 })
  const market = await operator.openMarket({ ...two, shared: true })
  await participant.buy(market, { price: 0.6 })
  const placed = await other.buy(market, { outcome: 1, price: 0.4 })
  assert.deepEqual(tradesOf(market, placed), ['MINT 1 10@0.4'])
  const { trades } = await participant.get('/trades')
  assert.deepEqual(tradesOf(market, { trades }), ['MINT 0 10@0.6'])
  assert.deepEqual([trades[0].buyerFee, placed.trades[0].buyerFee], ['0.03', '0.04'])
  assert.equal(trades[0].sellerOperatorId, operator.id)
  assert.equal(trades[0].matchId, placed.trades[0].matchId)
  for (const query of ['', `?marketId=${market.id}`, `?outcomeId=${market.outcomes[0].id}`]) {
    const { total, trades: seen } = await operator.get(`/trades${query}`)
    assert.deepEqual([total, seen], [0, []], 'to own the market is not to trade in it')
  }
})

test('a repeated placement with legs is answered as before, also after a kill', async () => {
  const dataDir = await newFolder()
  const first = await Service.start({ dataDir })
  let operator = await OperatorClient.create(first)
  const participant = await OperatorClient.create(first)
  const market = await operator.marketWithHolders({ sam: 50 }, { ...three, shared: true })
  await operator.sell(market, { player: 'sam', outcome: 2, price: 0.35, shares: 3 })
  await participant.buy(market, { price: 0.5, shares: 8 })
  await operator.buy(market, { player: 'bob', outcome: 1, price: 0.2, shares: 5 })
  const asked = { player: 'cid', outcome: 2, price: 0.4, shares: 20, transactionId: 'legs' }
  const body = orderBody(market, 'BUY', asked)
  const placed = await operator.post('/orders', body)
  assert.deepEqual(tradesOf(market, placed), ['MINT 2 5@0.3', 'MINT 1 5@0.2', 'DIRECT 2 3@0.35'])
  await operator.buy(market, { player: 'dee', outcome: 1, price: 0.15, shares: 2 })
  await first.kill()
  const second = await Service.start({ dataDir })
  try {
    operator = new OperatorClient(second, operator)
    const again = await operator.request('POST', '/orders', body)
    assert.equal(again.status, 200)
    assert.deepEqual(again.body.data.trades, placed.trades)
    const met = await operator.buy(market, { player: 'eve', outcome: 1, price: 0.1, shares: 1 })
    assert.deepEqual(tradesOf(market, met)[0], 'MINT 1 1@0.1', 'the books are as they were')
  } finally {
    await second.stop()
  }
  assert.deepEqual((await auditData(dataDir)).violations, [])
})

test('the book with implied=true shows the levels that complete sets would match', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.marketWithHolders({ sam: 50 }, two)
  await operator.buy(market, { price: 0.6 })
  await operator.sell(market, { player: 'sam', outcome: 1, price: 0.45 })
  const plain = await operator.book(market, 1)
  assert.deepEqual(plain.asks, [{ price: 0.45, shares: 10, orderCount: 1 }])
  const book = await operator.book(market, 1, '?implied=true')
  assert.deepEqual(book.asks, [
    { price: 0.4, shares: 10, orderCount: 0, implied: true },
    { price: 0.45, shares: 10, orderCount: 1 },
  ])
  assert.deepEqual([book.bestAsk, book.bestBid], [0.45, null], 'best prices are those of orders')
  const one = await operator.book(market, 1, '?implied=true&depth=1')
  assert.equal(one.asks.length, 1)
  assert.deepEqual((await operator.book(market, 1, '?implied=false')).asks, plain.asks)
})

test('IOC, FOK and previews count the liquidity of complete sets', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket(two)
  await operator.buy(market, { price: 0.6 })
  const body = orderBody(market, 'BUY', { player: 'bob', outcome: 1, price: 0.4 })
  const seen = await operator.post('/orders/preview', { ...body, timeInForce: 'FOK' })
  assert.deepEqual(seen.fills, [{ price: '0.4', shares: '10' }])
  const placed = await operator.post('/orders', { ...body, timeInForce: 'FOK' })
  assert.equal(placed.status, 'FILLED')
})

test('the stream sends every leg, BUY for a mint, SELL for a merge, and all prices', async () => {
  const operator = await OperatorClient.create(service)
  const market = await operator.openMarket(two)
  const client = await StreamClient.open(service.url)
  try {
    const channels = ['orderbook', 'prices', 'trades']
    await client.request({ op: 'subscribe', channels, marketIds: [market.id] })
    await operator.buy(market, { player: 'ann', price: 0.6 })
    await operator.buy(market, { player: 'bob', outcome: 1, price: 0.4 })
    await operator.sell(market, { player: 'ann', price: 0.7 })
    await operator.sell(market, { player: 'bob', outcome: 1, price: 0.3 })
    const ofTrades = () => client.messages.filter(({ type }) => type === 'trade')
    await client.until(() => ofTrades().length === 4)
    assert.deepEqual(
      ofTrades()
        .map(({ outcomeId, price, takerSide }) => [outcomeId, price, takerSide])
        .sort(),
      [
        [market.outcomes[0].id, 0.6, 'BUY'],
        [market.outcomes[0].id, 0.7, 'SELL'],
        [market.outcomes[1].id, 0.3, 'SELL'],
        [market.outcomes[1].id, 0.4, 'BUY'],
      ].sort(),
    )
    const lastPrices = () =>
      market.outcomes.map(
        ({ id }: Json) =>
          client.messages.findLast(({ type, outcomeId }) => type === 'price' && outcomeId === id)
            ?.lastPrice,
      )
    await client.until(() => lastPrices().join() === '0.7,0.3')
  } finally {
    await client.close()
  }
})
