// Which days are read, and which are kept.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serial } from '../../test/support/core/steps.ts'
import type { DailyTotals, DailyTotalsQuery } from '../store/store.ts'
import { KeptDays } from './kept-days.ts'

const query = {
  operatorNumber: 1,
  marketSerial: null,
  categoryId: null,
  firstDay: 1,
  lastDay: 6,
} as const
const limits = { keptMax: 100, tradesOfStep: 10, tradesMax: 30 }

const totalsOf = (day: number, trades: number) => ({
  ...{ day, trades, players: 1 },
  ...{ shares: BigInt(trades), fees: 0n },
})

/** A store with trades on some days, which notes the days that are read. */
class CountedStore {
  readonly tradesOn: Map<number, number>
  openDay: number
  readonly read: string[] = []

  constructor(tradesOn: readonly (readonly [number, number])[], openDay: number) {
    this.tradesOn = new Map(tradesOn)
    this.openDay = openDay
  }

  dailyTotals = async (asked: DailyTotalsQuery): Promise<DailyTotals> => {
    const { firstDay, lastDay, tradesMax } = asked
    const days: DailyTotals['days'][number][] = []
    let [day, tradesRead] = [firstDay, 0]
    for (; day <= lastDay && tradesRead < tradesMax; day += 1) {
      const trades = this.tradesOn.get(day)
      if (trades === undefined) continue
      days.push(totalsOf(day, trades))
      tradesRead += trades
    }
    this.read.push(`${firstDay}-${day - 1}`)
    return { days, nextDay: day > lastDay ? null : day, openDay: this.openDay, tradesRead }
  }

  /** What was read since the last call. */
  reads(): string[] {
    return this.read.splice(0)
  }
}

test('only days that may still change are read again', async () => {
  const store = new CountedStore(
    [
      [2, 3],
      [5, 4],
    ],
    5,
  )
  const kept = new KeptDays(limits)
  const totals = () => kept.totals(() => store, query)
  const expected = [totalsOf(2, 3), totalsOf(5, 4)]
  assert.deepEqual(await totals(), expected)
  assert.deepEqual(store.reads(), ['1-6'])
  assert.deepEqual(await totals(), expected)
  assert.deepEqual(store.reads(), ['5-6'])
  store.tradesOn.set(5, 6).set(7, 1)
  store.openDay = 7
  const more = [totalsOf(2, 3), totalsOf(5, 6)]
  for (const days of [['5-6'], []]) {
    assert.deepEqual(await totals(), more)
    assert.deepEqual(store.reads(), days)
  }
  assert.deepEqual(await kept.totals(() => store, { ...query, firstDay: 0, lastDay: 8 }), [
    ...more,
    totalsOf(7, 1),
  ])
  assert.deepEqual(store.reads(), ['0-0', '7-8'])
})

test('each operator and market has days of its own, and a category keeps none', async () => {
  const store = new CountedStore([[2, 3]], 9)
  const kept = new KeptDays(limits)
  const filters = [
    {},
    { operatorNumber: 11 },
    { marketSerial: serial(1) },
    { marketSerial: serial(2) },
    { operatorNumber: 2 },
  ]
  for (const reads of [['1-6'], []]) {
    for (const filter of filters) {
      assert.deepEqual(await kept.totals(() => store, { ...query, ...filter }), [totalsOf(2, 3)])
      assert.deepEqual(store.reads(), reads, JSON.stringify(filter))
    }
  }
  for (let times = 0; times < 2; times += 1) {
    await kept.totals(() => store, { ...query, categoryId: 'c' })
    assert.deepEqual(store.reads(), ['1-6'])
  }
})

test('many trades are read in steps up to a limit, where the next request continues', async () => {
  const tradesOn = [1, 2, 3, 4, 5, 6].map((day) => [day, 9] as const)
  const store = new CountedStore(tradesOn, 9)
  const kept = new KeptDays(limits)
  assert.deepEqual(await kept.totals(() => store, query), { unreadFrom: 5 })
  assert.deepEqual(store.reads(), ['1-2', '3-4'])
  assert.deepEqual(
    await kept.totals(() => store, query),
    tradesOn.map(([day, trades]) => totalsOf(day, trades)),
  )
  assert.deepEqual(store.reads(), ['5-6'])
})

test('the days that were not used for longest are dropped', async () => {
  const store = new CountedStore([[2, 3]], 9)
  const kept = new KeptDays({ ...limits, keptMax: 12 })
  const read = async (operatorNumber: number) => {
    await kept.totals(() => store, { ...query, operatorNumber })
    return store.reads().length
  }
  assert.deepEqual([await read(1), await read(2), await read(1), kept.count], [1, 1, 0, 12])
  assert.deepEqual([await read(3), kept.count], [1, 12])
  assert.deepEqual([await read(1), await read(3), await read(2)], [0, 0, 1])
  assert.equal(kept.count, 12)
})
