// What a turn tells, as rows. What consecutive commands tell one operator about one market shares
// a row: under load that is most of a turn, and one row costs a store much less than thirty.

import type { Telling } from '../core/events.ts'
import type { RowPacker } from '../store/store.ts'
import type { NumberOf } from './turn-rows.ts'

/** A row is expanded whole, however few of its events are asked for. */
const eventsPerRowMax = 100

type OpenRow = {
  readonly first: Telling
  lastSequence: number
  types: number
  /** JSON, without the brackets. */
  body: string
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
      row.body += `,${fieldsOf(telling)}`
      continue
    }
    if (row !== undefined) writeRow(operator, row, rows)
    const lastSequence = telling.firstSequence + telling.count - 1
    const { types } = telling
    open.set(operator, { first: telling, lastSequence, types, body: fieldsOf(telling) })
  }
  for (const [operator, row] of open) {
    writeRow(operator, row, rows)
    rows.add('sequence', { operator, sequence: row.lastSequence })
  }
}

function fits({ first, lastSequence }: OpenRow, { market, count }: Telling): boolean {
  return first.market === market && lastSequence + count - first.firstSequence < eventsPerRowMax
}

function fieldsOf({ body }: Telling): string {
  return JSON.stringify(body).slice(1, -1)
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
    body: `[${row.body}]`,
  })
}
