// How a command has ended, as it crosses a link: a tuple that begins with a number for its form.

import type { Reject } from '../../core/reject.ts'
import type { CommandKind, Commands, Result } from '../../engine/commands.ts'
import type { PeerOutcome } from '../peer.ts'
import { answerCodec } from './answer-codec.ts'

/** UNSENT and LOST exist only at the caller, and never cross a link. */
export type OwnerOutcome<Answer = unknown> = Exclude<
  PeerOutcome<Answer>,
  { readonly kind: 'UNSENT' | 'LOST' }
>

const ACCEPTED = 0
const REJECTED = 1
const NOT_OWNER = 2
const UNAVAILABLE = 3
const UNKNOWN = 4
const FAILED = 5

/** The cost is null if it is not set. */
export type OutcomeTuple =
  | readonly [typeof ACCEPTED, cost: number | null, answer: unknown]
  | readonly [typeof REJECTED, cost: number | null, isReplay: 0 | 1, reject: Reject]
  | readonly [typeof NOT_OWNER, nodeId: string, epoch: number]
  | readonly [typeof NOT_OWNER]
  | readonly [typeof UNAVAILABLE | typeof UNKNOWN | typeof FAILED, message: string]

const numbers = { UNAVAILABLE, UNKNOWN, FAILED } as const

export function encodeOutcome<Kind extends CommandKind>(
  kind: Kind,
  outcome: OwnerOutcome<Commands[Kind]['answer']>,
): OutcomeTuple {
  switch (outcome.kind) {
    case 'ANSWERED': {
      const { result } = outcome
      const cost = result.cost ?? null
      if (result.isAccepted) return [ACCEPTED, cost, answerCodec(kind).encode(result.answer)]
      return [REJECTED, cost, result.isReplay === true ? 1 : 0, result.reject]
    }
    case 'NOT_OWNER': {
      const { owner } = outcome
      return owner === null ? [NOT_OWNER] : [NOT_OWNER, owner.nodeId, owner.epoch]
    }
    default:
      return [numbers[outcome.kind], outcome.message]
  }
}

export function decodeOutcome<Kind extends CommandKind>(
  kind: Kind,
  tuple: OutcomeTuple,
): OwnerOutcome<Commands[Kind]['answer']> {
  switch (tuple[0]) {
    case ACCEPTED: {
      const answer = answerCodec(kind).decode(tuple[2])
      return answered(tuple[1], { isAccepted: true, answer })
    }
    case REJECTED: {
      const [, cost, isReplay, reject] = tuple
      const replay = isReplay === 1 ? { isReplay: true as const } : {}
      return answered(cost, { isAccepted: false, reject, ...replay })
    }
    case NOT_OWNER: {
      const [, nodeId, epoch] = tuple
      const owner = nodeId === undefined || epoch === undefined ? null : { nodeId, epoch }
      return { kind: 'NOT_OWNER', owner }
    }
    case UNAVAILABLE:
      return { kind: 'UNAVAILABLE', message: tuple[1] }
    case UNKNOWN:
      return { kind: 'UNKNOWN', message: tuple[1] }
    case FAILED:
      return { kind: 'FAILED', message: tuple[1] }
    default:
      throw new RangeError(`no outcome of a command has the number ${tuple[0]}`)
  }
}

function answered<Answer>(cost: number | null, result: Result<Answer>): OwnerOutcome<Answer> {
  return { kind: 'ANSWERED', result: cost === null ? result : { ...result, cost } }
}
