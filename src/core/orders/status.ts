// The status of an order, from its shares.

import type { OrderStatus } from '../words.ts'

export type Progress = { readonly shares: number; readonly filled: number }

/** Of an order that is open, or that was filled while it was. */
export function statusOf({ shares, filled }: Progress): 'PENDING' | 'PARTIAL' | 'FILLED' {
  if (filled === shares) return 'FILLED'
  return filled > 0 ? 'PARTIAL' : 'PENDING'
}

/** Of an order that has matched as far as it can: what is left of it rests, or is cancelled. */
export function statusAfterMatch(progress: Progress, mayRest: boolean): OrderStatus {
  const status = statusOf(progress)
  return status === 'FILLED' || mayRest ? status : 'CANCELLED'
}
