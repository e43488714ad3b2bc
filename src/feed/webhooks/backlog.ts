// The events of an operator that a webhook has still to be told, in order, one after another. Only
// a page of them is in memory: small rows, expanded when their turn comes.

import type { Event } from '../../core/events/events.ts'
import { eventTypes } from '../../core/words.ts'
import type { EventRecordRow, RecordStore } from '../../store/store.ts'

export type BacklogOptions = {
  readonly read: RecordStore['events']
  readonly expand: (row: EventRecordRow) => readonly Event[]
  /** The number that rows call the operator by. */
  readonly operator: number
  /** Begins with the event after this one. */
  readonly since: number
}

export type Loading = {
  /** Bit n stands for eventTypes[n]; null for all types. */
  readonly types: number | null
  readonly notBefore: number
  /** A sequence that is stored already: where nothing more is found, all up to it was looked at. */
  readonly head: number
}

export const rowsPerPageMax = 64

export class Backlog {
  readonly #options: BacklogOptions
  #rows: readonly EventRecordRow[] = []
  #rowsTaken = 0
  #events: readonly Event[] = []
  #eventsTaken = 0
  #position: number
  /** Where the position is once all of the page is taken. */
  #pageEnd: number
  #drops = 0

  constructor(options: BacklogOptions) {
    this.#options = options
    this.#position = options.since
    this.#pageEnd = options.since
  }

  /** Every event up to this one was taken, or was not asked for. */
  get position(): number {
    return this.#position
  }

  /** The next event of these types; null where another page has to be loaded. */
  take(types: number | null): Event | null {
    for (;;) {
      const event = this.#next()
      if (event === null) return null
      if (event.sequence <= this.#position) continue
      this.#position = event.sequence
      if (hasType(types, event)) return event
    }
  }

  /** Says how many events expired before they could be taken. */
  async load({ types, notBefore, head }: Loading): Promise<number> {
    const { read, operator } = this.#options
    const since = this.#position
    const ask = { operator, since, types, market: null, limit: rowsPerPageMax, notBefore }
    const drops = this.#drops
    const page = await read(ask)
    if (drops !== this.#drops) return 0
    const expired = Math.max(0, page.earliestSequence - 1 - since)
    this.#position = since + expired
    this.#rows = page.rows
    this.#rowsTaken = 0
    const lastOfPage = page.rows.at(-1)?.lastSequence ?? this.#position
    this.#pageEnd = page.hasMore ? lastOfPage : Math.max(lastOfPage, head)
    if (page.rows.length === 0) this.#position = Math.max(this.#position, this.#pageEnd)
    return expired
  }

  /** Forgets what was loaded and not taken: other types are asked for now. */
  drop(): void {
    this.#drops += 1
    this.#rows = []
    this.#events = []
    this.#rowsTaken = 0
    this.#eventsTaken = 0
    this.#pageEnd = this.#position
  }

  #next(): Event | null {
    while (this.#eventsTaken === this.#events.length) {
      const row = this.#rows[this.#rowsTaken]
      if (row === undefined) {
        this.#position = Math.max(this.#position, this.#pageEnd)
        return null
      }
      this.#rowsTaken += 1
      this.#events = this.#options.expand(row)
      this.#eventsTaken = 0
    }
    const event = this.#events[this.#eventsTaken]!
    this.#eventsTaken += 1
    return event
  }
}

function hasType(types: number | null, { eventType }: Event): boolean {
  return types === null || (types & maskOf([eventType])) !== 0
}

/** Bit n stands for eventTypes[n]; null where none is named, for that means all. */
export function filterOf(names: readonly string[]): number | null {
  return names.length === 0 ? null : maskOf(names)
}

function maskOf(names: readonly string[]): number {
  return eventTypes.reduce((mask, type, at) => (names.includes(type) ? mask | (1 << at) : mask), 0)
}
