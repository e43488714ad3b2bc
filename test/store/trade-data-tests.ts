// What a store guarantees for candles and the tape.

import assert from 'node:assert/strict'
import type { CandleQuery, CandleRow, RecordStore } from '../../src/store/store.ts'
import { serial } from '../support/core/steps.ts'
import { minuteMs, no, plainMarket, rows, startMs, yes } from './sample-rows.ts'
import type { StoreTests } from './store-fixture.ts'

const start = startMs / minuteMs
const any: CandleQuery = { outcomeSerial: yes, interval: '1m', from: null, to: null, limit: 1_000 }

async function minutesOf(
  { candles }: RecordStore,
  query: Partial<CandleQuery> = {},
): Promise<number[]> {
  const found = await candles({ ...any, ...query })
  return found.map(({ time }) => time / minuteMs - start)
}

const [open, high, low, close] = [5_000, 5_000, 5_000, 5_000]

export const tradeDataTests: StoreTests = {
  'trades of a minute are added to the candle of every interval': async (fixture) => {
    await fixture.commit(
      ...plainMarket,
      rows.candle({ minute: start, open: 5_000, high: 6_000, low: 4_000, close: 4_500 }),
      rows.candle({ minute: start, open: 1, high: 5_900, low: 3_900, close: 4_600, trades: 2 }),
      rows.candle({ outcomeSerial: no }),
    )
    await fixture.commit(
      rows.candle({ minute: start + 4, open: 7_000, high: 7_500, low: 7_000, close: 7_100 }),
      rows.candle({ minute: start + 59, open: 100, high: 100, low: 100, close: 100, shares: 7 }),
      rows.candle({ minute: start + 1_439, close: 9_000, high: 9_000 }),
      rows.candle({ minute: start + 1_440 }),
    )
    const { reads } = fixture.shard
    const first: CandleRow = {
      time: startMs,
      open: 5_000,
      high: 6_000,
      low: 3_900,
      close: 4_600,
      shares: 200,
      trades: 3,
    }
    assert.deepEqual((await reads.candles(any))[0], first)
    assert.deepEqual(await minutesOf(reads), [0, 4, 59, 1_439, 1_440])
    const fives = await reads.candles({ ...any, interval: '5m' })
    const five = { ...first, high: 7_500, close: 7_100, shares: 300, trades: 4 }
    assert.deepEqual(fives[0], five)
    assert.deepEqual(await minutesOf(reads, { interval: '5m' }), [0, 55, 1_435, 1_440])
    const hours = await reads.candles({ ...any, interval: '1h' })
    assert.deepEqual(hours[0], { ...five, low: 100, close: 100, shares: 307, trades: 5 })
    const days = await reads.candles({ ...any, interval: '1d' })
    const day = { ...five, high: 9_000, low: 100, close: 9_000, shares: 407, trades: 6 }
    const next = { time: startMs + 1_440 * minuteMs, open, high, low, close }
    assert.deepEqual(days, [day, { ...next, shares: 100, trades: 1 }])
  },

  'candles start at or after `from` and before `to`': async (fixture) => {
    const minutes = [0, 1, 2, 5, 9]
    await fixture.commit(
      ...plainMarket,
      ...minutes.map((minute) => rows.candle({ minute: start + minute })),
    )
    const { reads } = fixture.shard
    const at = (minute: number) => startMs + minute * minuteMs
    assert.deepEqual(await minutesOf(reads, { from: at(1) }), [1, 2, 5, 9])
    assert.deepEqual(await minutesOf(reads, { from: at(1) + 1 }), [2, 5, 9])
    assert.deepEqual(await minutesOf(reads, { from: at(2), to: at(5) }), [2])
    assert.deepEqual(await minutesOf(reads, { from: at(2), to: at(5) + 1 }), [2, 5])
    assert.deepEqual(await minutesOf(reads, { from: at(5), to: at(2) }), [])
    assert.deepEqual(await minutesOf(reads, { limit: 2 }), [5, 9])
    assert.deepEqual(await minutesOf(reads, { to: at(5), limit: 2 }), [1, 2])
    assert.deepEqual(await minutesOf(reads, { from: at(0), limit: 2 }), [0, 1])
    assert.deepEqual(await minutesOf(reads, { outcomeSerial: no }), [])
  },

  'the tape has the trades of one outcome of all operators, newest first': async (fixture) => {
    await fixture.commit(
      ...plainMarket,
      rows.trade({ serial: 20, isSellIncoming: 0 }),
      rows.trade({ serial: 21, outcomeSerial: no }),
      rows.trade({ serial: 22, isSellIncoming: 1, price: 6_000, shares: 5 }),
      rows.trade({ serial: 23, kind: 1, isSellIncoming: 1 }),
      rows.trade({ serial: 24, kind: 2, isSellIncoming: 0, buyerNumber: 2 }),
      rows.candle({ minute: start, trades: 3 }),
      rows.candle({ minute: start + 1_440, trades: 1 }),
    )
    const { tape } = fixture.shard.reads
    const all = await tape({ outcomeSerial: yes, after: null, limit: 10 })
    const sides = all.rows.map(({ serial, takerSide }) => [serial, takerSide])
    assert.deepEqual(sides, [
      [24, 'SELL'],
      [23, 'BUY'],
      [22, 'SELL'],
      [20, 'BUY'],
    ])
    assert.deepEqual([all.total, all.hasMore], [4, false])
    const page = await tape({ outcomeSerial: yes, after: 23, limit: 1 })
    assert.deepEqual(page, {
      rows: [{ serial: 22, createdAt: startMs, price: 6_000, shares: 5, takerSide: 'SELL' }],
      total: 4,
      totalIsExact: true,
      hasMore: true,
    })
    const none = await tape({ outcomeSerial: serial(99), after: null, limit: 1 })
    assert.deepEqual(none, { rows: [], total: 0, totalIsExact: true, hasMore: false })
  },

  'the last serial is that of the committed turns': async (fixture) => {
    const { lastSerial } = fixture.shard.reads
    assert.equal(await lastSerial(), 0)
    await fixture.commit(...plainMarket, rows.trade({ serial: 20 }))
    assert.equal(await lastSerial(), 20)
  },
}
