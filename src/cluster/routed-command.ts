// A command on its way to the owner of its shard, and what is known of it.

import {
  type CommandKind,
  type Commands,
  CommitUnknown,
  type Result,
  Unavailable,
} from '../engine/commands.ts'
import { waitsForJob } from './repeatable.ts'
import type { RoutedOutcome } from './router-options.ts'

/** How long a command that was surely not executed waits for an owner. */
const holdMsMax = 2_000
/** How long a command may take in all. */
export const commandMsMax = 10_000

export type AnyCommand = Commands[CommandKind]['command']

export type RoutedCommand = {
  readonly shard: number
  readonly kind: CommandKind
  readonly command: AnyCommand
  readonly operatorId: string | null
  /** Commands of a shard are numbered in the order of their arrival. */
  readonly arrival: number
  readonly arrivedAt: number
  /** It is answered when a job of its market is done. */
  readonly isJob: boolean
  readonly resolve: (result: Result<unknown>) => void
  readonly reject: (error: Error) => void
  /** When it is given up; a job has no deadline until its link breaks. */
  deadlineAt: number
  /** Since when it is held, if it is. */
  heldAt: number
  /** For how long it was held before, since it arrived or was lost. */
  heldMs: number
  /** It was sent, and its link broke: it may have been executed. */
  mayBeDone: boolean
  /** How often it was sent. */
  tries: number
  /** When it was last sent, see current-owner.ts. */
  period: number
  /** It counts among those that the owner has not answered; a job does not. */
  isUnderWay: boolean
  isEnded: boolean
}

type Arrival = Pick<RoutedCommand, 'shard' | 'arrival' | 'arrivedAt' | 'resolve' | 'reject'>

export function routedCommand(
  kind: CommandKind,
  command: AnyCommand,
  arrival: Arrival,
): RoutedCommand {
  const isJob = waitsForJob(kind, command)
  return {
    ...arrival,
    kind,
    command,
    operatorId: 'operatorId' in command ? command.operatorId : null,
    isJob,
    deadlineAt: isJob ? Number.POSITIVE_INFINITY : arrival.arrivedAt + commandMsMax,
    heldAt: 0,
    heldMs: 0,
    mayBeDone: false,
    tries: 0,
    period: 0,
    isUnderWay: false,
    isEnded: false,
  }
}

/** When a held command is given up. */
export function holdEndOf({ mayBeDone, heldAt, heldMs, deadlineAt }: RoutedCommand): number {
  return mayBeDone ? deadlineAt : Math.min(heldAt + holdMsMax - heldMs, deadlineAt)
}

/** Consecutive commands that share a frame. */
export function groupsOf(routed: readonly RoutedCommand[]): RoutedCommand[][] {
  const groups: RoutedCommand[][] = []
  for (const next of routed) {
    const group = groups.at(-1)
    if (group !== undefined && belongTogether(group[0]!, next)) group.push(next)
    else groups.push([next])
  }
  return groups
}

/** Commands of one kind that arrived together. */
export function belongTogether(a: RoutedCommand, b: RoutedCommand): boolean {
  return a.kind === b.kind && a.arrivedAt === b.arrivedAt && a.isJob === b.isJob
}

/** What an error says of a command, as the metrics count it. */
export function outcomeOf(error: Error): RoutedOutcome {
  if (error instanceof Unavailable) return 'UNAVAILABLE'
  return error instanceof CommitUnknown ? 'COMMIT_UNKNOWN' : 'FAILED'
}
