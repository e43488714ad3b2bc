// The version of the rules and of what an engine stores. An older engine refuses a shard that a
// newer one has written.

import type { EventForm } from '../core/events/events.ts'

/** 2: events about orders have the later form. */
export const presentEngineVersion = 2

/** The latest form of events that the services of an engine version can read. */
export function eventFormOf(engineVersion: number): EventForm {
  return engineVersion < 2 ? 0 : 1
}
