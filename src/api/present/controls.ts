// Brakes on trading as they are on the wire.

import { type ControlsTerms, termsAt } from '../../core/state/controls.ts'
import type { BrakeRow } from '../../store/store.ts'
import type { ExchangeControls } from '../schemas/controls.ts'
import { timeTextOrNull } from './time.ts'

type Brake = Omit<ControlsTerms, 'limits'>

/** A brake whose time is over is shown as OPEN, also before that is carried out. */
export function presentTerms(
  terms: Brake | null,
  { now, changedAt }: { readonly now: number; readonly changedAt: number | null },
): ExchangeControls {
  if (terms === null) return { mode: 'OPEN', reason: null, until: null, updatedAt: null }
  const { mode, reason, until } = termsAt({ ...terms, limits: null }, now)
  const isOver = until !== terms.until
  return {
    mode,
    reason,
    until: timeTextOrNull(until),
    updatedAt: timeTextOrNull(isOver ? terms.until : changedAt),
  }
}

export function presentExchange(brake: BrakeRow | null, now: number): ExchangeControls {
  if (brake === null) return presentTerms(null, { now, changedAt: null })
  return presentTerms(brake, { now, changedAt: brake.updatedAt })
}

export function presentStatus(brake: BrakeRow | null, now: number) {
  const { mode, reason, updatedAt: since } = presentExchange(brake, now)
  return { trading: mode !== 'HALTED', mode, reason, since }
}
