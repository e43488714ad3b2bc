// What each command and query costs, as the engine reports it with the result.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Price, Shares } from '../../src/core/money.ts'
import { packOptions, usualOptions } from '../../src/core/orders/options.ts'
import type { Result } from '../../src/engine/commands.ts'
import { costOfResult } from '../../src/engine/cost.ts'
import { onlyShard } from '../support/store/only-shard.ts'
import {
  answerOf,
  type EngineFixture,
  newMarket,
  type OpenMarket,
  firstOperatorId as operatorId,
  otherOperatorId,
  usualOrder,
  withEngine,
} from './engine-fixture.ts'

const names = ['Red', 'Green', 'Blue', 'Black', 'White']

async function marketOfFive({ engine, store }: EngineFixture, hasCompleteSetMatching = false) {
  const outcomes = names.map((name) => ({ name, description: null, imageUrl: null }))
  const created = await engine.submit('createMarket', {
    ...newMarket,
    outcomes,
    hasCompleteSetMatching,
  })
  const { marketSerial } = answerOf(created)
  answerOf(await engine.submit('manage', { operatorId, marketSerial, action: 'open' }))
  const record = await onlyShard(store).reads.marketRecord(marketSerial)
  const market = { id: marketSerial, outcomes: record!.outcomes.map(({ serial }) => serial) }
  return { created, market }
}

function costIn(result: Result<unknown>): number {
  answerOf(result)
  return costOfResult(result)
}

/** One share offered at each of these prices, in hundredths. */
async function offer(fixture: EngineFixture, market: OpenMarket, prices: readonly number[]) {
  answerOf(await fixture.mint(market.id, 'seller', prices.length))
  for (const price of prices) {
    const order = { side: 'SELL', playerId: 'seller', shares: 100 as Shares } as const
    answerOf(await fixture.place(market, { ...order, price: (price * 100) as Price }))
  }
}

test('an order costs 1 and 1 for each trade; the rest of a MARKET order costs nothing', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    assert.equal(costIn(await fixture.place(market, { price: 100 as Price })), 1)
    await offer(fixture, market, [40, 41, 42])
    const taking = { shares: 200 as Shares, playerId: 'taker' }
    assert.equal(costIn(await fixture.place(market, taking)), 3)
    const rest = { type: 'MARKET', price: null, playerId: 'taker' } as const
    assert.equal(costIn(await fixture.place(market, rest)), 2)
    const rejected = await fixture.place(market, rest)
    assert.deepEqual([rejected.isAccepted, costOfResult(rejected)], [false, 1])
  }))

test('a repeated order costs 1, and 1 for 8 trades of its answer', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    await offer(
      fixture,
      market,
      Array.from({ length: 20 }, () => 40),
    )
    const taking = { shares: 2_000 as Shares, playerId: 'taker', transactionId: 'bet-1' }
    assert.equal(costIn(await fixture.place(market, taking)), 21)
    assert.equal(costIn(await fixture.place(market, taking)), 1 + 2)
  }))

test('each leg of a match by complete sets costs 1', () =>
  withEngine(async (fixture) => {
    const { market } = await marketOfFive(fixture, true)
    for (const outcomeSerial of market.outcomes.slice(1)) {
      answerOf(await fixture.place(market, { outcomeSerial, price: 2_000 as Price }))
    }
    const last = { playerId: 'taker', price: 2_000 as Price }
    assert.equal(costIn(await fixture.place(market, last)), 1 + names.length)
  }))

test('an order that cancels others of its player costs 1 for each of them', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    await offer(fixture, market, [40, 41, 42])
    const options = packOptions({ ...usualOptions, selfTradePrevention: 'CANCEL_OLDEST' })
    assert.equal(costIn(await fixture.place(market, { playerId: 'seller', options })), 4)
  }))

test('the plan of a FOK order costs 1 for 32 levels', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const prices = Array.from({ length: 40 }, (_, at) => 40 + at)
    await offer(fixture, market, prices)
    const options = packOptions({ ...usualOptions, timeInForce: 'FOK' })
    const order = { price: 7_900 as Price, shares: 4_000 as Shares, options }
    assert.equal(costIn(await fixture.place(market, order)), 1 + prices.length + 1)
  }))

test('a FOK order or preview that is rejected costs its plan all the same', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    const prices = Array.from({ length: 64 }, (_, at) => 20 + at)
    await offer(fixture, market, prices)
    const options = packOptions({ ...usualOptions, timeInForce: 'FOK' })
    const order = { price: 9_900 as Price, shares: 100_000 as Shares, options }
    const refused = await fixture.place(market, order)
    assert.deepEqual([refused.isAccepted, costOfResult(refused)], [false, 1 + 2])
    const { transactionId: _, ...preview } = { ...usualOrder(market), ...order }
    const previewed = await fixture.engine.submit('preview', preview)
    assert.deepEqual([previewed.isAccepted, costOfResult(previewed)], [false, 2])
  }))

test('mints, redemptions and new markets cost their outcomes, a mint already in advance', () =>
  withEngine(async (fixture) => {
    const { created, market } = await marketOfFive(fixture)
    assert.equal(costIn(created), 5)
    const sets = { operatorId, marketSerial: market.id, playerId: 'ann', transactionId: null }
    const mint = { ...sets, kind: 'MINT', shares: 100 as Shares } as const
    assert.equal(fixture.engine.costOf('changeSets', mint), 5)
    assert.equal(costIn(await fixture.engine.submit('changeSets', mint)), 5)
    assert.equal(costIn(await fixture.engine.submit('changeSets', { ...mint, kind: 'REDEEM' })), 5)
    assert.equal(fixture.engine.costOf('place', usualOrder(market)), 1)
  }))

test('a mass cancel costs what it cancels, at least 1', () =>
  withEngine(async (fixture) => {
    const { engine } = fixture
    const markets = [await fixture.market(), await fixture.market()]
    const placed = await Promise.all(
      Array.from({ length: 10 }, (_, at) => fixture.place(markets[at % 2]!)),
    )
    const orderSerials = placed.map((result) => engine.ids.serialOf(answerOf(result).order.id)!)
    const command = { operatorId, orderSerials }
    assert.equal(costIn(await engine.submit('cancelMany', command)), 10)
    assert.equal(costIn(await engine.submit('cancelMany', command)), 1)
  }))

test('a preview costs the levels that it would match, and a book 1 for 32 levels', () =>
  withEngine(async (fixture) => {
    const { engine } = fixture
    const market = await fixture.market()
    await offer(
      fixture,
      market,
      Array.from({ length: 40 }, (_, at) => 50 + at),
    )
    const { transactionId: _, ...order } = usualOrder(market)
    const preview = (shares: number) =>
      engine.submit('preview', {
        ...order,
        shares: (shares * 100) as Shares,
        price: 9_900 as Price,
      })
    assert.equal(costIn(await preview(40)), 40)
    assert.equal(costIn(await preview(1)), 1)
    const query = { marketSerial: market.id, outcomeSerial: market.outcomes[0]! }
    assert.equal(costIn(await engine.submit('book', { ...query, depth: 100 })), 2)
    assert.equal(costIn(await engine.submit('book', { ...query, depth: 10 })), 1)
    assert.equal(costIn(await engine.submit('prices', query)), 1)
  }))

test('an amended order costs 1 and its trades', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    await offer(fixture, market, [60, 61])
    const { order } = answerOf(await fixture.place(market, { shares: 500 as Shares }))
    const orderSerial = fixture.engine.ids.serialOf(order.id)!
    const amend = { operatorId, orderSerial, shares: null }
    const amended = await fixture.engine.submit('amend', { ...amend, price: 6_200 as Price })
    assert.equal(costIn(amended), 3)
  }))

test('a change of status costs 1 for the owner and for each participant that gets an event', () =>
  withEngine(async (fixture) => {
    const { engine } = fixture
    const market = await fixture.market()
    answerOf(await fixture.place(market, { operatorId: otherOperatorId }))
    const about = { operatorId, marketSerial: market.id }
    assert.equal(costIn(await engine.submit('manage', { ...about, action: 'close' })), 2)
  }))

test('a retry of settlements costs 1 for each of them', () =>
  withEngine(async (fixture) => {
    const { engine, shard } = fixture
    const market = await fixture.market()
    answerOf(await fixture.mint(market.id, 'ann', 1))
    answerOf(await fixture.mint(market.id, 'bob', 1))
    const about = { operatorId, marketSerial: market.id }
    answerOf(await engine.submit('manage', { ...about, action: 'close' }))
    const verdict = { winningOutcomeSerial: market.outcomes[0]!, source: 'the news', notes: null }
    answerOf(await engine.submit('manage', { ...about, action: 'resolve', ...verdict }))
    answerOf(await engine.submit('settle', about))
    const query = { operatorNumber: 1, marketSerial: market.id, playerId: null, after: null }
    const { rows } = await shard.reads.settlements({ ...query, limit: 10 })
    for (const { serial } of rows) {
      const failed = { operatorId, settlementSerial: serial, transactionId: `paid-${serial}` }
      const why = { status: 'FAILED', errorMessage: 'no wallet' } as const
      answerOf(await engine.submit('acknowledge', { ...failed, ...why }))
    }
    assert.equal(costIn(await engine.submit('retrySettlements', about)), rows.length)
    assert.equal(rows.length, 4)
  }))

test('a preview that has to look at single orders costs 1 for 32 of them', () =>
  withEngine(async (fixture) => {
    const market = await fixture.market()
    await offer(fixture, market, Array(100).fill(50))
    answerOf(await fixture.place(market, { price: 100 as Price, shares: 100 as Shares }))
    const options = packOptions({ ...usualOptions, selfTradePrevention: 'CANCEL_OLDEST' })
    const { transactionId: _, ...order } = usualOrder(market)
    const preview = { ...order, options, shares: 10_000 as Shares }
    assert.equal(costIn(await fixture.engine.submit('preview', preview)), 3)
  }))
