// Events about what protects market makers: for each type how its fields are written to a body,
// then how they are read. The order of the fields is that of stored data, so a new one goes to the
// end.

import type { DeadManChanged } from '../state/facts.ts'
import type { BodyReader, Field } from './event-body.ts'
import type { DeadManTriggered } from './event-payload.ts'
import { wireTimeOf } from './wire-time.ts'

export const makerReaders = { DEAD_MAN_TRIGGERED: readDeadManTriggered } as const

export function writeDeadManTriggered(body: Field[], triggered: DeadManChanged): void {
  const { deadMan, deadline, timeoutMs } = triggered
  body.push(deadMan.playerId, deadline, timeoutMs)
}

function readDeadManTriggered(reader: BodyReader): DeadManTriggered {
  return {
    playerId: reader.textOrNull(),
    deadline: wireTimeOf(reader.whole()),
    timeoutMs: reader.whole(),
    timestamp: reader.createdAt,
  }
}
