// Faults as refusals: the engine or the store could not carry out a request, or failed in it, or
// the answer to a command that was carried out could not be made.

import { CommitUnknown, Unavailable } from '../engine/commands.ts'
import { CommitFailure, StoreUnavailable } from '../store/store.ts'
import { Refusal } from './errors.ts'

const unavailable = new Refusal(
  'UNAVAILABLE',
  'The service cannot process the request now; nothing was done. Try again later.',
)
const commitUnknown = new Refusal(
  'COMMIT_UNKNOWN',
  'The request may have been carried out; repeat it with the same transactionId.',
)

/** A command is stored, and its answer could not be made or encoded. */
export class AnswerFailed extends Error {
  override readonly name = 'AnswerFailed'

  constructor(cause: unknown) {
    super('The answer to a stored command could not be made.', { cause })
  }
}

/** Presents the answer to a command that is stored; throws AnswerFailed if that fails. */
export function presentStored<Data>(present: () => Data): Data {
  try {
    return present()
  } catch (cause) {
    throw new AnswerFailed(cause)
  }
}

/** The same, if the store has to be read for the answer. */
export async function answerOfStored<Answer>(make: () => Promise<Answer>): Promise<Answer> {
  try {
    return await make()
  } catch (cause) {
    throw new AnswerFailed(cause)
  }
}

export const internal = new Refusal('INTERNAL_ERROR', 'The service failed to process the request.')
export const closing = new Refusal('UNAVAILABLE', 'The service is shutting down.')

export function refusalOfFault(error: unknown): Refusal {
  if (error instanceof Unavailable || error instanceof StoreUnavailable) return unavailable
  // Of the registry: the engine handles those of its turns.
  if (error instanceof CommitFailure) {
    return error.outcome === 'unknown' ? commitUnknown : unavailable
  }
  if (error instanceof CommitUnknown || error instanceof AnswerFailed) return commitUnknown
  return internal
}

/** Whether a bug of the service is the reason for the refusal, so that it must be reported. */
export function isOwnFault(error: unknown, refusal: Refusal): boolean {
  if (error instanceof AnswerFailed) return refusalOfFault(error.cause) === internal
  return refusal === internal
}
