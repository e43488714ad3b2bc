// A feed of events without a network: gaps, repeats, a slow reader, and expired events.

import assert from 'node:assert/strict'
import { test } from 'node:test'
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

function answer(earliestSequence?: number): Subscribed {
  const common = { type: 'subscribed', id: '1', channels: ['events'] } as const
  const ids = { marketIds: [], outcomeIds: [] }
  return { ...common, ...ids, ...(earliestSequence === undefined ? {} : { earliestSequence }) }
}

/** A feed on a stream that records its calls: each `since` it subscribes with, pause, remove. */
function openFeed(since: number | null) {
  const calls: (number | string | undefined)[] = []
  const listeners: Listener[] = []
  const feed = eventsOf(
    {
      subscribe: (listener) => {
        listeners.push(listener)
        calls.push(listener.subscribing())
      },
      pause: () => calls.push('pause'),
      remove: () => calls.push('remove'),
    },
    since,
  )
  const [listener] = listeners
  assert.ok(listener !== undefined)
  const receive = (sequence: number) =>
    listener.receive({ type: 'event', event: eventOf(sequence) })
  return { feed, calls, listener, receive, events: feed[Symbol.asyncIterator]() }
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
  assert.deepEqual([...calls, listener.subscribing()], [undefined, 42])
})
