// Finds single events of an operator by their sequences; a page of rows is kept, because the next
// one is often near.

import type { Event } from '../../core/events/events.ts'
import type { EventRecordRow, RecordStore } from '../../store/store.ts'

export type EventLookupOptions = {
  readonly read: RecordStore['events']
  readonly expand: (row: EventRecordRow) => readonly Event[]
  /** The number of the operator in stored rows. */
  readonly operatorNumber: number
  readonly notBefore: () => number
}

const rowsPerReadMax = 16

export class EventLookup {
  readonly #options: EventLookupOptions
  #rows: readonly EventRecordRow[] = []
  #row: EventRecordRow | null = null
  #events: readonly Event[] = []

  constructor(options: EventLookupOptions) {
    this.#options = options
  }

  /** null if it is no longer stored. */
  async find(sequence: number): Promise<Event | null> {
    const row = await this.#rowOf(sequence)
    if (row === undefined) return null
    return this.#expanded(row).find((event) => event.sequence === sequence) ?? null
  }

  /** Whether its record can be expanded, or is no longer stored. */
  async isReadable(sequence: number): Promise<boolean> {
    const row = await this.#rowOf(sequence)
    return row === undefined || eventsOrNull(() => this.#expanded(row)) !== null
  }

  async #rowOf(sequence: number): Promise<EventRecordRow | undefined> {
    return rowWith(this.#rows, sequence) ?? rowWith(await this.#load(sequence), sequence)
  }

  #expanded(row: EventRecordRow): readonly Event[] {
    if (row !== this.#row) {
      this.#events = this.#options.expand(row)
      this.#row = row
    }
    return this.#events
  }

  async #load(sequence: number): Promise<readonly EventRecordRow[]> {
    const { read, operatorNumber, notBefore } = this.#options
    const { rows } = await read({
      operatorNumber,
      since: sequence - 1,
      types: null,
      marketSerial: null,
      limit: rowsPerReadMax,
      notBefore: notBefore(),
    })
    this.#rows = rows
    return rows
  }
}

/** null if the record is damaged. */
export function eventsOrNull(expand: () => readonly Event[]): readonly Event[] | null {
  try {
    return expand()
  } catch {
    return null
  }
}

function rowWith(rows: readonly EventRecordRow[], sequence: number): EventRecordRow | undefined {
  return rows.find((row) => row.firstSequence <= sequence && sequence <= row.lastSequence)
}
