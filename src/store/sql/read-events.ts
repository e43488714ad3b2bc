// Reads what an operator was told. Sequences and times both grow from row to row, so that the
// first row that is young enough is found by halving, not by reading all that are too old.

import type { EventPage, EventQuery, TellingRow } from '../record-store.ts'
import { type Cells, numberOf, textOf } from './cells.ts'
import { all, first, type Reading } from './reading.ts'
import { Where } from './where.ts'

export function* readEvents(query: EventQuery): Reading<EventPage> {
  const { operator, since, types, market, limit } = query
  const earliest = yield* firstFrom(operator, query.notBefore)
  if (earliest === null) {
    const earliestSequence = (yield* lastSequence(operator)) + 1
    return { rows: [], hasMore: false, earliestSequence }
  }
  const start = Math.max(earliest, (yield* rowWith(operator, since + 1)) ?? 0)
  const where = new Where()
    .and('operator = ?', operator)
    .and('first_sequence >= ?', start)
    .and('last_sequence > ?', since)
    .andIfGiven('types & ? <> 0', types)
    .andIfGiven('market = ?', market)
  const text = `SELECT * FROM tellings WHERE ${where.text} ORDER BY first_sequence LIMIT ?`
  const rows = (yield* all(text, ...where.values, limit + 1)).map(tellingOf)
  return {
    rows: rows.slice(0, limit),
    hasMore: rows.length > limit,
    earliestSequence: earliest,
  }
}

/** The first sequence of the earliest row from that time on. */
function* firstFrom(operator: number, time: number): Reading<number | null> {
  let low = 1
  let high = (yield* lastSequence(operator)) + 1
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

function tellingOf(cells: Cells): TellingRow {
  return {
    firstSequence: numberOf(cells.first_sequence),
    lastSequence: numberOf(cells.last_sequence),
    createdAt: numberOf(cells.created_at),
    market: numberOf(cells.market),
    marketCreatedAt: numberOf(cells.market_created_at),
    types: numberOf(cells.types),
    body: textOf(cells.body),
  }
}
