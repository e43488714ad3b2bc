// What a feed of events makes of what it hears, without a network: gaps, repeats, a slow taker,
// and events that are no longer kept.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event, Subscribed } from '../generated/wire.ts'
import { eventsOf } from './event-feed.ts'
import type { Listener } from './listener.ts'

const payload = { title: 'x' }

function eventOf(sequence: number): Event {
  const event = { id: `e${sequence}`, sequence, operatorId: 'o', marketId: 'm', payload }
  const times = { createdAt: '', expiresAt: '' }
  // A feed looks at the sequence alone.
  return Object.assign(JSON.parse('{"eventType":"MARKET_CREATED"}'), event, times)
}

function answer(earliestSequence?: number): Subscribed {
  const common = { type: 'subscribed', id: '1', channels: ['events'] } as const
  const ids = { marketIds: [], outcomeIds: [] }
  return { ...common, ...ids, ...(earliestSequence === undefined ? {} : { earliestSequence }) }
}

/** A stream that writes down what is asked of it. */
function scene(since: number | null) {
  const asked: (number | string | undefined)[] = []
  const listeners: Listener[] = []
  const feed = eventsOf(
    {
      begin: (listener) => {
        listeners.push(listener)
        asked.push(listener.asked())
      },
      hold: () => asked.push('hold'),
      leave: () => asked.push('leave'),
    },
    since,
  )
  const [listener] = listeners
  assert.ok(listener !== undefined)
  const hear = (sequence: number) => listener.hear({ type: 'event', event: eventOf(sequence) })
  return { feed, asked, listener, hear, events: feed[Symbol.asyncIterator]() }
}

test('what came before is left out, and a gap is asked for again', async () => {
  const { asked, listener, hear, events } = scene(4)
  listener.taken(answer(1))
  for (const sequence of [3, 4, 5, 5, 7]) hear(sequence)
  assert.deepEqual(asked, [4, 5])
  // Until the answer has come, what is heard belongs to the subscription before.
  hear(6)
  listener.taken(answer(1))
  for (const sequence of [6, 7]) hear(sequence)
  for (const sequence of [5, 6, 7]) {
    const { value } = await events.next()
    assert.equal(value?.sequence, sequence)
  }
})

test('a slow taker holds the feed, and gets the rest when it has caught up', async () => {
  const { asked, listener, hear, events } = scene(0)
  listener.taken(answer(1))
  for (let sequence = 1; sequence <= 10_002; sequence += 1) hear(sequence)
  assert.deepEqual(asked, [0, 'hold'])
  for (let sequence = 1; sequence <= 10_000; sequence += 1) {
    assert.equal((await events.next()).value?.sequence, sequence)
  }
  assert.deepEqual(asked, [0, 'hold', 10_000])
  listener.taken(answer(1))
  hear(10_001)
  assert.equal((await events.next()).value?.sequence, 10_001)
})

test('events that are gone are told of, unless none was named', () => {
  const named = scene(4)
  assert.throws(() => named.listener.taken(answer(6)), { code: 'EVENTS_EXPIRED' })
  const fromStart = scene(0)
  fromStart.listener.taken(answer(6))
  fromStart.hear(6)
  assert.deepEqual(fromStart.asked, [0])
})

test('without since any event is the first, and after a break it goes on from there', () => {
  const { asked, listener, hear } = scene(null)
  listener.taken(answer())
  hear(41)
  hear(42)
  listener.interrupted()
  assert.deepEqual([...asked, listener.asked()], [undefined, 42])
})
