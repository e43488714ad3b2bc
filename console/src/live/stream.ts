// The one connection to the stream, which the client keeps up, and what the pages know of it: while
// it is not live, they show that they are stale.

import { signal } from '@preact/signals'
import {
  type Feed,
  isOutcryError,
  type Stream,
  type StreamState,
} from '../../../client/src/outcry.ts'
import { endSession, exchange } from '../exchange.ts'
import type { StoredEvent } from '../wire.ts'

/** A heartbeat comes every 10 seconds; without one for this long, the connection is dead. */
const silenceMaxMs = 14_000

export const isLive = signal(false)
/** When it went stale, in Unix milliseconds; null while it is live or never was. */
export const staleSince = signal<number | null>(null)
/** Counts connections: what a page has loaded before the latest may have missed something. */
export const connection = signal(0)
/** Of the operator that is signed in; null where nobody is, or the administrator. */
export const stream = signal<Stream | null>(null)

addEventListener('online', () => stream.peek()?.retry())
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') stream.peek()?.retry()
})

/** Follows all events of whoever is signed in, which also keeps the connection. */
export function openStream(onEvent: (event: StoredEvent) => void): void {
  closeStream()
  const opened = exchange().stream({ silenceMaxMs })
  opened.onState((state) => {
    if (stream.peek() === opened) show(state)
  })
  stream.value = opened
  followEvents(opened, onEvent)
}

export function closeStream(): void {
  const closed = stream.peek()
  stream.value = null
  closed?.close()
  isLive.value = false
  staleSince.value = null
}

/** Hands on what comes, until the answer is called; says if it ended before that. */
export function follow<Item>(
  feed: Feed<Item>,
  hear: (item: Item) => void,
  onFailure: (error: unknown) => void = () => undefined,
): () => void {
  const read = async () => {
    for await (const item of feed) hear(item)
  }
  // What the stream refuses, the routes refuse, too, and there it is shown.
  read().catch(onFailure)
  return () => feed.close()
}

function followEvents(opened: Stream, onEvent: (event: StoredEvent) => void): void {
  follow(opened.events(), onEvent, (error) => {
    if (stream.peek() !== opened) return
    if (isOutcryError(error, 'UNAUTHORIZED', 'FORBIDDEN')) endSession()
    // Away for longer than events are kept: pages load anew, and go on from now.
    else if (isOutcryError(error, 'EVENTS_EXPIRED')) {
      connection.value += 1
      followEvents(opened, onEvent)
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
