// Indexes of orders and trades that are kept as tables and updated for many rows at once, each in
// its own order, so that a page of an index is written once for many entries. Rows that are too new
// for an index are found at the end of their table: see migrations/0016-index-marks.sql. Closed
// orders leave the indexes of open orders in the same way: see migrations/0014-closed-orders.sql.

import { issuer } from '../rows.ts'
import { numberOf, textOf } from '../sql/cells.ts'
import type { Statements } from './connection.ts'

/** Which rows of a table an index has entries for, and from which columns. */
export type IndexSource = {
  readonly index: string
  readonly columns: readonly [...keys: string[], serial: 'serial']
  /** The view has a row for each player that has an order in a trade. */
  readonly table: 'orders' | 'trades' | 'trade_players'
  readonly condition: string
}

/** So many new serials make an index due; a read goes through all of them. */
const addAfter = 4_000
/** So many closed orders make their removal due; a read of open orders goes through them. */
const removeAfter = 500
/** One order may match more, which must not hold up the next derivation for long. */
const removeAtOnce = 10_000
/** Entries are sorted in memory, so the rows of a large unindexed database are read in parts. */
const serialsAtOnce = 100_000

const everyRow = 'true'
export const isOpen = 'status <= 1'

export const indexSources: readonly IndexSource[] = [
  ofOrders('order_index_by_operator', ['operator_number']),
  ofOrders('order_index_by_market', ['operator_number', 'market_serial']),
  ofOrders('order_index_by_player', ['operator_number', 'player_id']),
  ofOrders(
    'order_index_by_transaction',
    ['operator_number', 'transaction_id'],
    'transaction_id IS NOT NULL',
  ),
  ofOrders('open_order_index_by_operator', ['operator_number'], isOpen),
  ofOrders('open_order_index_by_player', ['operator_number', 'player_id'], isOpen),
  ofOrders(
    'open_order_index_by_side',
    ['operator_number', 'is_sell', 'market_serial', 'outcome_serial'],
    isOpen,
  ),
  ofTrades('trade_index_by_operator', 'buyer_number'),
  ofTrades('trade_index_by_operator', 'seller_number', 'seller_number <> buyer_number'),
  ofTrades('trade_index_by_market', 'market_serial'),
  ofTrades('trade_index_by_outcome', 'outcome_serial'),
  ofTrades('trade_index_by_order', 'buy_order_serial', `buyer_number <> ${issuer}`),
  ofTrades('trade_index_by_order', 'sell_order_serial', `seller_number <> ${issuer}`),
  {
    index: 'trade_index_by_player',
    columns: ['operator_number', 'player_id', 'serial'],
    table: 'trade_players',
    condition: everyRow,
  },
]

function ofOrders(index: string, keys: readonly string[], condition = everyRow): IndexSource {
  return { index, columns: [...keys, 'serial'], table: 'orders', condition }
}

function ofTrades(index: string, key: string, condition = everyRow): IndexSource {
  return { index, columns: [key, 'serial'], table: 'trades', condition }
}

export const indexNames = [...new Set(indexSources.map(({ index }) => index))]

/**
 * Updates the index that is furthest behind, or removes closed orders, whichever is more overdue,
 * within the caller's transaction. Returns false if nothing was due.
 */
export function updateIndexesWhenDue(statements: Statements): boolean {
  const { index, indexedTo } = furthestBehind(statements)
  const last = lastSerialOf(statements)
  const closed = closedOrders(statements)
  const overdue = { add: (last - indexedTo) / addAfter, remove: closed.count / removeAfter }
  if (overdue.add < 1 && overdue.remove < 1) return false
  if (overdue.remove > overdue.add) removeClosed(statements, closed.first + removeAtOnce)
  else addEntries(statements, index, { after: indexedTo, upTo: last })
  return true
}

/** Adds the entries of all stored rows to every index, within the caller's transaction. */
export function updateIndexes(statements: Statements): void {
  const last = lastSerialOf(statements)
  for (;;) {
    const { index, indexedTo } = furthestBehind(statements)
    if (indexedTo >= last) return
    addEntries(statements, index, { after: indexedTo, upTo: last })
  }
}

type Mark = { readonly index: string; readonly indexedTo: number }

function furthestBehind(statements: Statements): Mark {
  const text = 'SELECT * FROM index_marks ORDER BY indexed_to, index_name LIMIT 1'
  const cells = statements.get(text).get()!
  return { index: textOf(cells.index_name), indexedTo: numberOf(cells.indexed_to) }
}

function lastSerialOf(statements: Statements): number {
  const head = statements.get('SELECT ifnull(max(last_serial), 0) AS last FROM head').get()
  return numberOf(head?.last)
}

const insertTexts = indexSources.map(({ index, columns, table, condition }) => {
  const names = columns.join(', ')
  const text = `INSERT INTO ${index} SELECT ${names} FROM ${table}
    WHERE serial > ? AND serial <= ? AND ${condition} ORDER BY ${names}`
  return { index, text }
})

type Serials = { readonly after: number; readonly upTo: number }

function addEntries(statements: Statements, index: string, serials: Serials): void {
  const { after } = serials
  const upTo = Math.min(serials.upTo, after + serialsAtOnce)
  for (const insert of insertTexts) {
    if (insert.index === index) statements.get(insert.text).run(after, upTo)
  }
  statements.get('UPDATE index_marks SET indexed_to = ? WHERE index_name = ?').run(upTo, index)
}

function closedOrders(statements: Statements): { first: number; count: number } {
  const { first, last } = statements
    .get(
      `SELECT (SELECT min(number) FROM closed_orders) AS first,
         (SELECT max(number) FROM closed_orders) AS last`,
    )
    .get()!
  if (first === null || last === null) return { first: 0, count: 0 }
  return { first: numberOf(first), count: numberOf(last) - numberOf(first) + 1 }
}

const removeTexts = indexSources
  .filter(({ condition }) => condition === isOpen)
  .map(({ index, columns }) => {
    const names = columns.join(', ')
    return `DELETE FROM ${index} WHERE (${names}) IN (
      SELECT ${names} FROM orders WHERE serial IN (
        SELECT serial FROM closed_orders WHERE number < ?))`
  })

// An index that is not updated to an order yet has nothing to remove, and never adds it.
function removeClosed(statements: Statements, before: number): void {
  for (const text of removeTexts) statements.get(text).run(before)
  statements.get('DELETE FROM closed_orders WHERE number < ?').run(before)
}
