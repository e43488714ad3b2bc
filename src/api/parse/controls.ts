// A request to put on or to release a brake becomes its terms.

import type { ControlsTerms } from '../../core/state/controls.ts'
import { invalidField, type Refusal } from '../errors.ts'
import type { PutControls } from '../schemas/controls.ts'
import { timeOf } from './time.ts'

export type Braking = Omit<ControlsTerms, 'limits'> & { readonly cancelsOrders: boolean }

/** What is left out is cleared. */
export function brakingOf(body: PutControls): Braking | Refusal {
  const { mode, reason = null, cancelOrders: cancelsOrders = true } = body
  const until = timeOf(body.until)
  if (mode === 'OPEN') {
    if (until !== null) return invalidField('until', 'must be null if the mode is OPEN')
    return { mode, reason: null, until, cancelsOrders }
  }
  if (reason === null) return invalidField('reason', `is required with the mode ${mode}`)
  return { mode, reason, until, cancelsOrders }
}
