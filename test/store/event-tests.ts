// What a store guarantees for events: pages without gaps, filters and pruning.

import assert from 'node:assert/strict'
import { RecentEvents, sizePerOperatorMax } from '../../src/feed/webhooks/recent-events.ts'
import { pageLengthMax } from '../../src/store/sql/read-events.ts'
import type { EventQuery, OperatorEventRow } from '../../src/store/store.ts'
import { serial } from '../support/core/steps.ts'
import { Random } from '../support/process/random.ts'
import { type Adding, owner, participant, rows, startMs } from './sample-rows.ts'
import type { StoreFixture, StoreTests } from './store-fixture.ts'

const any: EventQuery = {
  operatorNumber: owner,
  since: 0,
  types: null,
  marketSerial: null,
  limit: 100,
  notBefore: 0,
}
// Rows of several events, one row per second.
const records = [
  { firstSequence: 1, lastSequence: 3, types: 0b0011, marketSerial: 1 },
  { firstSequence: 4, lastSequence: 4, types: 0b0100, marketSerial: 2 },
  { firstSequence: 5, lastSequence: 9, types: 0b0110, marketSerial: 1 },
  { firstSequence: 10, lastSequence: 12, types: 0b1000, marketSerial: 1 },
].map((row, index) => ({ ...row, createdAt: startMs + index * 1_000 }))

const allRecords: readonly Adding[] = [
  ...records.map((row) => rows.eventRecord(row)),
  rows.eventRecord({ operatorNumber: participant, firstSequence: 1, lastSequence: 50 }),
  rows.eventSequence({ eventSequence: 12 }),
  rows.eventSequence({ operatorNumber: participant, eventSequence: 50 }),
]

// Rows of seven events, one row per millisecond. A few have a rare type and a market of their own.
const manyRows = 1_000
const rareType = 0b1_0000
const rareRows = [0, 147, 700, 999]
const rareFirsts = rareRows.map((row) => row * 7 + 1)
const many: readonly Adding[] = Array.from({ length: manyRows }, (_, row) => {
  const isRare = rareRows.includes(row)
  return rows.eventRecord({
    firstSequence: row * 7 + 1,
    lastSequence: row * 7 + 7,
    createdAt: startMs + row,
    types: isRare ? rareType | 1 : 0b11,
    marketSerial: isRare ? 9 : 1,
  })
})

/** Rows of one operator, as committed turns would have them. */
function randomRows(random: Random, count: number): OperatorEventRow[] {
  const made: OperatorEventRow[] = []
  for (let at = 0; at < count; at += 1) {
    const firstSequence = (made.at(-1)?.lastSequence ?? 0) + 1
    made.push({
      operatorNumber: owner,
      firstSequence,
      lastSequence: firstSequence + random.between(0, 99),
      createdAt: (made.at(-1)?.createdAt ?? startMs) + random.between(0, 5),
      marketSerial: serial(random.between(1, 3)),
      marketCreatedAt: startMs,
      types: random.between(1, 0b1111),
      body: JSON.stringify([at]),
    })
  }
  return made
}

async function firstsOf(fixture: StoreFixture, query: Partial<EventQuery>): Promise<number[]> {
  const page = await fixture.shard.reads.events({ ...any, ...query })
  return page.rows.map(({ firstSequence }) => firstSequence)
}

export const eventTests: StoreTests = {
  'a page begins with the row that contains the next sequence': async (fixture) => {
    await fixture.commit(...allRecords)
    assert.deepEqual(await firstsOf(fixture, {}), [1, 4, 5, 10])
    assert.deepEqual(await firstsOf(fixture, { since: 2 }), [1, 4, 5, 10])
    assert.deepEqual(await firstsOf(fixture, { since: 3 }), [4, 5, 10])
    assert.deepEqual(await firstsOf(fixture, { since: 7 }), [5, 10])
    assert.deepEqual(await firstsOf(fixture, { since: 11 }), [10])
    assert.deepEqual(await firstsOf(fixture, { since: 12 }), [])
    assert.deepEqual(await firstsOf(fixture, { since: 1_000 }), [])
    assert.deepEqual(await firstsOf(fixture, { operatorNumber: participant }), [1])
    assert.deepEqual(await firstsOf(fixture, { operatorNumber: 77 }), [])
  },

  'a row is read back as it was stored': async (fixture) => {
    await fixture.commit(...allRecords)
    const { historyId: _, ...page } = await fixture.shard.reads.events({ ...any, limit: 1 })
    const expected = { ...records[0], marketCreatedAt: startMs, body: '[]' }
    const ends = { earliestSequence: 1, lastSequence: 12 }
    assert.deepEqual(page, { rows: [expected], hasMore: true, ...ends })
  },

  'every page tells the history of the store, which the next opening keeps': async (fixture) => {
    await fixture.commit(...allRecords)
    const historyOf = async (query: Partial<EventQuery>) =>
      (await fixture.shard.reads.events({ ...any, ...query })).historyId
    const historyId = await historyOf({})
    assert.match(historyId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    for (const operatorNumber of [participant, 77]) {
      assert.equal(await historyOf({ operatorNumber }), historyId)
    }
    await fixture.reopen()
    assert.equal(await historyOf({}), historyId)
  },

  'a page of long rows ends early and says that more follow': async (fixture) => {
    const body = JSON.stringify('x'.repeat(pageLengthMax / 3))
    await fixture.commit(
      ...records.map((row) => rows.eventRecord({ ...row, body })),
      rows.eventSequence({ eventSequence: 12 }),
    )
    const page = await fixture.shard.reads.events(any)
    assert.deepEqual([page.rows.length, page.hasMore], [3, true])
    assert.deepEqual(await firstsOf(fixture, { since: 9 }), [10])
  },

  'filters by type and market can be combined with paging': async (fixture) => {
    await fixture.commit(...allRecords)
    assert.deepEqual(await firstsOf(fixture, { types: 0b0010 }), [1, 5])
    assert.deepEqual(await firstsOf(fixture, { types: 0b1001 }), [1, 10])
    assert.deepEqual(await firstsOf(fixture, { marketSerial: serial(2) }), [4])
    assert.deepEqual(await firstsOf(fixture, { marketSerial: serial(1), types: 0b0100 }), [5])
    const page = await fixture.shard.reads.events({
      ...any,
      marketSerial: serial(1),
      since: 1,
      limit: 2,
    })
    assert.deepEqual([page.rows.length, page.hasMore], [2, true])
    const last = await fixture.shard.reads.events({
      ...any,
      marketSerial: serial(1),
      since: 9,
      limit: 2,
    })
    assert.deepEqual([last.rows.length, last.hasMore], [1, false])
  },

  'expired events are not returned, and the earliest remaining sequence is': async (fixture) => {
    await fixture.commit(...allRecords)
    for (const [age, earliest] of [
      [0, 1],
      [1, 4],
      [1_000, 4],
      [1_001, 5],
      [3_000, 10],
      [3_001, 13],
    ] as const) {
      const page = await fixture.shard.reads.events({ ...any, notBefore: startMs + age })
      assert.equal(page.earliestSequence, earliest)
      assert.equal(page.rows[0]?.firstSequence, earliest === 13 ? undefined : earliest)
    }
    const none = await fixture.shard.reads.events({ ...any, operatorNumber: 77 })
    assert.deepEqual([none.earliestSequence, none.lastSequence], [1, 0])
  },

  'old events are pruned a few at a time, oldest first': async (fixture) => {
    await fixture.commit(...allRecords)
    const { shard } = fixture
    const request = {
      eventsBefore: startMs + 2_000,
      batchesBefore: 0,
      attemptsBefore: 0,
      atMost: 2,
    }
    assert.deepEqual(await shard.prune(request), { hasMore: true })
    assert.deepEqual(await shard.prune(request), { hasMore: false })
    assert.deepEqual(await firstsOf(fixture, {}), [5, 10])
    assert.deepEqual(await firstsOf(fixture, { operatorNumber: participant }), [])
    const past = await fixture.shard.reads.events({ ...any, operatorNumber: participant })
    assert.deepEqual([past.earliestSequence, past.lastSequence], [51, 50])
    await fixture.commit(rows.eventRecord({ firstSequence: 13, lastSequence: 13 }))
    assert.deepEqual(await firstsOf(fixture, { since: 10 }), [10, 13])
  },

  'a rare type or market is found among many events, page by page': async (fixture) => {
    await fixture.commit(...many, rows.eventSequence({ eventSequence: manyRows * 7 }))
    for (const query of [
      { types: rareType },
      { marketSerial: serial(9) },
      { types: rareType, marketSerial: serial(9) },
    ]) {
      const found: number[] = []
      for (let since = 0; ; ) {
        const page = await fixture.shard.reads.events({ ...any, ...query, since, limit: 2 })
        found.push(...page.rows.map(({ firstSequence }) => firstSequence))
        if (!page.hasMore) break
        since = page.rows.at(-1)!.lastSequence
      }
      assert.deepEqual(found, rareFirsts, JSON.stringify(query))
    }
    assert.deepEqual(await firstsOf(fixture, { types: 1 << 9 }), [])
    assert.deepEqual(await firstsOf(fixture, { types: rareType, marketSerial: serial(8) }), [])
    assert.deepEqual(await firstsOf(fixture, { types: rareType, since: rareFirsts[2]! + 6 }), [
      rareFirsts[3],
    ])
  },

  'pruned events are not found by their type, later ones are': async (fixture) => {
    await fixture.commit(...many, rows.eventSequence({ eventSequence: manyRows * 7 }))
    const prune = (eventsBefore: number) =>
      fixture.shard.prune({ eventsBefore, batchesBefore: 0, attemptsBefore: 0, atMost: 10_000 })
    await prune(startMs + 600)
    assert.deepEqual(await firstsOf(fixture, { types: rareType }), rareFirsts.slice(2))
    await prune(startMs + 10_000)
    assert.deepEqual(await firstsOf(fixture, { types: rareType }), [])
    const firstSequence = manyRows * 7 + 1
    const next = {
      firstSequence,
      lastSequence: firstSequence,
      types: rareType,
      marketSerial: serial(9),
    }
    await fixture.commit(
      rows.eventRecord(next),
      rows.eventSequence({ eventSequence: firstSequence }),
    )
    assert.deepEqual(await firstsOf(fixture, { types: rareType }), [firstSequence])
    assert.deepEqual(await firstsOf(fixture, { marketSerial: serial(9) }), [firstSequence])
  },

  'recent events are the same in memory as in the store': async (fixture) => {
    const random = new Random(19)
    const recent = new RecentEvents()
    const all = randomRows(random, 600)
    const last = all.at(-1)!
    const adding = all.map((row) => rows.eventRecord(row))
    await fixture.commit(...adding, rows.eventSequence({ eventSequence: last.lastSequence }))
    for (const row of all.slice(300)) recent.add(row)
    let answers = 0
    for (let at = 0; at < 300; at += 1) {
      const query = {
        operatorNumber: owner,
        since: random.between(all[200]!.firstSequence, last.lastSequence),
        types: random.chance(50) ? null : random.between(1, 0b1111),
        marketSerial: random.chance(80) ? null : serial(random.between(1, 3)),
        limit: random.pick([1, 64, 1_000]),
        notBefore: at < 200 ? 0 : random.pick(all).createdAt,
      }
      const page = recent.page(query, last.lastSequence)
      if (page === null) continue
      answers += 1
      const stored = await fixture.shard.reads.events(query)
      const { earliestSequence, historyId: _, ...expected } = stored
      const { earliestSequence: first, ...found } = page
      assert.deepEqual(found, expected, JSON.stringify(query))
      assert.ok(earliestSequence <= query.since + 1 && first <= query.since + 1)
    }
    assert.ok(answers > 100, String(answers))
    // So that no page from memory is longer than one of the store.
    assert.ok(sizePerOperatorMax < pageLengthMax)
  },

  'turns can be committed after old turns were pruned': async (fixture) => {
    for (let turn = 0; turn < 5; turn += 1)
      await fixture.commit(rows.participant({ marketSerial: turn }))
    const request = { eventsBefore: 0, batchesBefore: startMs + 1, attemptsBefore: 0, atMost: 3 }
    assert.deepEqual(await fixture.shard.prune(request), { hasMore: true })
    assert.deepEqual(await fixture.shard.prune(request), { hasMore: false })
    await fixture.commit(rows.participant({ marketSerial: serial(9) }))
    assert.equal((await fixture.shard.claim()).batchId, 'batch-5')
  },
}
