// Event records without an exchange: rows that a test adds, read like those of a store.

import type { Event } from '../../../src/core/events/events.ts'
import { type EventType, eventTypes } from '../../../src/core/words.ts'
import type { EventPage, EventQuery, EventRecordRow } from '../../../src/store/store.ts'
import { serial } from '../core/steps.ts'

export class EventRows {
  readonly rows: EventRecordRow[] = []
  readonly reads: EventQuery[] = []
  /** Makes the next reads fail. */
  failures = 0
  /** Makes the next expansions fail. */
  expansionFailures = 0
  /** The body of a row with these types. */
  bodyOf: (types: readonly EventType[]) => string = JSON.stringify
  /** The size of each event. */
  payloadBytes = 0
  #head = 0

  get head(): number {
    return this.#head
  }

  /** The events of one command. */
  publish(types: readonly EventType[], createdAt = 0): void {
    const firstSequence = this.#head + 1
    this.#head += types.length
    this.rows.push({
      firstSequence,
      lastSequence: this.#head,
      createdAt,
      marketSerial: serial(1),
      marketCreatedAt: 0,
      types: types.reduce((mask, type) => mask | (1 << eventTypes.indexOf(type)), 0),
      body: this.bodyOf(types),
    })
  }

  readonly read = async (query: EventQuery): Promise<EventPage> => {
    this.reads.push(query)
    if (this.failures > 0) {
      this.failures -= 1
      throw new Error('The store cannot read now.')
    }
    const kept = this.rows.filter(({ createdAt }) => createdAt >= query.notBefore)
    const asked = kept.filter(
      ({ lastSequence, types }) =>
        lastSequence > query.since && (query.types === null || (types & query.types) !== 0),
    )
    return {
      rows: asked.slice(0, query.limit),
      hasMore: asked.length > query.limit,
      earliestSequence: kept[0]?.firstSequence ?? this.#head + 1,
      lastSequence: this.#head,
      historyId: 'of the test',
    }
  }

  readonly expand = ({ firstSequence, createdAt, body }: EventRecordRow): Event[] => {
    if (this.expansionFailures > 0) {
      this.expansionFailures -= 1
      throw new SyntaxError('The body cannot be read.')
    }
    const types: EventType[] = JSON.parse(body)
    return types.map((eventType, at) => ({
      id: `event-${firstSequence + at}`,
      operatorId: 'operator',
      sequence: firstSequence + at,
      eventType,
      marketId: 'market',
      createdAt,
      payload: { text: 'x'.repeat(this.payloadBytes) } as unknown as Event['payload'],
    }))
  }
}
