// Faults as refusals: the engine or the store could not carry out a request, or failed in it.

import { CommitUnknown, Unavailable } from '../engine/commands.ts'
import { StoreUnavailable } from '../store/store.ts'
import { Refusal } from './errors.ts'

const unavailable = new Refusal(
  'UNAVAILABLE',
  'The service cannot process the request now; nothing was done. Try again later.',
)
const commitUnknown = new Refusal(
  'COMMIT_UNKNOWN',
  'The request may have been carried out; repeat it with the same transactionId.',
)
export const internal = new Refusal('INTERNAL_ERROR', 'The service failed to process the request.')
export const closing = new Refusal('UNAVAILABLE', 'The service is shutting down.')

export function refusalOfFault(error: unknown): Refusal {
  if (error instanceof Unavailable || error instanceof StoreUnavailable) return unavailable
  return error instanceof CommitUnknown ? commitUnknown : internal
}
