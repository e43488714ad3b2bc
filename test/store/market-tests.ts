// What a store guarantees for markets: complete records, lists, search and counts.

import assert from 'node:assert/strict'
import type { MarketQuery } from '../../src/store/store.ts'
import { serial } from '../support/core/steps.ts'
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
import type { StoreTests } from './store-fixture.ts'

const anyMarket: MarketQuery = {
  operatorNumber: owner,
  categoryId: null,
  statuses: null,
  search: null,
  sharedIn: null,
  after: null,
  limit: 100,
}
const huge = 123_456_789_012_345_678_901_234_567n

const resolution = {
  payouts: [10_000, 0],
  winner: 0,
  source: 'The press',
  notes: null,
  resolvedAt: startMs + 7,
}
const run = {
  kind: 'SETTLE',
  phase: 'PAYING',
  cancelledOrders: 3,
  lastPosition: 30,
  settled: 1,
  payout: String(huge),
} as const

export const marketTests: StoreTests = {
  'a market is stored completely, with sums of any size': async (fixture) => {
    const text = {
      description: 'Über',
      imageUrl: 'https://x',
      categoryId: 'c',
      metadata: '{"a":1}',
    }
    const times = { tradingStartsAt: startMs + 1, tradingEndsAt: startMs + 2 }
    const counters = { volume: huge, tradeCount: 5, setsMinted: 2n ** 53n + 1n, setsRedeemed: 7n }
    await fixture.commit(
      rows.market({ ...text, ...times, status: 5, resolution: JSON.stringify(resolution) }),
      rows.newOutcome({ description: 'Über 1 mm' }),
      rows.newOutcome({ serial: no, place: 1, name: 'No' }),
      rows.marketCounters(counters),
      rows.outcome({ outcomeSerial: no, version: 9, lastPrice: 4_000 }),
      rows.participant(),
      rows.participant(),
      rows.job({ job: JSON.stringify(run) }),
    )
    const outcome = { createdAt: startMs, volume: [] }
    const outcomes = [
      { serial: yes, name: 'Yes', version: 0, lastPrice: 0, ...outcome },
      { serial: no, name: 'No', version: 9, lastPrice: 4_000, ...outcome },
    ]
    const expected = {
      serial: market,
      createdAt: startMs,
      updatedAt: startMs,
      ownerId: 'operator-1',
      currency: 'USD',
      isShared: true,
      hasCompleteSetMatching: false,
      feeSchedule: null,
      priceBand: null,
      status: 'RESOLVED',
      title: 'Will it rain?',
      categoryId: 'c',
      ...times,
      ...counters,
      participantIds: ['operator-2'],
      job: { ...run, payout: huge },
      failedSettlements: [],
    }
    const { reads } = fixture.shard
    assert.deepEqual(await reads.marketRecord(market), {
      ...expected,
      resolution: { payouts: [10_000, 0], winner: 0, resolvedAt: startMs + 7 },
      outcomes,
      storedBytes: { description: 5, imageUrl: 9, metadata: 7, outcomeDescriptions: 10 },
    })
    assert.deepEqual(await reads.market(market), {
      ...expected,
      ...text,
      resolution,
      outcomes: outcomes.map((each, index) => ({
        ...each,
        description: index === 0 ? 'Über 1 mm' : null,
      })),
      ownerNumber: owner,
      hasPublicPage: false,
      category: null,
    })
    assert.equal(await reads.market(serial(99)), null)
    assert.equal(await reads.marketRecord(serial(99)), null)
  },

  'a public page is there from the row that states it on, until another one': async (fixture) => {
    const isPublic = async () => (await fixture.shard.reads.market(market))!.hasPublicPage
    await fixture.commit(...plainMarket, rows.marketPublicPage())
    assert.equal(await isPublic(), true)
    await fixture.commit(rows.market({ title: 'Snow?', status: 3 }))
    assert.equal(await isPublic(), true)
    await fixture.commit(rows.marketPublicPage({ hasPublicPage: 0 }))
    assert.equal(await isPublic(), false)
  },

  'a fee schedule is there from the row that states it on, until another one': async (fixture) => {
    const schedule = { model: 'LINEAR', takerRate: 700, makerRate: 0 }
    const read = async () => {
      const { reads } = fixture.shard
      const [shown, loaded] = [await reads.market(market), await reads.marketRecord(market)]
      assert.deepEqual(loaded!.feeSchedule, shown!.feeSchedule)
      return shown!.feeSchedule
    }
    const stated = rows.marketFees({ feeSchedule: JSON.stringify(schedule) })
    await fixture.commit(...plainMarket, stated)
    assert.deepEqual(await read(), schedule)
    await fixture.commit(rows.market({ title: 'Snow?', status: 3 }))
    assert.deepEqual(await read(), schedule)
    await fixture.commit(rows.marketFees({ feeSchedule: null }))
    assert.equal(await read(), null)
  },

  'a price band is there from the row that states it on, until another one': async (fixture) => {
    const priceBand = { maxMove: 500, suspendOnBand: true }
    const read = async () => {
      const { reads } = fixture.shard
      const [shown, loaded] = [await reads.market(market), await reads.marketRecord(market)]
      assert.deepEqual(loaded!.priceBand, shown!.priceBand)
      return shown!.priceBand
    }
    await fixture.commit(...plainMarket, rows.marketBand({ priceBand: JSON.stringify(priceBand) }))
    assert.deepEqual(await read(), priceBand)
    await fixture.commit(rows.market({ title: 'Snow?', status: 3 }))
    assert.deepEqual(await read(), priceBand)
    await fixture.commit(rows.marketBand({ priceBand: null }))
    assert.equal(await read(), null)
  },

  'the texts of a market change only by rows of their own': async (fixture) => {
    const textOf = async () => {
      const { title, description, imageUrl, metadata } = (await fixture.shard.reads.market(market))!
      return [title, description, imageUrl, metadata]
    }
    const [, ...outcomes] = plainMarket
    const texts = { description: 'Rain or shine', imageUrl: 'https://x', metadata: '{"a":1}' }
    await fixture.commit(rows.market(texts), ...outcomes)
    await fixture.commit(rows.market({ title: 'Snow?', status: 3 }))
    assert.deepEqual(await textOf(), ['Snow?', 'Rain or shine', 'https://x', '{"a":1}'])
    await fixture.commit(
      rows.market({ title: 'Hail?' }),
      rows.marketImageUrl(),
      rows.marketMetadata({ metadata: '{"b":2}' }),
    )
    assert.deepEqual(await textOf(), ['Hail?', 'Rain or shine', null, '{"b":2}'])
    await fixture.commit(rows.marketDescription({ description: 'Snow' }))
    assert.deepEqual(await textOf(), ['Hail?', 'Snow', null, '{"b":2}'])
    await fixture.commit(rows.market({ status: 5, resolution: JSON.stringify(resolution) }))
    await fixture.commit(rows.market({ status: 6 }))
    assert.deepEqual((await fixture.shard.reads.market(market))!.resolution, resolution)
    const { storedBytes } = (await fixture.shard.reads.marketRecord(market))!
    const bytes = { description: 4, imageUrl: 0, metadata: 7, outcomeDescriptions: 0 }
    assert.deepEqual(storedBytes, bytes)
  },

  'trades of a minute are merged, and the volume of the last day is loaded': async (fixture) => {
    const minute = startMs / minuteMs
    await fixture.commit(
      ...plainMarket,
      rows.candle({ minute, high: 6_000, low: 5_000, close: 5_500, shares: 10 }),
      rows.candle({ minute, open: 1, high: 5_900, low: 4_000, close: 4_000, shares: 5, trades: 2 }),
      rows.candle({ minute: minute + 1_439, shares: 7 }),
      rows.candle({ outcomeSerial: no, minute: minute - 5_000, shares: 8 }),
    )
    const volumes = async () => {
      const record = await fixture.shard.reads.marketRecord(market)
      return record!.outcomes.map(({ volume }) => volume)
    }
    const late = { minute: minute + 1_439, shares: 7 }
    const alone = [{ minute: minute - 5_000, shares: 8 }]
    assert.deepEqual(await volumes(), [[{ minute, shares: 15 }, late], alone])
    await fixture.commit(rows.candle({ minute: minute + 1_440, shares: 1 }))
    assert.deepEqual(await volumes(), [[late, { minute: minute + 1_440, shares: 1 }], alone])
  },

  'a failed settlement belongs to its market until it is completed': async (fixture) => {
    await fixture.commit(...plainMarket, rows.settlement({ status: 3 }))
    const failedOf = async () => (await fixture.shard.reads.marketRecord(market))!.failedSettlements
    assert.deepEqual(await failedOf(), [
      {
        serial: 50,
        createdAt: startMs,
        positionSerial: 30,
        positionCreatedAt: startMs,
        outcome: 1,
        operatorId: 'operator-1',
        playerId: 'ann',
        shares: 100,
        payoutPerShare: 10_000,
      },
    ])
    await fixture.commit(rows.settlement({ status: 2 }))
    assert.deepEqual(await failedOf(), [])
  },

  'search ignores case in every alphabet and has no wildcards': async (fixture) => {
    const titles = ['Wird es ÜBERALL regnen?', '100% sure_thing', 'Ещё ДОЖДЬ', 'plain', 'ΟΔΟΣΑ ΜΑΣ']
    const markets = titles.map((title, index) => rows.market({ serial: 100 + index, title }))
    await fixture.commit(...markets)
    const found = async (search: string) => {
      const { rows, total } = await fixture.shard.reads.markets({ ...anyMarket, search })
      assert.equal(total, rows.length)
      return rows.map(({ title }) => title)
    }
    assert.deepEqual(await found('überall'), [titles[0]])
    assert.deepEqual(await found('Überall REG'), [titles[0]])
    assert.deepEqual(await found('дождь'), [titles[2]])
    for (const part of ['ΟΔΟΣ', 'οδος', 'οδοσ', 'μασ', 'ΜΑΣ']) {
      assert.deepEqual(await found(part), [titles[4]], part)
    }
    assert.deepEqual(await found('%'), [titles[1]])
    assert.deepEqual(await found('E_T'), [titles[1]])
    assert.deepEqual(await found('pl_in'), [])
    assert.deepEqual(await found("'"), [])
    await fixture.commit(rows.market({ serial: 103, title: 'PLÄIN' }))
    assert.deepEqual(await found('pläin'), ['PLÄIN'])
  },

  'markets are listed newest first, by owner, status, category and page': async (fixture) => {
    const change = (serial: number, more: object) => rows.market({ serial, isShared: 0, ...more })
    await fixture.store.registry.categories.put({
      id: 'c-1',
      operatorId: null,
      name: 'Sport',
      slug: 'sport',
      description: null,
      iconUrl: null,
      isActive: true,
      sortOrder: 0,
      createdAt: startMs,
    })
    await fixture.commit(
      change(100, { status: 0 }),
      change(101, { status: 2, categoryId: 'c-1' }),
      change(102, { status: 6 }),
      change(103, { ownerNumber: participant }),
      change(104, { ownerNumber: participant, isShared: 1 }),
      change(105, { ownerNumber: participant, isShared: 1, currency: 'EUR' }),
      change(106, { ownerNumber: participant, isShared: 1, status: 0 }),
      change(107, { isShared: 1 }),
    )
    const expected: [Partial<MarketQuery>, number[]][] = [
      [{}, [107, 102, 101, 100]],
      [{ statuses: ['OPEN', 'SETTLED'] }, [107, 102, 101]],
      [{ statuses: [] }, []],
      [{ categoryId: 'c-1' }, [101]],
      [{ sharedIn: ['USD'] }, [107, 104, 102, 101, 100]],
      [{ sharedIn: ['USD', 'EUR'], statuses: ['OPEN'] }, [107, 105, 104, 101]],
      [{ sharedIn: [] }, [107, 102, 101, 100]],
      [{ operatorNumber: participant, sharedIn: ['USD'] }, [107, 106, 105, 104, 103]],
    ]
    for (const [filter, serials] of expected) {
      const page = await fixture.shard.reads.markets({ ...anyMarket, ...filter })
      const listed = page.rows.map(({ serial }) => serial)
      assert.deepEqual(listed, serials, JSON.stringify(filter))
      assert.equal(page.total, serials.length)
    }
    const page = await fixture.shard.reads.markets({ ...anyMarket, after: 107, limit: 2 })
    assert.deepEqual([page.rows.length, page.hasMore, page.total], [2, true, 4])
    assert.deepEqual(page.rows[1]!.category, { id: 'c-1', name: 'Sport', slug: 'sport' })
  },

  'a page of markets ends by its length, too, and the next one continues': async (fixture) => {
    const long = (serial: number) => rows.market({ serial, metadata: 'm'.repeat(1_500_000) })
    await fixture.commit(long(100), long(101), long(102), rows.market({ serial: 103 }))
    const first = await fixture.shard.reads.markets(anyMarket)
    assert.deepEqual(
      [first.rows.map(({ serial }) => serial), first.hasMore],
      [[103, 102, 101], true],
    )
    assert.equal(first.total, 4)
    assert.ok(first.bytes > 3_000_000 && first.bytes < 3_010_000, `${first.bytes} bytes`)
    const next = await fixture.shard.reads.markets({ ...anyMarket, after: 101 })
    assert.deepEqual([next.rows.map(({ serial }) => serial), next.hasMore], [[100], false])
    await fixture.commit(rows.market({ serial: 104, metadata: 'm'.repeat(5_000_000) }))
    const alone = await fixture.shard.reads.markets(anyMarket)
    assert.deepEqual([alone.rows.map(({ serial }) => serial), alone.hasMore], [[104], true])
  },

  "an operator's markets are counted by status": async (fixture) => {
    const statuses = [2, 2, 4, 7]
    await fixture.commit(
      ...statuses.map((status, index) => rows.market({ serial: 100 + index, status })),
      rows.market({ serial: 200, ownerNumber: participant }),
    )
    assert.deepEqual(await fixture.shard.reads.marketCounts(owner), {
      DRAFT: 0,
      UPCOMING: 0,
      OPEN: 2,
      SUSPENDED: 0,
      CLOSED: 1,
      RESOLVED: 0,
      SETTLED: 0,
      CANCELLED: 1,
    })
  },
}
