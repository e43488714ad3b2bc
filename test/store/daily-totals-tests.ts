// What a store guarantees for the totals of an operator's trades by day.

import assert from 'node:assert/strict'
import { issuer, type RecordStore, type Row } from '../../src/store/store.ts'
import { serial } from '../support/core/steps.ts'
import { market, owner, participant, plainMarket, rows, startMs } from './sample-rows.ts'
import type { StoreTests } from './store-fixture.ts'

const dayMs = 86_400_000
const start = startMs / dayMs
const any = {
  operatorNumber: owner,
  marketSerial: null,
  categoryId: null,
  firstDay: start,
  lastDay: start + 365,
  tradesMax: 1_000,
}

/** By day since the start: trades, shares, fees, players. */
async function totalsOf({ dailyTotals }: RecordStore, query: Partial<typeof any> | object = {}) {
  const { days, nextDay, openDay } = await dailyTotals({ ...any, ...query })
  const rows = days.map(({ day, trades, shares, fees, players }) => [
    ...[day - start, trades],
    ...[shares, fees],
    players,
  ])
  return { rows, nextDay, openDay: openDay - start }
}

type OwnTrade = Partial<Row<'trade'>> & { readonly serial: number; readonly dayOfTrade?: number }

/** A trade between two orders of its own. */
function tradeOf(
  { dayOfTrade = 0, ...change }: OwnTrade,
  { buyer = 'ann', seller = 'bob' }: { buyer?: string; seller?: string } = {},
) {
  const createdAt = startMs + dayOfTrade * dayMs + (change.createdAt ?? 0)
  const [buyOrderSerial, sellOrderSerial] = [change.serial - 2, change.serial - 1]
  const trade = { buyOrderSerial, sellOrderSerial, ...change, createdAt }
  const { buyerNumber = owner, sellerNumber = participant } = change
  const order = { ...('marketSerial' in change ? { marketSerial: change.marketSerial! } : {}) }
  const buy = { serial: buyOrderSerial, operatorNumber: buyerNumber, playerId: buyer, ...order }
  const sell = { serial: sellOrderSerial, operatorNumber: sellerNumber, playerId: seller, ...order }
  return [
    ...(buyerNumber === issuer ? [] : [rows.newOrder({ ...buy, status: 2 })]),
    ...(sellerNumber === issuer ? [] : [rows.newOrder({ ...sell, status: 2, isSell: 1 })]),
    rows.trade(trade),
  ]
}

export const dailyTotalsTests: StoreTests = {
  'a day has each trade of the operator once, its own fees, and its own players once': async (
    fixture,
  ) => {
    const huge = 9_007_199_254_740_991
    const { reads } = fixture.shard
    assert.deepEqual(await totalsOf(reads), { rows: [], nextDay: null, openDay: -start })
    await fixture.commit(
      ...plainMarket,
      ...tradeOf({ serial: 103, createdAt: 0, buyerFee: huge, sellerFee: 5 }),
      ...tradeOf({ serial: 106, createdAt: dayMs - 1, buyerFee: huge }),
      ...tradeOf({ serial: 109, dayOfTrade: 1 }, { buyer: 'Ann', seller: 'ann' }),
      ...tradeOf({ serial: 112, dayOfTrade: 1, sellerNumber: owner, sellerFee: 7 }),
      ...tradeOf({ serial: 115, dayOfTrade: 3, sellerNumber: owner }, { seller: 'ann' }),
      ...tradeOf({ serial: 118, dayOfTrade: 3, buyerNumber: participant }),
      ...tradeOf({ serial: 121, dayOfTrade: 3, sellerNumber: issuer, kind: 1, sellerFee: 0 }),
    )
    const own = [
      [0, 2, 200n, 2n * BigInt(huge), 1],
      [1, 2, 200n, 2_007n, 3],
      [3, 2, 200n, 4_000n, 1],
    ]
    assert.deepEqual(await totalsOf(reads), { rows: own, nextDay: null, openDay: 3 })
    const others = await totalsOf(reads, { operatorNumber: participant })
    assert.deepEqual(others.rows, [
      [0, 2, 200n, 2_005n, 1],
      [1, 1, 100n, 2_000n, 1],
      [3, 1, 100n, 3_000n, 2],
    ])
    assert.deepEqual((await totalsOf(reads, { operatorNumber: 77 })).rows, [])
    const inRange = async (firstDay: number, lastDay: number) => {
      const found = await totalsOf(reads, { firstDay: start + firstDay, lastDay: start + lastDay })
      return found.rows.map(([day]) => day)
    }
    assert.deepEqual(await inRange(1, 2), [1])
    assert.deepEqual(await inRange(2, 2), [])
    assert.deepEqual(await inRange(3, 3), [3])
    assert.deepEqual(await inRange(-9, 0), [0])
    assert.deepEqual(await inRange(4, 9), [])
  },

  'days are added up of one market, or of the markets that are in a category now': async (
    fixture,
  ) => {
    const inMarket = (marketSerial: number) => ({ marketSerial: serial(marketSerial) })
    await fixture.commit(
      ...plainMarket,
      rows.market({ categoryId: 'rain' }),
      rows.market({ serial: 5, categoryId: 'snow' }),
      rows.market({ serial: 6 }),
      ...tradeOf({ serial: 103 }),
      ...tradeOf({ serial: 106, ...inMarket(5) }),
      ...tradeOf({ serial: 109, ...inMarket(6) }),
      ...tradeOf({ serial: 112, buyerNumber: participant }),
    )
    const { reads } = fixture.shard
    const one = [[0, 1, 100n, 1_000n, 1]]
    const two = [[0, 2, 200n, 2_000n, 1]]
    assert.deepEqual((await totalsOf(reads, { marketSerial: market })).rows, one)
    assert.deepEqual((await totalsOf(reads, { marketSerial: 5 })).rows, one)
    assert.deepEqual((await totalsOf(reads, { marketSerial: 7 })).rows, [])
    assert.deepEqual((await totalsOf(reads, { categoryId: 'rain' })).rows, one)
    assert.deepEqual((await totalsOf(reads, { categoryId: 'hail' })).rows, [])
    await fixture.commit(rows.market({ serial: 5, categoryId: 'rain' }))
    assert.deepEqual((await totalsOf(reads, { categoryId: 'rain' })).rows, two)
    assert.deepEqual((await totalsOf(reads, { categoryId: 'snow' })).rows, [])
  },

  'a read of many trades ends with a whole day, and the next continues after it': async (
    fixture,
  ) => {
    const counts = [3, 2, 9, 4]
    let last = 100
    const trades = counts.flatMap((count, dayOfTrade) =>
      Array.from({ length: count }, (_, index) => {
        last += 3
        return tradeOf({ serial: last, dayOfTrade }, { buyer: `player-${index % 4}` })
      }),
    )
    await fixture.commit(...plainMarket, ...trades.flat())
    const { reads } = fixture.shard
    const row = (day: number, players: number) => {
      const count = counts[day]!
      return [day, count, BigInt(count) * 100n, BigInt(count) * 1_000n, players]
    }
    const all = [row(0, 3), row(1, 2), row(2, 4), row(3, 4)]
    const expected: readonly [number, unknown[], number | null][] = [
      [1, [row(0, 3)], 1],
      [2, [row(0, 3)], 1],
      [4, [row(0, 3), row(1, 2)], 2],
      [5, [row(0, 3), row(1, 2)], 2],
      [6, all.slice(0, 3), 3],
      [15, all, null],
      [18, all, null],
      [1_000, all, null],
    ]
    for (const [tradesMax, rows, nextDay] of expected) {
      const found = await totalsOf(reads, { tradesMax })
      const next = nextDay === null ? null : start + nextDay
      assert.deepEqual([found.rows, found.nextDay], [rows, next], String(tradesMax))
    }
    const third = await totalsOf(reads, { tradesMax: 2, firstDay: start + 2 })
    assert.deepEqual([third.rows, third.nextDay], [[row(2, 4)], start + 3])
    const upTo = await totalsOf(reads, { tradesMax: 2, lastDay: start })
    assert.deepEqual([upTo.rows, upTo.nextDay], [[row(0, 3)], null])
  },
}
