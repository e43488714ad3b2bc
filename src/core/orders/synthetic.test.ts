// Matching by complete sets, to the tick: prices, quantities, legs, and what becomes of shares.

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  newExchange,
  type Placed,
  participant,
  startMs,
  type TestExchange,
} from '../../../test/support/core/exchange.ts'

const two = { hasCompleteSetMatching: true }
const three = { ...two, outcomes: ['Red', 'Green', 'Blue'] }

/** Legs and trades of a placement as "kind outcome shares@price". */
function tradesOf(exchange: TestExchange, { placement }: Placed): readonly string[] {
  const { books } = exchange.market()
  return placement!.trades.map(({ kind, outcomeId, shares, price }) => {
    const outcome = books.findIndex(({ id }) => id === outcomeId)
    return `${kind} ${outcome} ${shares / 100}@${price / 10_000}`
  })
}

/** Shares, cost, profit. */
function holding(exchange: TestExchange, player: string, outcome: number): readonly string[] {
  const { shares, cost, profit } = exchange.holding(player, { outcome })!
  return [shares, cost, profit]
}

suite('minting', () => {
  test('joins two buyers whose prices come to one: who comes last pays the rest', () => {
    const exchange = newExchange(two)
    exchange.buy('ann', 10, 0.6)
    const placed = exchange.buy('bob', 4, 0.45, { outcome: 1 })
    assert.deepEqual(tradesOf(exchange, placed), ['MINT 1 4@0.4', 'MINT 0 4@0.6'])
    assert.equal(placed.placement?.order.status, 'FILLED')
    assert.deepEqual(holding(exchange, 'ann', 0), ['4', '2.4', '0'])
    assert.deepEqual(holding(exchange, 'bob', 1), ['4', '1.6', '0'])
    const { setsMinted, setsOutstanding, tradeCount, volume } = exchange.market()
    assert.deepEqual([setsMinted.exact, setsOutstanding], [400n, 400])
    assert.deepEqual([tradeCount, volume.exact], [2, 800n], 'each leg is counted')
  })

  test('leaves buyers apart whose prices do not come to one', () => {
    const exchange = newExchange(two)
    exchange.buy('ann', 10, 0.6)
    const placed = exchange.buy('bob', 4, 0.3999, { outcome: 1 })
    assert.deepEqual(tradesOf(exchange, placed), [])
    assert.equal(placed.placement?.order.status, 'PENDING')
  })

  test('does not happen in a market that did not ask for it', () => {
    const exchange = newExchange()
    exchange.buy('ann', 10, 0.6)
    assert.equal(exchange.buy('bob', 4, 0.45, { outcome: 1 }).placement?.order.status, 'PENDING')
    const unmet = exchange.buy('bob', 4, 'market', { outcome: 1 })
    assert.equal(unmet.reject?.code, 'ORDER_NO_LIQUIDITY')
  })

  test('needs a bid for every other outcome', () => {
    const exchange = newExchange(three)
    exchange.buy('ann', 10, 0.6)
    assert.deepEqual(tradesOf(exchange, exchange.buy('bob', 10, 0.5, { outcome: 1 })), [])
    const placed = exchange.buy('cid', 10, 0.2, { outcome: 2 })
    assert.equal(placed.placement?.order.status, 'FILLED')
  })

  test('takes in one match no more than the first order of each book has', () => {
    const exchange = newExchange(three)
    exchange.buy('ann', 3, 0.5)
    exchange.buy('ann', 10, 0.4)
    exchange.buy('bob', 5, 0.3, { outcome: 1 })
    const placed = exchange.buy('cid', 10, 0.3, { outcome: 2 })
    assert.deepEqual(tradesOf(exchange, placed), [
      ...['MINT 2 3@0.2', 'MINT 0 3@0.5', 'MINT 1 3@0.3'],
      ...['MINT 2 2@0.3', 'MINT 0 2@0.4', 'MINT 1 2@0.3'],
    ])
    const matchIds = placed.placement!.trades.map(({ matchId }) => matchId)
    assert.equal(new Set(matchIds).size, 2, 'the legs of a match share an id')
    assert.equal(placed.placement?.order.status, 'PARTIAL')
  })

  test('waits behind real orders at the same price, and goes before worse ones', () => {
    const exchange = newExchange(two)
    exchange.mint('sam', 100)
    exchange.buy('ann', 2, 0.61)
    exchange.buy('ann', 10, 0.6)
    exchange.sell('sam', 3, 0.4, { outcome: 1 })
    const placed = exchange.buy('bob', 8, 0.4, { outcome: 1 })
    assert.deepEqual(tradesOf(exchange, placed), [
      ...['MINT 1 2@0.39', 'MINT 0 2@0.61'],
      'DIRECT 1 3@0.4',
      ...['MINT 1 3@0.4', 'MINT 0 3@0.6'],
    ])
  })

  test('serves MARKET orders too, at prices outside the bounds of LIMIT orders', () => {
    const exchange = newExchange(three)
    exchange.buy('ann', 5, 0.5)
    exchange.buy('bob', 5, 0.495, { outcome: 1 })
    const placed = exchange.buy('cid', 10, 'market', { outcome: 2 })
    assert.deepEqual(tradesOf(exchange, placed)[0], 'MINT 2 5@0.005')
    assert.equal(placed.placement?.order.status, 'CANCELLED')
  })

  test('where bids come to too much, the newest pays less, none less than a tick', () => {
    const exchange = newExchange({ ...three, outcomes: ['A', 'B', 'C', 'D'] })
    exchange.buy('ann', 5, 0.9)
    exchange.buy('bob', 5, 0.3, { outcome: 1 })
    exchange.buy('cid', 5, 0.02, { outcome: 2 })
    const placed = exchange.buy('dee', 5, 0.5, { outcome: 3 })
    assert.deepEqual(tradesOf(exchange, placed), [
      ...['MINT 3 5@0.0001', 'MINT 0 5@0.9', 'MINT 1 5@0.0998', 'MINT 2 5@0.0001'],
    ])
  })
})

suite('merging', () => {
  /** With 100 of everything for each player. */
  function exchangeWithShares(market: object): TestExchange {
    const exchange = newExchange(market)
    for (const player of ['ann', 'bob', 'cid']) exchange.mint(player, 100)
    return exchange
  }

  test('joins two sellers whose prices come to one: who comes last gets the rest', () => {
    const exchange = exchangeWithShares(two)
    exchange.sell('ann', 10, 0.55)
    const placed = exchange.sell('bob', 4, 0.4, { outcome: 1 })
    assert.deepEqual(tradesOf(exchange, placed), ['MERGE 1 4@0.45', 'MERGE 0 4@0.55'])
    assert.deepEqual(holding(exchange, 'ann', 0), ['96', '48', '0.2'])
    assert.deepEqual(holding(exchange, 'bob', 1), ['96', '48', '-0.2'])
    const { setsRedeemed, setsOutstanding } = exchange.market()
    assert.deepEqual([setsRedeemed.exact, setsOutstanding], [400n, 29_600])
  })

  test('gives a seller a tick or does not happen', () => {
    const exchange = exchangeWithShares(three)
    exchange.sell('ann', 5, 0.5)
    exchange.sell('bob', 5, 0.5, { outcome: 1 })
    assert.equal(
      exchange.sell('cid', 5, 'market', { outcome: 2 }).reject?.code,
      'ORDER_NO_LIQUIDITY',
    )
    exchange.sell('bob', 5, 0.4999, { outcome: 1 })
    const placed = exchange.sell('cid', 5, 'market', { outcome: 2 })
    assert.deepEqual(tradesOf(exchange, placed)[0], 'MERGE 2 5@0.0001')
  })

  test('waits behind a real bid at the same price, and goes before a worse one', () => {
    const exchange = exchangeWithShares(two)
    exchange.sell('ann', 4, 0.55)
    exchange.buy('cid', 2, 0.45, { outcome: 1 })
    exchange.buy('cid', 9, 0.44, { outcome: 1 })
    const placed = exchange.sell('bob', 10, 0.4, { outcome: 1 })
    assert.deepEqual(tradesOf(exchange, placed), [
      'DIRECT 1 2@0.45',
      ...['MERGE 1 4@0.45', 'MERGE 0 4@0.55'],
      'DIRECT 1 4@0.44',
    ])
  })
})

suite('the legs of a match', () => {
  test('pay the fee of their own operator; the issuer is the owner and pays none', () => {
    const exchange = newExchange(two)
    exchange.putOperator(participant, 1)
    exchange.buy('ann', 10, 0.6, { operator: participant })
    const { order, trades } = exchange.buy('bob', 10, 0.4, { outcome: 1 }).placement!
    assert.equal(trades.length, 1, 'the leg of the participant is the participant’s alone')
    const { id, ...leg } = trades[0]!
    assert.deepEqual(leg, {
      marketId: exchange.market().id,
      outcomeId: exchange.market().books[1]!.id,
      buyOrderId: order.id,
      sellOrderId: leg.matchId,
      buyerOperatorId: 'house',
      sellerOperatorId: 'house',
      price: 4_000,
      shares: 1_000,
      buyerFee: 800_000_000,
      sellerFee: 0,
      buyerRole: 'TAKER',
      sellerRole: 'ISSUER',
      kind: 'MINT',
      matchId: leg.matchId,
      createdAt: startMs,
    })
  })

  test('publish events of orders, then of positions, then of all books, then of all prices', () => {
    const exchange = newExchange(two)
    exchange.buy('ann', 10, 0.6)
    const { events } = exchange.buy('bob', 4, 0.4, { outcome: 1 })
    assert.deepEqual(
      events.map(({ eventType }) => eventType),
      [
        ...['ORDER_PLACED', 'ORDER_MATCHED', 'ORDER_MATCHED'],
        ...['POSITION_UPDATED', 'POSITION_UPDATED'],
        ...['ORDER_BOOK_UPDATE', 'ORDER_BOOK_UPDATE', 'PRICE_UPDATED', 'PRICE_UPDATED'],
      ],
    )
  })
})
