// The events of an operator that are still to be delivered to a webhook, in order. It has only a
// page of event records, from memory or from the store; each is expanded when it is next.

import type { Event } from '../../core/events/events.ts'
import { eventTypes } from '../../core/words.ts'
import type { EventQuery, EventRecordRow, EventRows } from '../../store/store.ts'

export type BacklogOptions = {
  readonly read: (query: EventQuery) => Promise<EventRows>
  readonly expand: (row: EventRecordRow) => readonly Event[]
  /** The number of the operator in stored rows. */
  readonly operatorNumber: number
  /** The eventSequence after which the backlog starts. */
  readonly since: number
}

export type LoadRequest = {
  /** Bit n is for eventTypes[n]; null for all types. */
  readonly types: number | null
  readonly notBefore: number
  /** An eventSequence known to be stored: if no more rows are found, all up to it were read. */
  readonly head: number
}

export const rowsPerPageMax = 64

export class Backlog {
  readonly #options: BacklogOptions
  #rows: readonly EventRecordRow[] = []
  #rowsUsed = 0
  #events: readonly Event[] = []
  #eventsUsed = 0
  #position: number
  /** The position after the last event of the page. */
  #pageEnd: number
  #discards = 0

  constructor(options: BacklogOptions) {
    this.#options = options
    this.#position = options.since
    this.#pageEnd = options.since
  }

  /** Every event up to this eventSequence was returned or filtered out. */
  get position(): number {
    return this.#position
  }

  /** The next event of these types; null if another page has to be loaded. */
  next(types: number | null): Event | null {
    for (;;) {
      const event = this.#nextOfPage()
      if (event === null) return null
      if (event.sequence <= this.#position) continue
      this.#position = event.sequence
      if (hasType(types, event)) return event
    }
  }

  /** Loads a page; returns how many events expired before they could be delivered. */
  async load({ types, notBefore, head }: LoadRequest): Promise<number> {
    const { read, operatorNumber } = this.#options
    const since = this.#position
    const query = {
      operatorNumber,
      since,
      types,
      marketSerial: null,
      limit: rowsPerPageMax,
      notBefore,
    }
    const discards = this.#discards
    const page = await read(query)
    if (discards !== this.#discards) return 0
    const expired = Math.max(0, page.earliestSequence - 1 - since)
    this.#position = since + expired
    this.#rows = page.rows
    this.#rowsUsed = 0
    const lastOfPage = page.rows.at(-1)?.lastSequence ?? this.#position
    this.#pageEnd = page.hasMore ? lastOfPage : Math.max(lastOfPage, head)
    if (page.rows.length === 0) this.#position = Math.max(this.#position, this.#pageEnd)
    return expired
  }

  /** Discards the loaded page, because the types have changed. */
  discardPage(): void {
    this.#discards += 1
    this.#rows = []
    this.#events = []
    this.#rowsUsed = 0
    this.#eventsUsed = 0
    this.#pageEnd = this.#position
  }

  #nextOfPage(): Event | null {
    while (this.#eventsUsed === this.#events.length) {
      const row = this.#rows[this.#rowsUsed]
      if (row === undefined) {
        this.#position = Math.max(this.#position, this.#pageEnd)
        return null
      }
      // A row that cannot be expanded is not used: it is tried again, and no event is skipped.
      this.#events = this.#options.expand(row)
      this.#eventsUsed = 0
      this.#rowsUsed += 1
    }
    const event = this.#events[this.#eventsUsed]!
    this.#eventsUsed += 1
    return event
  }
}

function hasType(types: number | null, { eventType }: Event): boolean {
  return types === null || (types & maskOf([eventType])) !== 0
}

/** Bit n is for eventTypes[n]; null, for all types, if none is named. */
export function filterOf(names: readonly string[]): number | null {
  return names.length === 0 ? null : maskOf(names)
}

function maskOf(names: readonly string[]): number {
  return eventTypes.reduce((mask, type, at) => (names.includes(type) ? mask | (1 << at) : mask), 0)
}
