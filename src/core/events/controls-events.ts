// The event about a brake on trading: how its fields are written to a body, then how they are read.
// The order of the fields is that of stored data, so a new one goes to the end.

import { decimals, numberOf } from '../money.ts'
import type { Limits } from '../state/controls.ts'
import type { ControlsChanged } from '../state/facts.ts'
import { controlScopes, tradingModes } from '../words.ts'
import type { BodyReader, Field } from './event-body.ts'
import type { ControlsChangedPayload, WireLimits } from './event-payload.ts'
import { wireTimeOf } from './wire-time.ts'

export const controlsReaders = { CONTROLS_CHANGED: readControlsChanged } as const

export function writeControlsChanged(body: Field[], changed: ControlsChanged): void {
  const { record, scope, shownReason } = changed
  const { holder, terms } = record
  const { limits, mode, until } = terms
  body.push(controlScopes.indexOf(scope), tradingModes.indexOf(mode))
  body.push('playerId' in holder ? holder.playerId : null, shownReason, until)
  body.push(limits === null ? null : JSON.stringify(limits))
}

function readControlsChanged(reader: BodyReader): ControlsChangedPayload {
  const scope = reader.word(controlScopes)
  const mode = reader.word(tradingModes)
  const playerId = reader.textOrNull()
  const reason = reader.textOrNull()
  const until = reader.wholeOrNull()
  const limits = reader.textOrNull()
  return {
    scope,
    playerId,
    mode,
    reason,
    until: until === null ? null : wireTimeOf(until),
    limits: limits === null ? null : wireLimitsOf(JSON.parse(limits)),
    timestamp: reader.createdAt,
  }
}

function wireLimitsOf({ maxOrderCost, maxOutcomeShares, maxMarketCost }: Limits): WireLimits {
  return {
    ...numberIn('maxOrderCost', maxOrderCost, decimals.money),
    ...numberIn('maxOutcomeShares', maxOutcomeShares, decimals.shares),
    ...numberIn('maxMarketCost', maxMarketCost, decimals.money),
  }
}

// A limit that was left out is left out.
function numberIn(name: keyof Limits, limit: number | null | undefined, places: number) {
  if (limit === undefined) return {}
  return { [name]: limit === null ? null : numberOf(limit, places) }
}
