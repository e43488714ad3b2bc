// A page of the event replay. The store keeps the events of one command and operator as one row, so
// rows are expanded here, and events that the query excludes are dropped.

import { type EventType, eventTypes } from '../../core/words.ts'
import type { EventPage, EventQuery, EventRecordRow } from '../../store/store.ts'
import { type StoredEvents, storedEventsOf } from '../event-position.ts'

type Numbered = { readonly sequence: number; readonly eventType: EventType }

export type EventSource<Event extends Numbered> = {
  readonly read: (query: EventQuery) => Promise<EventPage>
  readonly expand: (row: EventRecordRow) => readonly Event[]
}

export type EventsQuery = Omit<EventQuery, 'types'> & { readonly eventType: EventType | null }

type AnswerPage<Event> = {
  readonly events: readonly Event[]
  readonly hasMore: boolean
  /** As of the last rows that were read: without hasMore, none that is wanted is missing. */
  readonly stored: StoredEvents
}

// A command has about five events: a quarter of the limit in rows is usually enough.
const eventsPerRow = 4

export async function eventPage<Event extends Numbered>(
  { read, expand }: EventSource<Event>,
  { eventType, ...query }: EventsQuery,
): Promise<AnswerPage<Event>> {
  const types = eventType === null ? null : 1 << eventTypes.indexOf(eventType)
  const events: Event[] = []
  let since = query.since
  let historyId: string | null = null
  for (;;) {
    const limit = Math.ceil(query.limit / eventsPerRow) + 1
    const page = await read({ ...query, types, since, limit })
    // Of the first page: the events after it may be of another history.
    historyId ??= page.historyId
    const stored = { ...storedEventsOf(page), historyId }
    for (const row of page.rows) {
      for (const event of expand(row)) {
        const isWanted = eventType === null || event.eventType === eventType
        if (event.sequence <= query.since || !isWanted) continue
        // Only an event that does not fit proves that there is more: the last page is never empty.
        if (events.length === query.limit) return { events, hasMore: true, stored }
        events.push(event)
      }
    }
    const last = page.rows.at(-1)
    if (!page.hasMore || last === undefined) return { events, hasMore: false, stored }
    // The store has ended its page early because the rows are long; so does this page.
    if (page.rows.length < limit && events.length > 0) return { events, hasMore: true, stored }
    since = last.lastSequence
  }
}
