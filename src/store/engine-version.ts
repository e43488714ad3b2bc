// The version of the rules and of what an engine stores. An older engine refuses a shard that a
// newer one has written.

import type { EventForm } from '../core/events/events.ts'

/**
 * 2: events about orders have the later form. 3: there are events of the type MARKET_UPDATED. 4: of
 * the types DEAD_MAN_TRIGGERED and CONTROLS_CHANGED. 5: markets have price bands, players have
 * limits, there are orders by amount, and events of the type ORDER_GROUP_TRIGGERED.
 */
export const presentEngineVersion = 5

/** The latest form of events that the services of an engine version can read. */
export function eventFormOf(engineVersion: number): EventForm {
  if (engineVersion < 2) return 0
  if (engineVersion < 3) return 1
  if (engineVersion < 4) return 2
  return engineVersion < 5 ? 3 : 4
}
