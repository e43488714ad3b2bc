// A service whose database was restored: the client sends the history that it knows, and programs
// are told.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type EventsRewound, isEventsRewound } from '../../client/src/outcry.ts'
import { ClientFixture, limit } from './fixture.ts'

const otherHistory = '3f0a1e52-6a51-4c1e-9a58-1c2f0d7b9e66'
const fixture = await ClientFixture.open()
after(() => fixture.close())

/** A client that records the queries of its requests for events. */
function recording() {
  const queries: URLSearchParams[] = []
  const client = fixture.clientOf({
    fetch: (input, init) => {
      const { pathname, searchParams } = new URL(String(input))
      if (pathname === '/api/v1/events') queries.push(searchParams)
      return fetch(input, init)
    },
  })
  return { client, queries }
}

async function rewound(events: AsyncIterable<unknown>): Promise<EventsRewound> {
  try {
    for await (const _ of events) assert.fail('unexpected event')
  } catch (error) {
    assert.ok(isEventsRewound(error))
    return error
  }
  return assert.fail('nothing was thrown')
}

test('a replay sends the history from its second page on, and shows its position', async () => {
  const market = await fixture.market()
  for (let at = 0; at < 3; at += 1) await fixture.client.orders.place(limit(market, 'BUY'))
  const { client, queries } = recording()
  const replay = client.events.each({ limit: 2, eventType: 'ORDER_PLACED' })
  assert.equal(replay.position, null)
  const { historyId, latestSequence } = await client.events.list({ limit: 1 })
  queries.length = 0
  for await (const { sequence } of replay) {
    assert.deepEqual(replay.position, { since: sequence, historyId })
  }
  assert.ok(queries.length > 1)
  const sent = queries.map((query) => query.get('historyId'))
  assert.deepEqual(sent, [null, ...sent.slice(1).map(() => historyId)])
  assert.deepEqual(replay.position, { since: latestSequence, historyId })
  for await (const _ of client.events.each(replay.position ?? {})) assert.fail('unexpected event')
})

test('a replay and a feed of another history throw, and say where to continue', async () => {
  const market = await fixture.market()
  const { historyId, latestSequence } = await fixture.client.events.list()
  const { client, queries } = recording()
  const stream = client.stream()
  try {
    const position = { since: 1, historyId: otherHistory }
    const error = await rewound(client.events.each(position))
    assert.equal(error.status, 409)
    assert.equal(queries.length, 1, 'the request is not repeated')
    const { details } = await rewound(stream.events(position))
    assert.deepEqual(details, error.details)
    assert.deepEqual([details.historyId, details.latestSequence], [historyId, latestSequence])
    const feed = stream.events({ since: details.latestSequence, historyId: details.historyId })
    const next = feed[Symbol.asyncIterator]().next()
    await client.orders.place(limit(market, 'BUY'))
    const { value } = await next
    assert.equal(value?.sequence, latestSequence + 1)
    assert.deepEqual(feed.position, { since: latestSequence + 1, historyId })
  } finally {
    stream.close()
  }
})

test('a sequence beyond the latest throws, also if its history was not stored', async () => {
  await fixture.market()
  const { historyId, latestSequence } = await fixture.client.events.list()
  const stream = fixture.client.stream()
  try {
    for (const known of [historyId, undefined]) {
      const position = { since: latestSequence + 1, historyId: known }
      for (const events of [fixture.client.events.each(position), stream.events(position)]) {
        const { details } = await rewound(events)
        assert.deepEqual([details.historyId, details.latestSequence], [historyId, latestSequence])
      }
    }
  } finally {
    stream.close()
  }
})
