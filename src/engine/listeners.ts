// The listeners of the engine: each receives every turn once it is committed, in order.

import type { CommittedTurn } from '../core/events/committed-turn.ts'
import type { ReportFailure } from '../ops/edge-failures.ts'
import type { Turn } from './turn.ts'

export class Listeners {
  readonly #reportFailure: ReportFailure
  readonly #list: ((turn: CommittedTurn) => void)[] = []

  constructor(reportFailure: ReportFailure) {
    this.#reportFailure = reportFailure
  }

  get hasAny(): boolean {
    return this.#list.length > 0
  }

  add(listener: (turn: CommittedTurn) => void): void {
    this.#list.push(listener)
  }

  // A listener that fails must not stop trading or the other listeners.
  publish({ eventRecords, tape: trades }: Turn): void {
    for (const listener of this.#list) {
      try {
        listener({ eventRecords, trades })
      } catch (error) {
        this.#reportFailure('listener', 'event listener failed', { error })
      }
    }
  }
}
