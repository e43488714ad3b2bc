// The listeners of the engine: each receives every turn once it is committed, in order.

import type { CommittedTurn, EventTrace } from '../core/events/committed-turn.ts'
import type { ReportFailure } from '../ops/edge-failures.ts'
import type { OperatorEventRow } from '../store/store.ts'
import type { Turn } from './turn.ts'

/** A committed turn, its event records as rows of the store, and which events have a trace. */
export type StoredTurn = CommittedTurn & {
  readonly eventRows: readonly OperatorEventRow[]
  readonly traces: readonly EventTrace[]
}

export class Listeners {
  readonly #reportFailure: ReportFailure
  readonly #list: ((turn: StoredTurn) => void)[] = []

  constructor(reportFailure: ReportFailure) {
    this.#reportFailure = reportFailure
  }

  get hasAny(): boolean {
    return this.#list.length > 0
  }

  add(listener: (turn: StoredTurn) => void): void {
    this.#list.push(listener)
  }

  // A listener that fails must not stop trading or the other listeners.
  publish({ eventRecords, eventRows, traces, tape: trades }: Turn): void {
    for (const listener of this.#list) {
      try {
        listener({ eventRecords, eventRows, traces, trades })
      } catch (error) {
        this.#reportFailure('listener', 'event listener failed', { error })
      }
    }
  }
}
