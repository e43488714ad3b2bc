// What the engine needs from outside.

import type { EventForm } from '../core/events/events.ts'
import type { Rules } from '../core/state/exchange.ts'
import type { ReportFailure } from '../ops/edge-failures.ts'
import type { Log } from '../ops/log.ts'
import type { ShardStore } from '../store/store.ts'

export type EngineOptions = {
  readonly store: ShardStore
  /** Whether the database answers now, as far as is known. */
  readonly isStoreAnswering: () => boolean
  readonly rules: Rules
  /** Logical time. */
  readonly now: () => number
  /** Called with the stored time before the shard is loaded: logical time continues from there. */
  readonly onStoredTime?: (storedTime: number) => void
  /** The latest form of events that every service of this database can read. */
  readonly eventForm: () => EventForm
  readonly log: Pick<Log, 'warn' | 'error'>
  readonly reportFailure: ReportFailure
  readonly metrics: EngineMetrics
}

export type EngineMetrics = {
  turn(turn: { commands: number; orders: number; trades: number; commitSeconds: number }): void
  queue(length: number, shard: number): void
  rejected(code: string): void
  rebuilt(): void
}
