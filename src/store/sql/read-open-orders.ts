// Reads the open orders of an operator in slices, to cancel them. A slice is a range of an index:
// of a player's open orders, or of the open orders of a side, by market and outcome.

import type { Serial } from '../../core/ids.ts'
import { sides } from '../../core/words.ts'
import type { OpenOrdersCursor, OpenOrdersQuery, OpenOrdersSlice } from '../record-store.ts'
import { type Cells, numberOf, serialOf } from './cells.ts'
import { readLastSerial } from './read-turns.ts'
import { all, first, type Reading } from './reading.ts'
import { Where } from './where.ts'

export function readOpenOrders(query: OpenOrdersQuery): Reading<OpenOrdersSlice> {
  const { playerId } = query
  return playerId === null ? readBySide(query) : readByPlayer({ ...query, playerId })
}

// Newest first. The other filters apply to the slice, so that none makes the read longer.
function* readByPlayer(query: OpenOrdersQuery & { playerId: string }): Reading<OpenOrdersSlice> {
  const { operatorNumber, marketSerial, outcomeSerial, playerId, side, after, limit } = query
  const open = new Where()
    .and('key_operator_number = ?', operatorNumber)
    .and('key_player_id = ?', playerId)
    .andIfGiven('key_serial < ?', after?.[0] ?? null)
  const rows = yield* all(
    `SELECT key_serial AS serial, market_serial, outcome_serial, is_sell
     FROM open_orders_of_player WHERE ${open.text} ORDER BY key_serial DESC LIMIT ?`,
    ...open.values,
    limit,
  )
  const fits = (cells: Cells) =>
    (marketSerial === null || cells.market_serial === marketSerial) &&
    (outcomeSerial === null || cells.outcome_serial === outcomeSerial) &&
    (side === null || cells.is_sell === sides.indexOf(side))
  const serials = rows.filter(fits).map(({ serial }) => serialOf(serial))
  return { serials, next: rows.length < limit ? null : [numberOf(rows.at(-1)!.serial)] }
}

/** The columns of the index after the operator. */
const sideKeys = 'key_is_sell, key_market_serial, key_outcome_serial, key_serial'

/** A place in the index, after which the next slice begins. */
type Place = readonly [isSell: number, marketSerial: number, outcomeSerial: number, serial: number]

/** Beyond every serial. */
const end = Number.MAX_SAFE_INTEGER

// By side, market and outcome: ranges of the index, given by their first and last place. Of
// conditions on single columns, PostgreSQL would choose the primary key for that of the serial.
function* readBySide(query: OpenOrdersQuery): Reading<OpenOrdersSlice> {
  const { side, outcomeSerial, limit } = query
  const marketSerial = yield* marketOf(query)
  if (marketSerial === 'none') return { serials: [], next: null }
  const [lastSerial, after] = cursorOf(query.after) ?? [yield* readLastSerial(), null]
  const serials: Serial[] = []
  let last: Place | null = null
  for (const isSell of side === null ? [0, 1] : [sides.indexOf(side)]) {
    if ((after !== null && isSell < after[0]) || serials.length === limit) continue
    const first: Place =
      after?.[0] === isSell ? after : [isSell, marketSerial ?? 0, outcomeSerial ?? 0, 0]
    const rows = yield* all(
      `SELECT ${sideKeys} FROM open_orders_of_side WHERE key_operator_number = ?
         AND (${sideKeys}) > (?, ?, ?, ?) AND (${sideKeys}) < (?, ?, ?, ?) AND key_serial <= ?
       ORDER BY ${sideKeys} LIMIT ?`,
      query.operatorNumber,
      ...first,
      ...[isSell, marketSerial ?? end, outcomeSerial ?? end, end],
      lastSerial,
      limit - serials.length,
    )
    for (const { key_serial } of rows) serials.push(serialOf(key_serial))
    const lastRow = rows.at(-1)
    if (lastRow !== undefined) last = placeOf(lastRow)
  }
  serials.sort((one, other) => other - one)
  const hasMore = last !== null && serials.length === limit
  return { serials, next: hasMore ? [lastSerial, ...last!] : null }
}

/** The market of the filter or of its outcome; `none` if no order can match. */
function* marketOf(query: OpenOrdersQuery): Reading<number | null | 'none'> {
  const { marketSerial, outcomeSerial } = query
  if (outcomeSerial === null) return marketSerial
  const text = 'SELECT market_serial FROM outcomes WHERE serial = ?'
  const outcome = yield* first(text, outcomeSerial)
  if (outcome === undefined) return 'none'
  const found = numberOf(outcome.market_serial)
  return marketSerial === null || marketSerial === found ? found : 'none'
}

/** The last serial when the first slice was read, and the place after which the next one begins. */
function cursorOf(after: OpenOrdersCursor | null): [lastSerial: number, place: Place] | null {
  if (after === null) return null
  const [lastSerial = 0, isSell = 0, marketSerial = 0, outcomeSerial = 0, serial = 0] = after
  return [lastSerial, [isSell, marketSerial, outcomeSerial, serial]]
}

function placeOf(cells: Cells): Place {
  const { key_is_sell, key_market_serial, key_outcome_serial, key_serial } = cells
  return [
    numberOf(key_is_sell),
    numberOf(key_market_serial),
    numberOf(key_outcome_serial),
    numberOf(key_serial),
  ]
}
