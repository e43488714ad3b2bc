// Which events of a turn belong to a trace: those of commands whose requests name one.

import type { EventTrace } from '../core/events/committed-turn.ts'
import type { EventRecord } from '../core/events/events.ts'
import type { QueuedCommand } from './queue.ts'

const noTraces: readonly EventTrace[] = []

export class CommandTraces {
  /** By the place of the command in the turn. */
  readonly #traceIds = new Map<number, string>()

  /** What `queued` has done are the commands in the places `from` to `to`, without the latter. */
  add(queued: QueuedCommand | undefined, from: number, to: number): void {
    const traceId = queued?.traceId
    if (traceId === undefined) return
    for (let place = from; place < to; place += 1) this.#traceIds.set(place, traceId)
  }

  eventsIn(eventRecords: readonly EventRecord[]): readonly EventTrace[] {
    if (this.#traceIds.size === 0) return noTraces
    return eventRecords.flatMap(({ command, operator, firstSequence, count }) => {
      const traceId = this.#traceIds.get(command)
      if (traceId === undefined) return []
      return [{ operatorId: operator.id, firstSequence, count, traceId }]
    })
  }
}
