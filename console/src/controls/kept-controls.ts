// A change of controls replaces the whole record. What does not change is sent as it is.

import type { Brake, BrakeRequest } from '../wire.ts'

/** The brake as it is; orders that it has left stay. */
export function keptBrake({ mode, reason, until }: Brake): BrakeRequest {
  return mode === 'OPEN' ? { mode } : { mode, reason, until, cancelOrders: false }
}
