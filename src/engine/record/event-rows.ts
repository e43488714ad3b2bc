// What a turn tells, as rows. What consecutive commands tell one operator about one market shares
// a row: under load that is most of a turn, and one row costs a store much less than thirty.

import type { Telling } from '../../core/events/events.ts'
import type { RowPacker } from '../../store/store.ts'
import type { NumberOf } from './turn-rows.ts'

/** A row is expanded whole, however few of its events are asked for. */
const eventsPerRowMax = 100

type OpenRow = {
  readonly first: Telling
  lastSequence: number
  types: number
  readonly body: Telling['body'][number][]
}

export function writeTellings(
  tellings: readonly Telling[],
  numberOf: NumberOf,
  rows: RowPacker,
): void {
  const open = new Map<number, OpenRow>()
  for (const telling of tellings) {
    const operator = numberOf(telling.operator)
    const row = open.get(operator)
    if (row !== undefined && fits(row, telling)) {
      row.lastSequence += telling.count
      row.types |= telling.types
      for (const part of telling.body) row.body.push(part)
      continue
    }
    if (row !== undefined) writeRow(operator, row, rows)
    const lastSequence = telling.firstSequence + telling.count - 1
    const { types } = telling
    open.set(operator, { first: telling, lastSequence, types, body: [...telling.body] })
  }
  for (const [operator, row] of open) {
    writeRow(operator, row, rows)
    rows.add('sequence', { operator, sequence: row.lastSequence })
  }
}

function fits({ first, lastSequence }: OpenRow, { market, count }: Telling): boolean {
  return first.market === market && lastSequence + count - first.firstSequence < eventsPerRowMax
}

function writeRow(operator: number, { first, ...row }: OpenRow, rows: RowPacker): void {
  rows.add('telling', {
    operator,
    firstSequence: first.firstSequence,
    lastSequence: row.lastSequence,
    createdAt: first.createdAt,
    market: first.market.serial,
    marketCreatedAt: first.market.createdAt,
    types: row.types,
    body: JSON.stringify(row.body),
  })
}
