// Reads the event records of an operator. Sequences and times both grow from row to row, so the
// first row that is recent enough is found by bisection. A query for one market uses an index, a
// query for some types uses chunks, which hold the types that occur in a range of sequences.

import { assert } from '../../core/assert.ts'
import type { EventPage, EventQuery, EventRecordRow } from '../stored-events.ts'
import { type Cells, numberOf, serialOf, textOf } from './cells.ts'
import { all, first, type Reading } from './reading.ts'
import { Where } from './where.ts'

/** The size of a chunk. Stored chunks depend on it. */
export const sequencesPerChunk = 1_024

/**
 * SQLite only: the index has kept the name of its table at the time, as SQLite cannot rename one.
 * PostgreSQL ignores the hint.
 */
const byMarket = 'INDEXED BY tellings_by_market'

/**
 * A page ends with the row that passes this many characters. Most rows have a few hundred; that of
 * an order that swept a book may have a million.
 */
export const pageLengthMax = 4_000_000
/** Rows are read in portions, so that at most one portion is read past the end of the page. */
const rowsAtOnce = 64

export function chunkOf(sequence: number): number {
  return Math.floor(sequence / sequencesPerChunk)
}

export function* readEvents(query: EventQuery): Reading<EventPage> {
  const { operatorNumber, since, limit } = query
  const { last, historyId } = yield* latestOf(operatorNumber)
  const earliest = yield* firstFrom(operatorNumber, query.notBefore, last)
  if (earliest === null) {
    return { rows: [], hasMore: false, earliestSequence: last + 1, lastSequence: last, historyId }
  }
  const start = Math.max(earliest, (yield* rowWith(operatorNumber, since + 1)) ?? 0)
  const found = yield* rowsFrom(query, start)
  const rows = found.filter(({ lastSequence }) => lastSequence > since)
  const count = Math.min(limit, fittingCount(rows))
  return {
    rows: rows.slice(0, count),
    hasMore: rows.length > count,
    earliestSequence: earliest,
    lastSequence: last,
    historyId,
  }
}

// One row more than the limit, or fewer that pass the length of a page. The first row may end
// before `since`; then it is the last of all.
function* rowsFrom(query: EventQuery, from: number): Reading<EventRecordRow[]> {
  const rows: EventRecordRow[] = []
  for (let next = from; ; ) {
    const atOnce = Math.min(rowsAtOnce, query.limit + 1 - rows.length)
    const portion = yield* portionFrom(query, next, atOnce)
    rows.push(...portion)
    const isFull = rows.length > query.limit || fittingCount(rows) < rows.length
    if (portion.length < atOnce || isFull) return rows
    next = rows.at(-1)!.lastSequence + 1
  }
}

function* portionFrom(query: EventQuery, from: number, atOnce: number): Reading<EventRecordRow[]> {
  const { operatorNumber, types, marketSerial } = query
  const records = `event_records AS e ${marketSerial === null ? '' : byMarket}`
  const where = new Where()
    .and('e.operator_number = ?', operatorNumber)
    .andIfGiven('e.market_serial = ?', marketSerial)
  const { tables, order } =
    types === null
      ? { tables: records, order: 'e.first_sequence' }
      : {
          tables: `event_chunks AS c CROSS JOIN ${records}`,
          order: 'c.chunk, e.first_sequence',
        }
  if (types === null) where.and('e.first_sequence >= ?', from)
  else whereOfTypes(where, { operatorNumber, types, from })
  const text = `SELECT e.* FROM ${tables} WHERE ${where.text} ORDER BY ${order} LIMIT ?`
  return (yield* all(text, ...where.values, atOnce)).map(eventRecordOf)
}

// How many rows a page has: up to the one that passes the length of a page.
function fittingCount(rows: readonly EventRecordRow[]): number {
  let length = 0
  const last = rows.findIndex(({ body }) => {
    length += body.length
    return length > pageLengthMax
  })
  return last < 0 ? rows.length : last + 1
}

// Chunk by chunk, of the chunks in which one of the types occurs.
function whereOfTypes(
  where: Where,
  { operatorNumber, types, from }: { operatorNumber: number; types: number; from: number },
): void {
  const start = `c.chunk * ${sequencesPerChunk}`
  where
    .and('c.operator_number = ?', operatorNumber)
    .and('c.chunk >= ?', chunkOf(from))
    .and('c.types & ? <> 0', types)
    .and(`e.first_sequence >= CASE WHEN ${start} > ? THEN ${start} ELSE ? END`, from, from)
    .and(`e.first_sequence < (c.chunk + 1) * ${sequencesPerChunk}`)
    .and('e.types & ? <> 0', types)
}

/** The first sequence of the earliest row from that time on. */
function* firstFrom(operatorNumber: number, time: number, last: number): Reading<number | null> {
  let low = 1
  let high = last + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = yield* first(
      `SELECT first_sequence, created_at FROM event_records
       WHERE operator_number = ? AND first_sequence >= ? ORDER BY first_sequence LIMIT 1`,
      operatorNumber,
      middle,
    )
    if (row === undefined || numberOf(row.created_at) >= time) high = middle
    else low = numberOf(row.first_sequence) + 1
  }
  const found = yield* first(
    `SELECT first_sequence FROM event_records WHERE operator_number = ? AND first_sequence >= ?
     ORDER BY first_sequence LIMIT 1`,
    operatorNumber,
    low,
  )
  return found === undefined ? null : numberOf(found.first_sequence)
}

/** The first sequence of the row that contains a sequence. */
function* rowWith(operatorNumber: number, sequence: number): Reading<number | null> {
  const row = yield* first(
    `SELECT first_sequence FROM event_records WHERE operator_number = ? AND first_sequence <= ?
     ORDER BY first_sequence DESC LIMIT 1`,
    operatorNumber,
    sequence,
  )
  return row === undefined ? null : numberOf(row.first_sequence)
}

/** As of one moment, and read with each page: a database may be restored below a service. */
function* latestOf(operatorNumber: number): Reading<{ last: number; historyId: string }> {
  const row = yield* first(
    `SELECT h.id, s.event_sequence FROM history AS h
     LEFT JOIN event_sequences AS s ON s.operator_number = ? WHERE h.is_only_row = 1`,
    operatorNumber,
  )
  assert(row !== undefined, 'the start has drawn the id of the history')
  const { id, event_sequence: last } = row
  return { last: last === null ? 0 : numberOf(last), historyId: textOf(id) }
}

function eventRecordOf(cells: Cells): EventRecordRow {
  return {
    firstSequence: numberOf(cells.first_sequence),
    lastSequence: numberOf(cells.last_sequence),
    createdAt: numberOf(cells.created_at),
    marketSerial: serialOf(cells.market_serial),
    marketCreatedAt: numberOf(cells.market_created_at),
    types: numberOf(cells.types),
    body: textOf(cells.body),
  }
}
