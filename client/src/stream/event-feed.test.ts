// A feed of events without a network: gaps, repeats, a slow reader, and expired events.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEventsRewound } from '../event-position.ts'
import type { Event, Subscribed } from '../generated/wire.ts'
import { eventsOf } from './event-feed.ts'
import type { Listener } from './listener.ts'

const payload = { title: 'x' }

function eventOf(sequence: number): Event {
  const event = { id: `e${sequence}`, sequence, operatorId: 'o', marketId: 'm', payload }
  const times = { createdAt: '', expiresAt: '' }
  // A feed reads the sequence only.
  return Object.assign(JSON.parse('{"eventType":"MARKET_CREATED"}'), event, times)
}

function answer(earliestSequence?: number, stored: Partial<Subscribed> = {}): Subscribed {
  const common = { type: 'subscribed', id: '1', channels: ['events'] } as const
  const ids = { marketIds: [], outcomeIds: [] }
  const earliest = earliestSequence === undefined ? {} : { earliestSequence }
  return { ...common, ...ids, ...earliest, ...stored }
}

/** A feed on a stream that records its calls: each `since` it subscribes with, pause, remove. */
function openFeed(since: number | null, historyId?: string) {
  const calls: (number | string | undefined)[] = []
  const histories: (string | undefined)[] = []
  const listeners: Listener[] = []
  const feed = eventsOf(
    {
      subscribe: (listener) => {
        listeners.push(listener)
        const start = listener.subscribing()
        calls.push(start?.since)
        histories.push(start?.historyId)
      },
      pause: () => calls.push('pause'),
      remove: () => calls.push('remove'),
    },
    { since: since ?? undefined, historyId },
  )
  const [listener] = listeners
  assert.ok(listener !== undefined)
  const receive = (sequence: number) =>
    listener.receive({ type: 'event', event: eventOf(sequence) })
  const events = feed[Symbol.asyncIterator]()
  return { feed, calls, histories, listener, receive, events }
}

test('a feed drops repeated events and subscribes again to fill a gap', async () => {
  const { calls, listener, receive, events } = openFeed(4)
  listener.subscribed(answer(1))
  for (const sequence of [3, 4, 5, 5, 7]) receive(sequence)
  assert.deepEqual(calls, [4, 5])
  // Until the answer arrives, events belong to the previous subscription.
  receive(6)
  listener.subscribed(answer(1))
  for (const sequence of [6, 7]) receive(sequence)
  for (const sequence of [5, 6, 7]) {
    const { value } = await events.next()
    assert.equal(value?.sequence, sequence)
  }
})

test('a slow reader pauses the feed, which resumes when all events are read', async () => {
  const { calls, listener, receive, events } = openFeed(0)
  listener.subscribed(answer(1))
  for (let sequence = 1; sequence <= 10_002; sequence += 1) receive(sequence)
  assert.deepEqual(calls, [0, 'pause'])
  for (let sequence = 1; sequence <= 10_000; sequence += 1) {
    assert.equal((await events.next()).value?.sequence, sequence)
  }
  assert.deepEqual(calls, [0, 'pause', 10_000])
  listener.subscribed(answer(1))
  receive(10_001)
  assert.equal((await events.next()).value?.sequence, 10_001)
})

test('expired events fail a feed that named a sequence, but not one that starts at 0', () => {
  const named = openFeed(4)
  assert.throws(() => named.listener.subscribed(answer(6)), { code: 'EVENTS_EXPIRED' })
  const fromStart = openFeed(0)
  fromStart.listener.subscribed(answer(6))
  fromStart.receive(6)
  assert.deepEqual(fromStart.calls, [0])
})

test('a feed without since starts with any event and continues after an interruption', () => {
  const { calls, listener, receive } = openFeed(null)
  listener.subscribed(answer())
  receive(41)
  receive(42)
  listener.disconnected()
  assert.deepEqual([...calls, listener.subscribing()?.since], [undefined, 42])
})

test('a feed sends the history that it knows, and shows how far the program has read', async () => {
  const { feed, calls, histories, listener, receive, events } = openFeed(4, 'given')
  assert.deepEqual(feed.position, { since: 4, historyId: 'given' })
  listener.subscribed(answer(1, { latestSequence: 9, historyId: 'given' }))
  for (const sequence of [5, 6, 8]) receive(sequence)
  await events.next()
  assert.deepEqual(feed.position, { since: 5, historyId: 'given' })
  assert.deepEqual(
    [calls, histories],
    [
      [4, 6],
      ['given', 'given'],
    ],
  )
})

test('a feed without since and history learns both from the first answer', async () => {
  const { feed, histories, listener, receive, events } = openFeed(null)
  assert.equal(feed.position, null)
  listener.subscribed(answer(undefined, { latestSequence: 40, historyId: 'known' }))
  assert.deepEqual(feed.position, { since: 40, historyId: 'known' })
  listener.disconnected()
  assert.deepEqual(listener.subscribing(), { since: 40, historyId: 'known' })
  listener.subscribed(answer(1, { latestSequence: 41, historyId: 'known' }))
  receive(41)
  assert.equal((await events.next()).value?.sequence, 41)
  assert.deepEqual(feed.position, { since: 41, historyId: 'known' })
  receive(43)
  assert.deepEqual(histories, [undefined, 'known'])
})

test('a sequence that was stored without its history fails if it is beyond the latest', () => {
  const { listener } = openFeed(41)
  const latest = { latestSequence: 40, historyId: 'known' }
  assert.throws(
    () => listener.subscribed(answer(1, latest)),
    (error) => {
      assert.ok(isEventsRewound(error))
      assert.deepEqual(error.details, { ...latest, earliestSequence: 1 })
      return true
    },
  )
  openFeed(40).listener.subscribed(answer(1, latest))
})
