// A request to put on or to release a brake becomes its terms.

import type { ControlsTerms } from '../../core/state/controls.ts'
import type { Refusal } from '../errors.ts'
import type { PutControls } from '../schemas/controls.ts'
import { checkRules, type Rule } from './rule.ts'
import { timeOf } from './time.ts'

export type Braking = Omit<ControlsTerms, 'limits'> & { readonly cancelsOrders: boolean }

export const brakingRules: readonly Rule<PutControls>[] = [
  {
    fields: ['mode', 'until'],
    faultIn: ({ mode, until = null }) => {
      if (mode !== 'OPEN' || until === null) return null
      return { field: 'until', message: 'must be null if the mode is OPEN' }
    },
  },
  {
    fields: ['mode', 'reason'],
    faultIn: ({ mode, reason = null }) => {
      if (mode === 'OPEN' || reason !== null) return null
      return { field: 'reason', message: `is required with the mode ${mode}` }
    },
  },
]

/** What is left out is cleared. */
export function brakingOf(body: PutControls): Braking | Refusal {
  const { mode, reason = null, cancelOrders: cancelsOrders = true } = body
  const refused = checkRules(brakingRules, body)
  if (refused !== null) return refused
  const kept = mode === 'OPEN' ? null : reason
  return { mode, reason: kept, until: timeOf(body.until), cancelsOrders }
}
