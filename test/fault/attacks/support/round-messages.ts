// What the processes of a round tell each other. A process gets its job as an argument.

import type { FixtureMarket } from '../../support/trading-fixture.ts'

export type AttackJob = {
  /** The name of the attack. */
  readonly attack: string
  readonly url: string
  readonly key: string
  readonly orders: number
  /** Multiplies every rate. */
  readonly share: number
}
/** Answers by status, or by status and error code. */
export type AttackTally = Readonly<Record<string, number>>
export type AttackerCommand = { readonly op: 'start' } | { readonly op: 'stop' }
export type AttackerReport =
  | { readonly state: 'ready' }
  | { readonly state: 'stopped'; readonly tally: AttackTally }

export type VictimJob = {
  readonly url: string
  readonly key: string
  readonly market: FixtureMarket
}
export type VictimCommand = { readonly ms: number }
export const victimRequests = ['order', 'read', 'replay'] as const
export type VictimRequest = (typeof victimRequests)[number]
export type VictimReport = {
  /** Milliseconds. */
  readonly p99: Readonly<Record<VictimRequest, number>>
  readonly sent: number
  /** Answers other than success, by kind and status, and requests without an answer. */
  readonly refused: Readonly<Record<string, number>>
}
