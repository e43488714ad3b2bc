// The stream of the signed-in operator and the state of its connection. While it is not live, pages
// show that their data is stale.

import { signal } from '@preact/signals'
import {
  type Feed,
  isOutcryError,
  type Stream,
  type StreamState,
} from '../../../client/src/outcry.ts'
import { endSession, exchange } from '../exchange.ts'
import type { StoredEvent } from '../wire.ts'

/** The service sends a heartbeat every 10 seconds; without one for this long, reconnect. */
const silenceMaxMs = 14_000

export const isLive = signal(false)
/** When the data became stale, in Unix milliseconds; null while live, or before the first time. */
export const staleSince = signal<number | null>(null)
/** Counts connections: data loaded before the latest one may be out of date. */
export const connection = signal(0)
/** null without a session, and for the administrator. */
export const stream = signal<Stream | null>(null)

addEventListener('online', () => stream.peek()?.retry())
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') stream.peek()?.retry()
})

type EventHandlers = {
  readonly onEvent: (event: StoredEvent) => void
  /** The database of the service was restored: earlier events may be gone. */
  readonly onRewound: () => void
}

/** Opens the stream and follows all events of the operator, which keeps it connected. */
export function openStream(handlers: EventHandlers): void {
  closeStream()
  const opened = exchange().stream({ silenceMaxMs })
  opened.onState((state) => {
    if (stream.peek() === opened) show(state)
  })
  stream.value = opened
  followEvents(opened, handlers)
}

export function closeStream(): void {
  const closed = stream.peek()
  stream.value = null
  closed?.close()
  isLive.value = false
  staleSince.value = null
}

/** Passes on every item of a feed. Returns a function that ends it. */
export function follow<Item>(
  feed: Feed<Item>,
  onItem: (item: Item) => void,
  onFailure: (error: unknown) => void = () => undefined,
): () => void {
  const read = async () => {
    for await (const item of feed) onItem(item)
  }
  // The REST routes reject the same requests, and the pages show those errors.
  read().catch(onFailure)
  return () => feed.close()
}

function followEvents(opened: Stream, handlers: EventHandlers): void {
  follow(opened.events(), handlers.onEvent, (error) => {
    if (stream.peek() !== opened) return
    if (isOutcryError(error, 'UNAUTHORIZED', 'FORBIDDEN')) endSession()
    // Disconnected for longer than events are kept, or the database was restored: pages reload and
    // continue from now.
    else if (isOutcryError(error, 'EVENTS_EXPIRED', 'EVENTS_REWOUND')) {
      if (error.code === 'EVENTS_REWOUND') handlers.onRewound()
      connection.value += 1
      followEvents(opened, handlers)
    } else throw error
  })
}

function show(state: StreamState): void {
  isLive.value = state === 'OPEN'
  if (state === 'OPEN') {
    staleSince.value = null
    connection.value += 1
  } else if (state === 'WAITING') staleSince.value ??= Date.now()
}
