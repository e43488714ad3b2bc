// The event about a brake on trading: how its fields are written to a body, then how they are read.
// The order of the fields is that of stored data, so a new one goes to the end.

import type { ControlsChanged } from '../state/facts.ts'
import { controlScopes, tradingModes } from '../words.ts'
import type { BodyReader, Field } from './event-body.ts'
import type { ControlsChangedPayload } from './event-payload.ts'
import { wireTimeOf } from './wire-time.ts'

export const controlsReaders = { CONTROLS_CHANGED: readControlsChanged } as const

export function writeControlsChanged(body: Field[], changed: ControlsChanged): void {
  const { record, scope, shownReason } = changed
  const { holder, terms } = record
  const { mode, until } = terms
  body.push(controlScopes.indexOf(scope), tradingModes.indexOf(mode))
  body.push('playerId' in holder ? holder.playerId : null, shownReason, until)
}

function readControlsChanged(reader: BodyReader): ControlsChangedPayload {
  const scope = reader.word(controlScopes)
  const mode = reader.word(tradingModes)
  const playerId = reader.textOrNull()
  const reason = reader.textOrNull()
  const until = reader.wholeOrNull()
  return {
    scope,
    playerId,
    mode,
    reason,
    until: until === null ? null : wireTimeOf(until),
    limits: null,
    timestamp: reader.createdAt,
  }
}
