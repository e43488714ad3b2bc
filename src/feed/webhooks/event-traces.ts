// The traces of events that were committed last, for their deliveries. They are in memory only:
// after a restart, deliveries have none.

import type { EventTrace } from '../../core/events/committed-turn.ts'

export const eventsPerOperatorMax = 5_000
/** Of all operators together. */
export const eventsMax = 50_000

export class EventTraces {
  /** By operator, the one with the latest event last: by sequence, in ascending order. */
  readonly #operators = new Map<string, Map<number, string>>()
  #size = 0

  /** How many events have a trace. */
  get size(): number {
    return this.#size
  }

  add({ operatorId, firstSequence, count, traceId }: EventTrace): void {
    const traceIds = this.#operators.get(operatorId) ?? new Map<number, string>()
    this.#operators.delete(operatorId)
    this.#operators.set(operatorId, traceIds)
    for (let sequence = firstSequence; sequence < firstSequence + count; sequence += 1) {
      if (!traceIds.has(sequence)) this.#size += 1
      traceIds.set(sequence, traceId)
    }
    this.#dropFirst(traceIds, traceIds.size - eventsPerOperatorMax)
    for (const [other, old] of this.#operators) {
      if (this.#size <= eventsMax) break
      this.#dropFirst(old, this.#size - eventsMax)
      if (old.size === 0) this.#operators.delete(other)
    }
  }

  find(operatorId: string, sequence: number): string | undefined {
    return this.#operators.get(operatorId)?.get(sequence)
  }

  delete(operatorId: string): void {
    this.#size -= this.#operators.get(operatorId)?.size ?? 0
    this.#operators.delete(operatorId)
  }

  #dropFirst(traceIds: Map<number, string>, events: number): void {
    let left = events
    for (const sequence of traceIds.keys()) {
      if (left <= 0) return
      left -= 1
      traceIds.delete(sequence)
      this.#size -= 1
    }
  }
}
