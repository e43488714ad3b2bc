// What the engine gets from outside, and what it tells there.

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
  refused(code: string): void
  rebuilt(): void
}

/** What listeners are told of a turn once it is stored. */
export type StoredTurn = {
  readonly eventRecords: readonly EventRecord[]
  /** In the order in which they were made; whose they are is nobody's business here. */
  readonly trades: readonly StoredTrade[]
}

export type StoredTrade = {
  readonly marketId: string
  readonly outcomeId: string
  /** In steps. */
  readonly price: number
  readonly shares: number
  readonly isSellIncoming: boolean
  readonly createdAt: number
}
