// What the engine needs from outside.

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
