// The event records of a turn as rows. Records of consecutive commands for one operator about one
// market share a row: under load that is most of a turn, and one row costs much less than thirty.

import { noMarket } from '../../core/events/event-body.ts'
import type { EventRecord } from '../../core/events/events.ts'
import type { Serial } from '../../core/ids.ts'
import type { OperatorEventRow, RowPacker } from '../../store/store.ts'
import type { NumberOf } from './turn-rows.ts'

/** A row is always expanded as a whole, even if a query needs few of its events. */
const eventsPerRowMax = 100

type OpenRow = {
  readonly first: EventRecord
  lastSequence: number
  types: number
  readonly body: EventRecord['body'][number][]
}

/** Returns the rows that it writes; those of an operator are in order. */
export function writeEventRows(
  eventRecords: readonly EventRecord[],
  numberOf: NumberOf,
  rows: RowPacker,
): OperatorEventRow[] {
  const written: OperatorEventRow[] = []
  const write = (operatorNumber: number, row: OpenRow) => {
    const eventRow = rowOf(operatorNumber, row)
    rows.add('eventRecord', eventRow)
    written.push(eventRow)
  }
  const open = new Map<number, OpenRow>()
  for (const eventRecord of eventRecords) {
    const operatorNumber = numberOf(eventRecord.operator)
    const row = open.get(operatorNumber)
    if (row !== undefined && fits(row, eventRecord)) {
      row.lastSequence += eventRecord.count
      row.types |= eventRecord.types
      for (const part of eventRecord.body) row.body.push(part)
      continue
    }
    if (row !== undefined) write(operatorNumber, row)
    const lastSequence = eventRecord.firstSequence + eventRecord.count - 1
    const { types } = eventRecord
    open.set(operatorNumber, {
      first: eventRecord,
      lastSequence,
      types,
      body: [...eventRecord.body],
    })
  }
  for (const [operatorNumber, row] of open) {
    write(operatorNumber, row)
    rows.add('eventSequence', { operatorNumber, eventSequence: row.lastSequence })
  }
  return written
}

function fits({ first, lastSequence }: OpenRow, { market, count }: EventRecord): boolean {
  return first.market === market && lastSequence + count - first.firstSequence < eventsPerRowMax
}

function rowOf(operatorNumber: number, { first, ...row }: OpenRow): OperatorEventRow {
  return {
    operatorNumber,
    firstSequence: first.firstSequence,
    lastSequence: row.lastSequence,
    createdAt: first.createdAt,
    marketSerial: first.market?.serial ?? (noMarket as Serial),
    marketCreatedAt: first.market?.createdAt ?? noMarket,
    types: row.types,
    body: JSON.stringify(row.body),
  }
}
