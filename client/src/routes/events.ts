// The stored events of an operator, in order.

import { OutcryError } from '../errors.ts'
import type { Event } from '../generated/wire.ts'
import { pageSizeMax } from '../pages.ts'
import type { CallOptions, QueryOf, Transport } from '../transport.ts'

type EventsQuery = QueryOf<'GET /api/v1/events'>

export class Events {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** One page, oldest first. */
  list(query: EventsQuery = {}, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/events', { query }, options)
  }

  /** Every event after `since`, up to the latest; throws if some of them are no longer kept. */
  async *each(
    { since = 0, limit = pageSizeMax, ...filter }: EventsQuery = {},
    options?: CallOptions,
  ): AsyncGenerator<Event, void, undefined> {
    for (let last = since; ; ) {
      const page = await this.list({ ...filter, since: last, limit }, options)
      assertKept(last, page.earliestSequence)
      yield* page.events
      if (!page.hasMore) return
      last = page.lastSequence
    }
  }
}

/** A `since` of 0 means all events that are kept; any other requires all that follow it. */
export function assertKept(since: number, earliestSequence: number): void {
  if (since === 0 || earliestSequence <= since + 1) return
  const message = `Events ${since + 1} to ${earliestSequence - 1} are no longer kept.`
  throw new OutcryError({
    code: 'EVENTS_EXPIRED',
    message,
    details: { since, earliestSequence },
  })
}
