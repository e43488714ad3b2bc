// The events of a turn: recordEvents makes compact records of them, which are stored as they are,
// and expand makes full events of a stored record where it is read.

import type { Ids, Serial } from '../ids.ts'
import { hashOfText } from '../memory/hash.ts'
import type { Exchange } from '../state/exchange.ts'
import type { EventType } from '../words.ts'
import { controlsReaders } from './controls-events.ts'
import {
  BodyReader,
  type EventForm,
  noMarket,
  presentForm,
  type StoredEventRecord,
} from './event-body.ts'
import type { Payload } from './event-payload.ts'
import { type EventRecord, EventRecorder } from './event-recorder.ts'
import { holdingReaders } from './holding-events.ts'
import { makerReaders } from './maker-events.ts'
import { marketReaders } from './market-events.ts'
import { orderReaders } from './order-events.ts'

export { type EventForm, presentForm, type StoredEventRecord } from './event-body.ts'
export type { EventRecord } from './event-recorder.ts'

/**
 * The event records of the turn, in order. To be called exactly once, before the turn ends. In an
 * earlier form, nodes of an earlier version can read them.
 */
export function recordEvents(exchange: Exchange, form: EventForm = presentForm): EventRecord[] {
  const recorder = new EventRecorder(exchange, form)
  for (const facts of exchange.journal.commands) recorder.recordCommand(facts)
  return recorder.eventRecords
}

/** The record as a store would return it. */
export function storedRecordOf(eventRecord: EventRecord): StoredEventRecord {
  const { operator, market, firstSequence, createdAt, body } = eventRecord
  return {
    operatorId: operator.id,
    marketSerial: market?.serial ?? (noMarket as Serial),
    marketCreatedAt: market?.createdAt ?? noMarket,
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
  /** null where it is about no market. */
  readonly marketId: string | null
  readonly createdAt: number
  readonly payload: Payload
}

const readers: { readonly [Type in EventType]: (reader: BodyReader) => Payload } = {
  ...marketReaders,
  ...orderReaders,
  ...holdingReaders,
  ...makerReaders,
  ...controlsReaders,
}

/** The full events of a record. */
export function expand(ids: Ids, record: StoredEventRecord): Event[] {
  const { createdAt, firstSequence, operatorId } = record
  const reader = new BodyReader(ids, record)
  // Operators count their events separately; this keeps the ids of their events apart.
  const tweak = hashOfText(operatorId)
  const events: Event[] = []
  while (events.length === 0 || !reader.isAtEnd) {
    const sequence = firstSequence + events.length
    const eventType = reader.eventType()
    events.push({
      id: ids.textOf(sequence, createdAt, tweak),
      operatorId,
      sequence,
      eventType,
      marketId: reader.marketIdOrNull,
      createdAt,
      payload: readers[eventType](reader),
    })
  }
  return events
}
