// Faults as callers see them: what the store or the engine could not do, and what went wrong on our
// side.

import { CommitUnknown, Unavailable } from '../engine/commands.ts'
import { StoreUnavailable } from '../store/store.ts'
import { Refusal } from './errors.ts'

const unavailable = new Refusal('UNAVAILABLE', 'The exchange cannot take this now; try again.')
const commitUnknown = new Refusal(
  'COMMIT_UNKNOWN',
  'It is not known yet whether this was done; ask again with the same transactionId.',
)
export const internal = new Refusal('INTERNAL_ERROR', 'Something went wrong on our side.')
export const closing = new Refusal('UNAVAILABLE', 'The service is shutting down.')

export function refusalOfFault(error: unknown): Refusal {
  if (error instanceof Unavailable || error instanceof StoreUnavailable) return unavailable
  return error instanceof CommitUnknown ? commitUnknown : internal
}
