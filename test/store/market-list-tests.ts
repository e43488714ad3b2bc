// What a store guarantees for lists of markets: each order has the same markets as a sorted array,
// and a summary the same figures as all candles.

import assert from 'node:assert/strict'
import { marketStatuses } from '../../src/core/words.ts'
import { countedMax, type MarketQuery, marketSorts } from '../../src/store/store.ts'
import { serial } from '../support/core/steps.ts'
import { Random } from '../support/process/random.ts'
import {
  market,
  minuteMs,
  no,
  owner,
  participant,
  plainMarket,
  rows,
  startMs,
  yes,
} from './sample-rows.ts'
import type { StoreFixture, StoreTests } from './store-fixture.ts'

type Listed = {
  readonly serial: number
  readonly title: string
  readonly tradingEndsAt: number
  readonly totalVolume: bigint
  readonly totalTrades: number
  readonly status: number
}
type Sort = (typeof marketSorts)[number]

const openStatus = marketStatuses.indexOf('OPEN')
const draftStatus = marketStatuses.indexOf('DRAFT')

const anyMarket: MarketQuery = {
  operatorNumber: owner,
  categoryId: null,
  statuses: null,
  search: null,
  sharedIn: null,
  after: null,
  limit: 1_000,
}
// Equal ones, and larger ones than a number is exact for.
const volumes = [5n, 700n, 700n, 2n ** 53n + 4_096n, 10n ** 24n]
const titles = ['b', 'B', 'a', '\u{1f600}', 'z', 'Z z']

async function addMarkets(fixture: StoreFixture): Promise<readonly Listed[]> {
  const random = new Random(11)
  const markets = Array.from({ length: 40 }, (_, index) => {
    const totalTrades = random.between(0, 4)
    return {
      serial: 100 + index,
      title: random.pick(titles),
      tradingEndsAt: random.chance(30) ? 0 : startMs + random.between(1, 5),
      totalVolume: totalTrades === 0 ? 0n : random.pick(volumes),
      totalTrades,
      status: random.between(0, marketStatuses.length - 1),
    }
  })
  const counters = markets
    .filter(({ totalTrades }) => totalTrades > 0)
    .map((each) =>
      rows.marketCounters({
        marketSerial: serial(each.serial),
        volume: each.totalVolume,
        tradeCount: each.totalTrades,
      }),
    )
  await fixture.commit(
    ...markets.map(({ totalVolume, totalTrades, ...fields }) => rows.market(fields)),
    ...counters,
    rows.market({ serial: 999, ownerNumber: participant }),
  )
  return markets
}

const keys: Readonly<Record<Sort, (market: Listed) => bigint | Buffer>> = {
  createdAt: (each) => BigInt(each.serial),
  title: ({ title }) => Buffer.from(title.toLowerCase()),
  totalVolume: ({ totalVolume }) => totalVolume,
  totalTrades: ({ totalTrades }) => BigInt(totalTrades),
  tradingEndsAt: ({ tradingEndsAt }) => BigInt(tradingEndsAt),
}

function compare(one: bigint | Buffer, other: bigint | Buffer): number {
  if (one instanceof Buffer && other instanceof Buffer) return one.compare(other)
  return one < other ? -1 : one > other ? 1 : 0
}

function inOrder(markets: readonly Listed[], by: Sort, sign: 1 | -1): readonly Listed[] {
  const isLast = (each: Listed) => by === 'tradingEndsAt' && each.tradingEndsAt === 0
  return markets.toSorted(
    (one, other) =>
      Number(isLast(one)) - Number(isLast(other)) ||
      sign * compare(keys[by](one), keys[by](other)) ||
      sign * (one.serial - other.serial),
  )
}

async function allPages(fixture: StoreFixture, query: MarketQuery, total: number) {
  const found: number[] = []
  for (let after: number | null = null; ; ) {
    const page = await fixture.shard.reads.markets({ ...query, after, limit: 7 })
    assert.equal(page.total, total)
    found.push(...page.rows.map((row) => row.serial))
    if (!page.hasMore) return found
    after = found.at(-1)!
  }
}

const hour = 60

export const marketListTests: StoreTests = {
  'markets are sorted by each field, both ways, in pages without gaps': async (fixture) => {
    const markets = await addMarkets(fixture)
    for (const by of marketSorts) {
      for (const isAscending of [false, true]) {
        const expected = inOrder(markets, by, isAscending ? 1 : -1).map((each) => each.serial)
        const query = { ...anyMarket, sort: { by, isAscending } }
        const found = await allPages(fixture, query, markets.length)
        assert.deepEqual(found, expected, `${by}, ${isAscending ? 'ascending' : 'descending'}`)
      }
    }
  },

  'a sorted list goes on after a market that the filters leave out now, and after no hidden one':
    async (fixture) => {
      const shared = { ownerNumber: participant, isShared: 1, status: openStatus }
      await fixture.commit(
        rows.market({ serial: 100, title: 'a', status: draftStatus }),
        rows.market({ serial: 101, title: 'b', status: openStatus }),
        rows.market({ serial: 102, title: 'c', status: draftStatus }),
        rows.market({ ...shared, serial: 103, title: 'b' }),
        rows.market({ ...shared, serial: 104, title: 'b', isShared: 0 }),
        rows.market({ ...shared, serial: 105, title: 'b', status: draftStatus }),
      )
      const sort = { by: 'title', isAscending: true } as const
      const list = { ...anyMarket, statuses: ['DRAFT'], sharedIn: ['USD'], sort } as const
      const after = async (last: number) => {
        const { rows: found } = await fixture.shard.reads.markets({ ...list, after: last })
        return found.map((row) => row.serial)
      }
      for (const visible of [101, 103]) assert.deepEqual(await after(visible), [102])
      for (const hidden of [104, 105, 999]) assert.deepEqual(await after(hidden), [])
    },

  'a sorted list of more markets than are sorted has no rows': async (fixture) => {
    const add = (from: number, count: number) =>
      fixture.commit(
        ...Array.from({ length: count }, (_, at) => rows.market({ serial: from + at })),
      )
    const sort = { by: 'title', isAscending: true } as const
    const read = () => fixture.shard.reads.markets({ ...anyMarket, sort, limit: 2 })
    await add(1_000, countedMax)
    const whole = await read()
    assert.deepEqual([whole.rows.length, whole.totalIsExact], [2, true])
    await add(1_000 + countedMax, 1)
    const cut = await read()
    assert.deepEqual([cut.rows.length, cut.total, cut.totalIsExact], [0, countedMax, false])
  },

  'markets whose owner has the next step are found': async (fixture) => {
    const markets = await addMarkets(fixture)
    const attentionAt = startMs + 3
    const expected = markets
      .filter(({ status, tradingEndsAt }) => {
        const word = marketStatuses[status]!
        if (word === 'OPEN') return tradingEndsAt !== 0 && tradingEndsAt <= attentionAt
        return word === 'SUSPENDED' || word === 'CLOSED' || word === 'RESOLVED'
      })
      .map((each) => each.serial)
      .reverse()
    const { rows: found } = await fixture.shard.reads.markets({ ...anyMarket, attentionAt })
    assert.ok(expected.length > 5)
    assert.deepEqual(
      found.map((row) => row.serial),
      expected,
    )
  },

  'a summary has the last 24 hours of a market and of its favourite outcome': async (fixture) => {
    const now = startMs + 24 * hour * minuteMs + 90_000
    const nowMinute = Math.floor(now / minuteMs)
    const at = (minutesAgo: number) => nowMinute - minutesAgo
    const candle = (minutesAgo: number, fields: object) =>
      rows.candle({ minute: at(minutesAgo), ...fields })
    await fixture.commit(
      ...plainMarket,
      rows.outcome({ outcomeSerial: yes, lastPrice: 6_000 }),
      rows.outcome({ outcomeSerial: no, version: 1, lastPrice: 4_000 }),
      candle(1_500, { open: 1_000, close: 2_000, shares: 1 }),
      // The last minute before the day, and its first one.
      candle(1_440, { close: 2_500, shares: 2 }),
      candle(1_439, { close: 3_000, shares: 4 }),
      candle(70, { close: 5_000, shares: 8 }),
      candle(0, { close: 6_000, shares: 16 }),
      candle(3, { outcomeSerial: no, close: 4_000, shares: 32 }),
    )
    const read = (operatorNumber: number, supportedCurrencies: readonly string[]) =>
      fixture.shard.reads.marketSummaries({
        operatorNumber,
        supportedCurrencies,
        marketSerials: [market, serial(99)],
        now,
      })
    const [summary, ...none] = await read(owner, [])
    assert.deepEqual(none, [])
    assert.equal(summary?.volume24h, 60)
    const { favourite } = summary!
    assert.deepEqual(
      [favourite?.name, favourite?.lastPrice, favourite?.priceBefore],
      ['Yes', 6_000, 2_500],
    )
    const hourOf = (minutesAgo: number) => Math.floor(at(minutesAgo) / hour) * hour * minuteMs
    assert.deepEqual(favourite?.points, [
      { time: hourOf(1_439), price: 3_000 },
      { time: hourOf(70), price: 5_000 },
      { time: hourOf(0), price: 6_000 },
    ])
    assert.equal((await read(participant, ['USD'])).length, 1)
    assert.deepEqual(await read(participant, ['EUR']), [])
  },

  'a market without trades has no favourite, and its first price is the price before': async (
    fixture,
  ) => {
    const query = {
      operatorNumber: owner,
      supportedCurrencies: [],
      marketSerials: [market],
      now: startMs,
    }
    await fixture.commit(...plainMarket)
    const [before] = await fixture.shard.reads.marketSummaries(query)
    assert.deepEqual([before?.volume24h, before?.favourite], [0, null])
    await fixture.commit(
      rows.outcome({ outcomeSerial: yes, lastPrice: 7_000 }),
      rows.candle({ open: 6_000, close: 7_000 }),
    )
    const [after] = await fixture.shard.reads.marketSummaries(query)
    assert.deepEqual([after?.favourite?.lastPrice, after?.favourite?.priceBefore], [7_000, 6_000])
    await fixture.commit(rows.outcome({ outcomeSerial: no, lastPrice: 7_000 }))
    const [equal] = await fixture.shard.reads.marketSummaries(query)
    assert.equal(equal?.favourite?.name, 'Yes')
  },
}
