// What operators are told. `tellTurn` tells a turn in tellings, which are small enough to be stored
// as they are; `expand` makes the full events of them where they are read.

import type { Ids } from '../ids.ts'
import { hashOfText } from '../memory/hash.ts'
import type { Exchange } from '../state/exchange.ts'
import { type EventType, eventTypes } from '../words.ts'
import { BodyReader, type StoredEventRecord } from './event-body.ts'
import type { Payload } from './event-payload.ts'
import { type EventRecord, EventRecorder } from './event-recorder.ts'
import { holdingReaders } from './holding-events.ts'
import { marketReaders } from './market-events.ts'
import { orderReaders } from './order-events.ts'

export type { StoredEventRecord } from './event-body.ts'
export type { EventRecord } from './event-recorder.ts'

// Bodies are stored: the fields of a type keep their order, and a new one comes at the end of its
// type, for rows that were written before must still be read.

/** What the turn tells, in order. To be called exactly once, before the turn ends. */
export function recordEvents(exchange: Exchange): EventRecord[] {
  const { journal } = exchange
  const recorder = new EventRecorder(exchange)
  for (let start = 0; start < journal.length; ) {
    const end = journal.endOf(start)
    recorder.recordCommand(start, end)
    start = end
  }
  return recorder.eventRecords
}

/** The telling as a store would give it back. */
export function storedRecordOf(eventRecord: EventRecord): StoredEventRecord {
  const { operator, market, firstSequence, createdAt, body } = eventRecord
  return {
    operatorId: operator.id,
    marketSerial: market.serial,
    marketCreatedAt: market.createdAt,
    firstSequence,
    createdAt,
    body,
  }
}

export type Event = {
  readonly id: string
  readonly operatorId: string
  readonly sequence: number
  readonly eventType: EventType
  readonly marketId: string
  readonly createdAt: number
  readonly payload: Payload
}

const readers: { readonly [Type in EventType]: (reader: BodyReader) => Payload } = {
  ...marketReaders,
  ...orderReaders,
  ...holdingReaders,
}

/** The full events of a telling. */
export function expand(ids: Ids, told: StoredEventRecord): Event[] {
  const { createdAt, firstSequence, operatorId } = told
  const reader = new BodyReader(ids, told)
  // Keeps the ids of its events apart from those of other operators.
  const tweak = hashOfText(operatorId)
  const events: Event[] = []
  while (events.length === 0 || !reader.isAtEnd) {
    const sequence = firstSequence + events.length
    const eventType = reader.word(eventTypes)
    events.push({
      id: ids.textOf(sequence, createdAt, tweak),
      operatorId,
      sequence,
      eventType,
      marketId: reader.marketId,
      createdAt,
      payload: readers[eventType](reader),
    })
  }
  return events
}
