// Pages of the event replay: filters, limits, and that only the last page may be empty.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serial } from '../../../test/support/core/steps.ts'
import { apiKeys, testServer } from '../../../test/support/http/rest-server.ts'
import { Random } from '../../../test/support/process/random.ts'
import { type EventType, eventTypes } from '../../core/words.ts'
import type { EventQuery, EventRecordRow } from '../../store/store.ts'
import { eventPage } from './event-page.ts'

type ExpandedEvent = { readonly sequence: number; readonly eventType: EventType }

const historyId = '3f0a1e52-6a51-4c1e-9a58-1c2f0d7b9e66'

/** Rows of one to six events; the body of a row contains the types of its events. */
function history(random: Random, rows: number): EventRecordRow[] {
  let sequence = 0
  return Array.from({ length: rows }, () => {
    const types = Array.from({ length: random.between(1, 6) }, () => random.pick(eventTypes))
    const firstSequence = sequence + 1
    sequence += types.length
    return {
      firstSequence,
      lastSequence: sequence,
      createdAt: 1,
      marketSerial: serial(1),
      marketCreatedAt: 1,
      types: types.reduce((mask, type) => mask | (1 << eventTypes.indexOf(type)), 0),
      body: JSON.stringify(types),
    }
  })
}

function expand({ firstSequence, body }: EventRecordRow): ExpandedEvent[] {
  const types: EventType[] = JSON.parse(body)
  return types.map((eventType, index) => ({ sequence: firstSequence + index, eventType }))
}

function sourceOf(rows: readonly EventRecordRow[]) {
  const read = async ({ since, types, limit }: EventQuery) => {
    const left = rows.filter(
      (row) => row.lastSequence > since && (types === null || (row.types & types) !== 0),
    )
    return {
      rows: left.slice(0, limit),
      hasMore: left.length > limit,
      earliestSequence: 1,
      lastSequence: 0,
      historyId,
    }
  }
  return { read, expand }
}

test('pages return each event once, in order, and only the last may be empty', async () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const random = new Random(seed)
    const rows = history(random, 60)
    const eventType = random.chance(70) ? random.pick(eventTypes) : null
    const limit = random.between(1, 30)
    const start = random.between(0, 40)
    const expected = rows
      .flatMap(expand)
      .filter((event) => event.sequence > start)
      .filter((event) => eventType === null || event.eventType === eventType)
    const got: ExpandedEvent[] = []
    for (let since = start, hasMore = true; hasMore; ) {
      const query = { operatorNumber: 1, since, eventType, marketSerial: null, limit, notBefore: 0 }
      const page = await eventPage(sourceOf(rows), query)
      assert.ok(page.events.length <= limit, `seed ${seed}`)
      assert.ok(page.events.length > 0 || !page.hasMore, `seed ${seed}`)
      got.push(...page.events)
      since = page.events.at(-1)?.sequence ?? since
      hasMore = page.hasMore
    }
    assert.deepEqual(got, expected, `seed ${seed}`)
  }
})

test('an empty page returns since as lastSequence, and which events are stored', async () => {
  const ends = { earliestSequence: 12, lastSequence: 11, historyId }
  const events = async () => ({ rows: [], hasMore: false, ...ends })
  const app = testServer({ reads: { events } })
  const headers = { 'x-api-key': apiKeys.all }
  const { data } = (await app.inject({ url: '/api/v1/events?since=77', headers })).json()
  const stored = { earliestSequence: 12, latestSequence: 11, historyId }
  assert.deepEqual(data, { events: [], hasMore: false, lastSequence: 77, ...stored })
})

test('the store is not queried for expired events', async () => {
  const queries: EventQuery[] = []
  const events = async (query: EventQuery) => {
    queries.push(query)
    return { rows: [], hasMore: false, earliestSequence: 1, lastSequence: 0, historyId }
  }
  const app = testServer({ reads: { events }, now: () => 5_000_000, eventRetentionMs: 1_000_000 })
  const headers = { 'x-api-key': apiKeys.all }
  await app.inject({ url: '/api/v1/events?eventType=ORDER_MATCHED', headers })
  assert.equal(queries[0]!.notBefore, 4_000_000)
  assert.equal(queries[0]!.types, 1 << eventTypes.indexOf('ORDER_MATCHED'))
})

test('a page of rows of two histories is of the first: the next request is refused', async () => {
  // With enough rows, whatever types there are, some of that type are left after the first read.
  const rows = history(new Random(1), 200)
  const source = sourceOf(rows)
  let reads = 0
  const read = async (query: EventQuery) => {
    reads += 1
    const page = await source.read({ ...query, limit: 6 })
    return { ...page, lastSequence: reads, historyId: reads === 1 ? historyId : 'another' }
  }
  const query = { operatorNumber: 1, since: 0, marketSerial: null, notBefore: 0, limit: 20 }
  const page = await eventPage({ read, expand }, { ...query, eventType: 'MARKET_CREATED' })
  assert.ok(reads > 1)
  assert.deepEqual([page.stored.historyId, page.stored.latestSequence], [historyId, reads])
})

test('a page that the store ends early says that there are more events', async () => {
  const rows = history(new Random(1), 10)
  const source = sourceOf(rows)
  const read = async (query: EventQuery) => {
    return source.read({ ...query, limit: 2 })
  }
  const query = { operatorNumber: 1, since: 0, eventType: null, marketSerial: null, notBefore: 0 }
  const page = await eventPage({ read, expand }, { ...query, limit: 1_000 })
  assert.equal(page.hasMore, true)
  assert.equal(page.events.at(-1)?.sequence, rows[1]!.lastSequence)
})
