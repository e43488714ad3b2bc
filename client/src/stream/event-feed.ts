// An operator's events: each once, in order, with no gap over any break. Where they are not taken
// fast enough, no more are asked for until they are: the service keeps them.

import type { OutcryError } from '../errors.ts'
import type { Event, Said, Subscribed } from '../generated/wire.ts'
import { assertKept } from '../routes/events.ts'
import { Feed } from './feed.ts'
import type { Listener, Part, Serving } from './listener.ts'
import { Mailbox } from './mailbox.ts'

const eventsWaitingMax = 10_000

/** Without `since` it begins with what happens next. */
export function eventsOf(stream: Serving, since: number | null): Feed<Event> {
  const listener = new EventListener(stream, since)
  stream.begin(listener)
  return new Feed(listener.mailbox, () => stream.leave(listener))
}

class EventListener implements Listener {
  readonly part: Part = { channels: ['events'] }
  readonly mailbox: Mailbox<Event>
  readonly #stream: Serving
  /** Of the last event that came; null before the first, where none was named. */
  #last: number | null
  /** Of the event that must come next; null where any may. */
  #next: number | null = null
  #state: 'ASKING' | 'HEARING' | 'HOLDING' = 'ASKING'

  constructor(stream: Serving, since: number | null) {
    this.#stream = stream
    this.#last = since
    this.mailbox = new Mailbox(() => this.#resume())
  }

  asked(): number | undefined {
    // What still comes of an older subscription is not for this one.
    this.#state = 'ASKING'
    return this.#last ?? undefined
  }

  taken({ earliestSequence = 0 }: Subscribed): void {
    this.#state = 'HEARING'
    if (this.#last === null) return
    assertKept(this.#last, earliestSequence)
    this.#next = Math.max(this.#last + 1, earliestSequence)
  }

  hear(message: Said): void {
    if (message.type !== 'event' || this.#state !== 'HEARING') return
    const { sequence } = message.event
    if (this.#next !== null && sequence < this.#next) return
    if (this.#next !== null && sequence > this.#next) {
      this.#stream.begin(this)
      return
    }
    if (this.mailbox.size >= eventsWaitingMax) {
      this.#state = 'HOLDING'
      this.#stream.hold(this)
      return
    }
    this.#last = sequence
    this.#next = sequence + 1
    this.mailbox.put(message.event)
  }

  interrupted(): void {
    if (this.#state !== 'HOLDING') this.#state = 'ASKING'
  }

  fail(error: OutcryError): void {
    this.mailbox.fail(error)
  }

  end(): void {
    this.mailbox.end()
  }

  #resume(): void {
    if (this.#state === 'HOLDING' && this.mailbox.size === 0) this.#stream.begin(this)
  }
}
