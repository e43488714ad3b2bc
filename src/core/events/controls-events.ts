// The event about a brake on trading: how its fields are written to a body, then how they are read.
// The order of the fields is that of stored data, so a new one goes to the end.

import { numberOf } from '../money.ts'
import type { ControlsChanged } from '../state/facts.ts'
import { type Limits, limitDecimals } from '../state/limits.ts'
import { controlScopes, type LimitName, limitNames, tradingModes } from '../words.ts'
import type { BodyReader, Field } from './event-body.ts'
import type { ControlsChangedPayload, WireLimits } from './event-payload.ts'
import { wireTimeOf } from './wire-time.ts'

export const controlsReaders = { CONTROLS_CHANGED: readControlsChanged } as const

export function writeControlsChanged(body: Field[], changed: ControlsChanged): void {
  const { record, scope, shownReason } = changed
  const { holder, terms } = record
  const { mode, until } = terms
  body.push(controlScopes.indexOf(scope), tradingModes.indexOf(mode))
  body.push('playerId' in holder ? holder.playerId : null, shownReason, until)
  if (terms.limits !== null) writeLimits(body, terms.limits)
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
    limits: reader.form === 0 ? null : readLimits(reader),
    timestamp: reader.createdAt,
  }
}

// 0 for one that is left out, null for none, otherwise the limit and one more.
function writeLimits(body: Field[], limits: Limits): void {
  for (const name of limitNames) {
    const limit = limits[name]
    body.push(typeof limit === 'number' ? limit + 1 : limit === null ? null : 0)
  }
}

function readLimits(reader: BodyReader): WireLimits {
  const limits: { [Name in LimitName]?: number | null } = {}
  for (const name of limitNames) {
    const field = reader.wholeOrNull()
    if (field === 0) continue
    limits[name] = field === null ? null : numberOf(field - 1, limitDecimals[name])
  }
  return limits
}
