// Reads what an operator was told. Sequences and times both grow from row to row, so that the
// first row that is young enough is found by halving, not by reading all that are too old. Nor are
// all read where few are asked for: a market has an index, and chunks say where a type occurs.

import type { EventPage, EventQuery, EventRecordRow } from '../record-store.ts'
import { type Cells, numberOf, textOf } from './cells.ts'
import { all, first, type Reading } from './reading.ts'
import { Where } from './where.ts'

/** As those who note chunks have it. */
export const sequencesPerChunk = 1_024

export function chunkOf(sequence: number): number {
  return Math.floor(sequence / sequencesPerChunk)
}

export function* readEvents(query: EventQuery): Reading<EventPage> {
  const { operatorNumber, since, limit } = query
  const last = yield* lastSequence(operatorNumber)
  const earliest = yield* firstFrom(operatorNumber, query.notBefore, last)
  if (earliest === null) {
    return { rows: [], hasMore: false, earliestSequence: last + 1, lastSequence: last }
  }
  const start = Math.max(earliest, (yield* rowWith(operatorNumber, since + 1)) ?? 0)
  const found = yield* rowsFrom(query, start)
  const rows = found.filter(({ lastSequence }) => lastSequence > since)
  return {
    rows: rows.slice(0, limit),
    hasMore: rows.length > limit,
    earliestSequence: earliest,
    lastSequence: last,
  }
}

// One more than asked for. The first may end before what is asked for; then it is the last of all.
function* rowsFrom(query: EventQuery, from: number): Reading<EventRecordRow[]> {
  const { operatorNumber, types, marketSerial, limit } = query
  const eventRecords = `tellings AS t ${marketSerial === null ? '' : 'INDEXED BY tellings_by_market'}`
  const where = new Where()
    .and('t.operator = ?', operatorNumber)
    .andIfGiven('t.market = ?', marketSerial)
  const { tables, order } =
    types === null
      ? { tables: eventRecords, order: 't.first_sequence' }
      : {
          tables: `telling_chunks AS c CROSS JOIN ${eventRecords}`,
          order: 'c.chunk, t.first_sequence',
        }
  if (types === null) where.and('t.first_sequence >= ?', from)
  else whereOfTypes(where, { operator: operatorNumber, types, from })
  const text = `SELECT t.* FROM ${tables} WHERE ${where.text} ORDER BY ${order} LIMIT ?`
  return (yield* all(text, ...where.values, limit + 1)).map(eventRecordOf)
}

// Chunk by chunk, of those in which one of the types occurs.
function whereOfTypes(
  where: Where,
  { operator, types, from }: { operator: number; types: number; from: number },
): void {
  const start = `c.chunk * ${sequencesPerChunk}`
  where
    .and('c.operator = ?', operator)
    .and('c.chunk >= ?', chunkOf(from))
    .and('c.types & ? <> 0', types)
    .and(`t.first_sequence >= CASE WHEN ${start} > ? THEN ${start} ELSE ? END`, from, from)
    .and(`t.first_sequence < (c.chunk + 1) * ${sequencesPerChunk}`)
    .and('t.types & ? <> 0', types)
}

/** The first sequence of the earliest row from that time on. */
function* firstFrom(operator: number, time: number, last: number): Reading<number | null> {
  let low = 1
  let high = last + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = yield* first(
      `SELECT first_sequence, created_at FROM tellings
       WHERE operator = ? AND first_sequence >= ? ORDER BY first_sequence LIMIT 1`,
      operator,
      middle,
    )
    if (row === undefined || numberOf(row.created_at) >= time) high = middle
    else low = numberOf(row.first_sequence) + 1
  }
  const found = yield* first(
    `SELECT first_sequence FROM tellings WHERE operator = ? AND first_sequence >= ?
     ORDER BY first_sequence LIMIT 1`,
    operator,
    low,
  )
  return found === undefined ? null : numberOf(found.first_sequence)
}

/** The first sequence of the row that holds this one. */
function* rowWith(operator: number, sequence: number): Reading<number | null> {
  const row = yield* first(
    `SELECT first_sequence FROM tellings WHERE operator = ? AND first_sequence <= ?
     ORDER BY first_sequence DESC LIMIT 1`,
    operator,
    sequence,
  )
  return row === undefined ? null : numberOf(row.first_sequence)
}

function* lastSequence(operator: number): Reading<number> {
  const row = yield* first('SELECT sequence FROM sequences WHERE operator = ?', operator)
  return row === undefined ? 0 : numberOf(row.sequence)
}

function eventRecordOf(cells: Cells): EventRecordRow {
  return {
    firstSequence: numberOf(cells.first_sequence),
    lastSequence: numberOf(cells.last_sequence),
    createdAt: numberOf(cells.created_at),
    marketSerial: numberOf(cells.market),
    marketCreatedAt: numberOf(cells.market_created_at),
    types: numberOf(cells.types),
    body: textOf(cells.body),
  }
}
