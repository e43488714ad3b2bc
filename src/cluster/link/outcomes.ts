// How the end of a command at its owner becomes the outcome that another node receives.

import { CommitUnknown, type Result, Unavailable } from '../../engine/commands.ts'
import type { Route } from '../peer.ts'
import type { OwnerOutcome } from './outcome-codec.ts'

/** The node does not own the shard; the command was not executed. */
export class NotOwner extends Error {
  override readonly name = 'NotOwner'
  /** The owner if it is known. */
  readonly owner: Route | null

  constructor(owner: Route | null) {
    super('this node does not own the shard')
    this.owner = owner
  }
}

export function outcomesOf<Answer>(
  results: readonly Promise<Result<Answer>>[],
): readonly Promise<OwnerOutcome<Answer>>[] {
  return results.map((result) => result.then(answered<Answer>, failureOutcome))
}

function answered<Answer>(result: Result<Answer>): OwnerOutcome<Answer> {
  return { kind: 'ANSWERED', result }
}

/** The outcome of a command that has thrown. */
export function failureOutcome(error: unknown): OwnerOutcome<never> {
  if (error instanceof NotOwner) return { kind: 'NOT_OWNER', owner: error.owner }
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof Unavailable) return { kind: 'UNAVAILABLE', message }
  if (error instanceof CommitUnknown) return { kind: 'UNKNOWN', message }
  return { kind: 'FAILED', message }
}
