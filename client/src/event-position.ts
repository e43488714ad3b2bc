// Where a program is in the events of its operator: the sequence of the last one, and the history
// that it is of. After a restore of the service's database, the history is another one.

import { type ErrorDetails, isOutcryError, OutcryError } from './errors.ts'

/** Store both together, after the events up to there are processed, and continue from them. */
export type EventPosition = {
  /** The sequence of the last event that the program has read. */
  readonly since: number
  readonly historyId: string
}

/** What events follow; without a historyId, a restore of the database is not noticed. */
export type EventStart = {
  readonly since?: number | undefined
  readonly historyId?: string | undefined
}

export type EventsRewound = OutcryError & {
  readonly code: 'EVENTS_REWOUND'
  readonly details: ErrorDetails & {
    /** Of the events that the database has now. */
    readonly latestSequence: number
    readonly historyId: string
    readonly earliestSequence: number
  }
}

/**
 * Whether the database of the service was restored: events that the program has read may be gone,
 * and their sequences used again.
 */
export function isEventsRewound(error: unknown): error is EventsRewound {
  return isOutcryError(error, 'EVENTS_REWOUND')
}

/** A position of which a part may not be known yet. */
export function positionOf(since: number | null, historyId: string | null): EventPosition | null {
  return since === null || historyId === null ? null : { since, historyId }
}

type StoredEvents = {
  readonly latestSequence?: number | undefined
  readonly historyId?: string | undefined
  readonly earliestSequence?: number | undefined
}

/** For a program that has stored a sequence without its history, which the service cannot check. */
export function assertReached(since: number, stored: StoredEvents): void {
  const { latestSequence, historyId, earliestSequence } = stored
  // A service of an earlier version does not send it.
  if (latestSequence === undefined || since <= latestSequence) return
  const found = `its latest sequence is ${latestSequence}, got since ${since}`
  throw new OutcryError({
    code: 'EVENTS_REWOUND',
    status: 409,
    message: `The database was restored: ${found}.`,
    details: { latestSequence, historyId, earliestSequence },
  })
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
