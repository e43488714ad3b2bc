// What the router needs from outside.

import type { OrderAnswer } from '../core/events/answer.ts'
import type { EventForm } from '../core/events/events.ts'
import type { Serial } from '../core/ids.ts'
import type { CommandKind, CostOf, SettleAnswer, Submit, SubmitAll } from '../engine/commands.ts'
import type { Peer } from './peer.ts'
import type { RouteTable } from './routes.ts'

/** The engine of a shard, or the way to it. */
export type ShardCommands = {
  readonly submit: Submit
  readonly submitAll: SubmitAll
  readonly costOf: CostOf
}

export type RouterOptions = {
  readonly routes: RouteTable
  /**
   * The engine of a shard that this node owns. Each engine is another object, and after it has
   * thrown NotOwner it is returned no more.
   */
  readonly local: (shard: number) => ShardCommands | null
  /** null for a node that is not known, such as this one. */
  readonly peer: (nodeId: string) => Peer | null
  /** An order from the store; null if the operator has no such order. */
  readonly orderOf: (
    shard: number,
    operatorId: string,
    orderSerial: Serial,
  ) => Promise<OrderAnswer | null>
  /** What settling a market has done, from the store; null if it is not settled. */
  readonly settlementOf: (shard: number, marketSerial: Serial) => Promise<SettleAnswer | null>
  /** The latest form of events that all nodes read: an owner of an earlier version may be one. */
  readonly eventForm: () => EventForm
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  readonly setTimer: (run: () => void, ms: number) => void
  readonly metrics: RouterMetrics
}

/** How a command ended that its own node could not answer at once. */
export type RoutedOutcome = 'ANSWERED' | 'UNAVAILABLE' | 'COMMIT_UNKNOWN' | 'FAILED'

export type RouterMetrics = {
  routed(kind: CommandKind, outcome: RoutedOutcome): void
  /** How many commands are held now, of all shards. */
  held(count: number): void
  /** From arrival to answer; `local` if the engine of this node had the command at once. */
  routeSeconds(where: 'local' | 'remote', seconds: number): void
}
