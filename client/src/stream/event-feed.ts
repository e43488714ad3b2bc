// A feed of an operator's events: each once, in order, with no gap over any interruption. If they
// are not read fast enough, the feed pauses its subscription; the service keeps the events.

import type { OutcryError } from '../errors.ts'
import type { Event, ServerMessage, Subscribed } from '../generated/wire.ts'
import { assertKept } from '../routes/events.ts'
import { Feed } from './feed.ts'
import { ItemQueue } from './item-queue.ts'
import type { Listener, StreamControl, SubscriptionFilter } from './listener.ts'

const eventsUnreadMax = 10_000

/** Without `since`, the feed starts with the next event. */
export function eventsOf(stream: StreamControl, since: number | null): Feed<Event> {
  const listener = new EventListener(stream, since)
  stream.subscribe(listener)
  return new Feed(listener.queue, () => stream.remove(listener))
}

class EventListener implements Listener {
  readonly filter: SubscriptionFilter = { channels: ['events'] }
  readonly queue: ItemQueue<Event>
  readonly #stream: StreamControl
  /** Sequence of the last event received; null before the first one if `since` was not given. */
  #last: number | null
  /** Sequence that must come next; null if any may. */
  #next: number | null = null
  #state: 'SUBSCRIBING' | 'RECEIVING' | 'PAUSED' = 'SUBSCRIBING'

  constructor(stream: StreamControl, since: number | null) {
    this.#stream = stream
    this.#last = since
    this.queue = new ItemQueue(() => this.#resume())
  }

  subscribing(): number | undefined {
    // Ignores what still arrives for an older subscription.
    this.#state = 'SUBSCRIBING'
    return this.#last ?? undefined
  }

  subscribed({ earliestSequence = 0 }: Subscribed): void {
    this.#state = 'RECEIVING'
    if (this.#last === null) return
    assertKept(this.#last, earliestSequence)
    this.#next = Math.max(this.#last + 1, earliestSequence)
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

  #resume(): void {
    if (this.#state === 'PAUSED' && this.queue.size === 0) this.#stream.subscribe(this)
  }
}
