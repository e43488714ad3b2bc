// The position of a caller in the events of an operator: a sequence, and the history that it is of.
// After a restore, events that the caller has seen may be gone, and their sequences used again.

import type { EventPage } from '../store/store.ts'
import { Refusal } from './errors.ts'

export type EventPosition = {
  /** null for live events only. */
  readonly since: number | null
  /** null if the caller does not say it: its position is not checked. */
  readonly historyId: string | null
}

/** Which events of an operator are stored now. */
export type StoredEvents = Pick<EventPage, 'historyId' | 'earliestSequence'> & {
  readonly latestSequence: number
}

export function storedEventsOf(page: EventPage): StoredEvents {
  const { historyId, earliestSequence, lastSequence: latestSequence } = page
  return { latestSequence, historyId, earliestSequence }
}

/** null if the events that are stored now continue from the position. */
export function rewoundAt({ since, historyId }: EventPosition, now: StoredEvents): Refusal | null {
  if (historyId === null) return null
  const { latestSequence } = now
  const isOther = historyId.toLowerCase() !== now.historyId
  if (!isOther && (since ?? 0) <= latestSequence) return null
  const reason = isOther
    ? `The database was restored: its historyId is ${now.historyId}, got ${historyId}`
    : `The database was restored: its latest sequence is ${latestSequence}, got since ${since}`
  const advice = `read the state from the records, then continue after ${latestSequence}`
  return new Refusal('EVENTS_REWOUND', `${reason}; ${advice}.`, { details: now })
}
