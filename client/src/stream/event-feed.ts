// A feed of an operator's events: each once, in order, with no gap over any interruption. If they
// are not read fast enough, the feed pauses its subscription; the service keeps the events.

import type { OutcryError } from '../errors.ts'
import {
  assertKept,
  assertReached,
  type EventPosition,
  type EventStart,
  positionOf,
} from '../event-position.ts'
import type { Event, ServerMessage, Subscribed } from '../generated/wire.ts'
import { Feed } from './feed.ts'
import { ItemQueue } from './item-queue.ts'
import type { Listener, StreamControl, SubscriptionFilter } from './listener.ts'

const eventsUnreadMax = 10_000

/** Without `since`, the feed starts with the next event. */
export function eventsOf(
  stream: StreamControl,
  start: EventStart,
  signal?: AbortSignal,
): EventFeed {
  const listener = new EventListener(stream, start)
  stream.subscribe(listener)
  return new EventFeed(listener, () => stream.remove(listener), signal)
}

export class EventFeed extends Feed<Event> {
  readonly #listener: Pick<EventListener, 'position'>

  constructor(listener: EventListener, onClose: () => void, signal?: AbortSignal) {
    super(
      {
        next: async () => {
          const result = await listener.queue.next()
          if (result.done !== true) listener.onRead(result.value)
          return result
        },
        end: () => listener.queue.end(),
        abortWith: (...abort) => listener.queue.abortWith(...abort),
      },
      onClose,
      signal,
    )
    this.#listener = listener
  }

  /** Of the event that was read last; null until the service has answered the subscription. */
  get position(): EventPosition | null {
    return this.#listener.position
  }
}

class EventListener implements Listener {
  readonly filter: SubscriptionFilter = { channels: ['events'] }
  readonly queue: ItemQueue<Event>
  readonly #stream: StreamControl
  /** Sequence of the last event received; null until the service has answered the subscription. */
  #last: number | null
  /** The same of the last event that the program has read. */
  #read: number | null
  /** Of all events that were received. */
  #historyId: string | null
  /** Sequence that must come next; null if any may. */
  #next: number | null = null
  #state: 'SUBSCRIBING' | 'RECEIVING' | 'PAUSED' = 'SUBSCRIBING'

  constructor(stream: StreamControl, { since, historyId }: EventStart) {
    this.#stream = stream
    this.#last = since ?? null
    this.#read = this.#last
    this.#historyId = historyId ?? null
    this.queue = new ItemQueue(() => this.#resume())
  }

  get position(): EventPosition | null {
    return positionOf(this.#read, this.#historyId)
  }

  onRead({ sequence }: Event): void {
    this.#read = sequence
  }

  subscribing(): EventStart {
    // Ignores what still arrives for an older subscription.
    this.#state = 'SUBSCRIBING'
    return { since: this.#last ?? undefined, historyId: this.#historyId ?? undefined }
  }

  subscribed(answer: Subscribed): void {
    const { earliestSequence = 0, latestSequence, historyId } = answer
    this.#state = 'RECEIVING'
    this.#historyId = historyId ?? this.#historyId
    if (this.#last === null) {
      this.#last = latestSequence ?? null
      this.#read = this.#last
    } else {
      assertReached(this.#last, answer)
      assertKept(this.#last, earliestSequence)
    }
    if (this.#last !== null) this.#next = Math.max(this.#last + 1, earliestSequence)
  }

  receive(message: ServerMessage): void {
    if (message.type !== 'event' || this.#state !== 'RECEIVING') return
    const { sequence } = message.event
    if (this.#next !== null && sequence < this.#next) return
    if (this.#next !== null && sequence > this.#next) {
      this.#stream.subscribe(this)
      return
    }
    if (this.queue.size >= eventsUnreadMax) {
      this.#state = 'PAUSED'
      this.#stream.pause(this)
      return
    }
    this.#last = sequence
    this.#next = sequence + 1
    this.queue.put(message.event)
  }

  disconnected(): void {
    if (this.#state !== 'PAUSED') this.#state = 'SUBSCRIBING'
  }

  fail(error: OutcryError): void {
    this.queue.fail(error)
  }

  end(): void {
    this.queue.end()
  }

  abort(reason: unknown): void {
    this.queue.abort(reason)
  }

  #resume(): void {
    if (this.#state === 'PAUSED' && this.queue.size === 0) this.#stream.subscribe(this)
  }
}
