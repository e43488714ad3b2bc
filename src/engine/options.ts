// What the engine needs from outside, and what it publishes.

import type { EventRecord } from '../core/events/events.ts'
import type { Rules } from '../core/state/exchange.ts'
import type { Log } from '../ops/log.ts'
import type { Store } from '../store/store.ts'

export type EngineOptions = {
  readonly store: Store
  readonly rules: Rules
  readonly now: () => number
  readonly log: Pick<Log, 'warn' | 'error'>
  readonly metrics: EngineMetrics
}

export type EngineMetrics = {
  turn(turn: { commands: number; orders: number; trades: number; commitSeconds: number }): void
  queue(length: number): void
  rejected(code: string): void
  rebuilt(): void
}

/** What listeners receive of a turn once it is committed. */
export type CommittedTurn = {
  readonly eventRecords: readonly EventRecord[]
  /** In the order of execution, without the parties: this is what the public sees. */
  readonly trades: readonly StoredTrade[]
}

export type StoredTrade = {
  readonly marketId: string
  readonly outcomeId: string
  /** In ticks. */
  readonly price: number
  readonly shares: number
  readonly isSellIncoming: boolean
  readonly createdAt: number
}
