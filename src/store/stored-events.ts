// Stored events as they are read: a page of rows, each with the events of consecutive commands.

import type { Serial } from '../core/ids.ts'

export type EventQuery = {
  readonly operatorNumber: number
  /** Events with a greater sequence. */
  readonly since: number
  /** Bit n stands for eventTypes[n]; null for all types. */
  readonly types: number | null
  readonly marketSerial: Serial | null
  /** A page may have fewer rows where they are long. */
  readonly limit: number
  /** Only events that were created at or after this time. */
  readonly notBefore: number
}

export type EventPage = EventRows & {
  /** Identifies the history that the sequences are of: a restored store has another one. */
  readonly historyId: string
}

/** A row has several events: the caller expands it and leaves out events that do not match. */
export type EventRows = {
  readonly rows: readonly EventRecordRow[]
  /** Whether more rows follow. */
  readonly hasMore: boolean
  /** The sequence of the first stored event; if there is none, the sequence of the next one. */
  readonly earliestSequence: number
  /** The sequence of the last event, stored or pruned; 0 before the first. */
  readonly lastSequence: number
}

/** Event records of consecutive commands on one market, joined. */
export type EventRecordRow = {
  readonly firstSequence: number
  readonly lastSequence: number
  readonly createdAt: number
  readonly marketSerial: Serial
  readonly marketCreatedAt: number
  readonly types: number
  /** JSON. */
  readonly body: string
}

/** A row of event records as it is committed. */
export type OperatorEventRow = EventRecordRow & { readonly operatorNumber: number }
