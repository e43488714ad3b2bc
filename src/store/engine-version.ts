// The version of the rules and of what an engine stores. An older engine refuses a shard that a
// newer one has written.

import type { EventForm } from '../core/events/events.ts'

/** 2: events about orders have the later form. 3: there are events of the type MARKET_UPDATED. */
export const presentEngineVersion = 3

/** The latest form of events that the services of an engine version can read. */
export function eventFormOf(engineVersion: number): EventForm {
  if (engineVersion < 2) return 0
  return engineVersion < 3 ? 1 : 2
}
