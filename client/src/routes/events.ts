// The stored events of an operator, in order.

import { assertKept, assertReached, type EventPosition, positionOf } from '../event-position.ts'
import type { Event } from '../generated/wire.ts'
import { pageSizeMax } from '../pages.ts'
import type { CallOptions, QueryOf, Transport } from '../transport.ts'

type EventsQuery = QueryOf<'GET /api/v1/events'>

/** To read with `for await`. */
export type EventReplay = AsyncGenerator<Event, void, undefined> & {
  /**
   * Of the event that was read last and, after the last one, of the latest event of any kind; null
   * before the first answer of the service.
   */
  readonly position: EventPosition | null
}

type Progress = { since: number; historyId: string | null }

export class Events {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** One page, oldest first. */
  list(query: EventsQuery = {}, options?: CallOptions) {
    return this.#transport.call('GET /api/v1/events', { query }, options)
  }

  /** All events after `since` as CSV, one text for each page: write them one after the other. */
  csv(query: EventsQuery = {}, options?: CallOptions) {
    const paged = { limit: pageSizeMax, ...query }
    return this.#transport.csv('GET /api/v1/events', { query: paged }, options)
  }

  /**
   * Every event after `since`, up to the latest; throws if some of them are no longer kept, or with
   * EVENTS_REWOUND if they are of another history than `historyId`.
   */
  each(
    { since = 0, historyId, limit = pageSizeMax, ...filter }: EventsQuery = {},
    options?: CallOptions,
  ): EventReplay {
    const progress = { since, historyId: historyId ?? null }
    const events = this.#each({ ...filter, limit }, progress, options)
    const position = { get: () => positionOf(progress.since, progress.historyId) }
    // The type of defineProperty does not show the property.
    return Object.defineProperty(events, 'position', position) as EventReplay
  }

  async *#each(
    query: EventsQuery,
    progress: Progress,
    options: CallOptions | undefined,
  ): AsyncGenerator<Event, void, undefined> {
    for (let last = progress.since; ; ) {
      const historyId = progress.historyId ?? undefined
      const page = await this.list({ ...query, since: last, historyId }, options)
      assertReached(last, page)
      assertKept(last, page.earliestSequence)
      // A service of an earlier version sends neither this nor the latest sequence.
      progress.historyId = page.historyId ?? null
      for (const event of page.events) {
        progress.since = event.sequence
        yield event
      }
      last = page.lastSequence
      if (page.hasMore) continue
      progress.since = Math.max(last, page.latestSequence ?? 0)
      return
    }
  }
}
