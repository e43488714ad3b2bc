// How the end of a command at its owner becomes the outcome that another node receives.

import { CommitUnknown, NotOwner, type Result, Unavailable } from '../../engine/commands.ts'
import { StoreUnavailable } from '../../store/store.ts'
import type { Route } from '../peer.ts'
import type { OwnerOutcome } from './outcome-codec.ts'

/** `ownerOf` is asked for the owner if it is not this node. */
export function outcomesOf<Answer>(
  results: readonly Promise<Result<Answer>>[],
  ownerOf: () => Route | null,
): readonly Promise<OwnerOutcome<Answer>>[] {
  const failed = (error: unknown) => failureOutcome(error, ownerOf)
  return results.map((result) => result.then(answered<Answer>, failed))
}

function answered<Answer>(result: Result<Answer>): OwnerOutcome<Answer> {
  return { kind: 'ANSWERED', result }
}

/** The outcome of a command that has thrown. */
export function failureOutcome(
  error: unknown,
  ownerOf: () => Route | null = () => null,
): OwnerOutcome<never> {
  if (error instanceof NotOwner) return { kind: 'NOT_OWNER', owner: ownerOf() }
  const message = error instanceof Error ? error.message : String(error)
  // Of the store only what a command needs before it is executed is read.
  const isUndone = error instanceof Unavailable || error instanceof StoreUnavailable
  if (isUndone) return { kind: 'UNAVAILABLE', message }
  if (error instanceof CommitUnknown) return { kind: 'UNKNOWN', message }
  return { kind: 'FAILED', message }
}
