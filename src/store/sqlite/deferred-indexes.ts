// Indexes of orders and trades that are kept as tables and updated for many rows at once, each in
// its own order, so that a page of an index is written once for many entries. Rows that are too new
// for the indexes are found at the end of their table: see migrations/0010-names.sql. Closed orders
// leave the indexes of open orders in the same way: see migrations/0014-closed-orders.sql.

import { issuer } from '../rows.ts'
import { numberOf } from '../sql/cells.ts'
import type { Statements } from './connection.ts'

/** Which rows of a table an index has entries for, and from which columns. */
export type IndexSource = {
  readonly index: string
  readonly columns: readonly [...keys: string[], serial: 'serial']
  readonly table: 'orders' | 'trades'
  readonly condition: string
}

/**
 * So many new serials make the indexes due; a read goes through all of them. The larger the turns,
 * the later the update: the writer is short of time then, and the next turn waits for it.
 */
const updateAfter = { serialsMin: 500, serialsMax: 4_000, turns: 40, largeTurns: 4 } as const
/** So many closed orders make their removal due; a read of open orders goes through them. */
const removeAfter = 500
/**
 * A turn adds or removes the entries of at most so many serials, because the next turn waits for
 * it; a larger turn those of as many as it has used, so that the indexes do not fall behind.
 */
const perTurn = { added: 1_500, removed: 1_000 } as const
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
]

function ofOrders(index: string, keys: readonly string[], condition = everyRow): IndexSource {
  return { index, columns: [...keys, 'serial'], table: 'orders', condition }
}

function ofTrades(index: string, key: string, condition = everyRow): IndexSource {
  return { index, columns: [key, 'serial'], table: 'trades', condition }
}

/** Called at the end of each turn, within its transaction. */
export function updateIndexesWhenDue(
  statements: Statements,
  turn: { readonly serialBefore: number; readonly lastSerial: number },
): void {
  const { serialsMin, serialsMax, turns, largeTurns } = updateAfter
  const indexedTo = indexedToOf(statements)
  const used = turn.lastSerial - turn.serialBefore
  const due = Math.max(serialsMin, Math.min(serialsMax, used * turns), used * largeTurns)
  const waiting = turn.lastSerial - indexedTo
  if (waiting >= due) {
    const count = Math.min(waiting, Math.max(perTurn.added, used))
    addEntries(statements, indexedTo, indexedTo + count)
  }
  removeClosed(statements, {
    due: Math.max(removeAfter, used * largeTurns),
    count: Math.max(perTurn.removed, used),
  })
}

/** Adds the entries of all stored rows, within the caller's transaction. */
export function updateIndexes(statements: Statements): void {
  const head = statements.get('SELECT ifnull(max(last_serial), 0) AS last FROM head').get()
  const last = numberOf(head?.last)
  for (let after = indexedToOf(statements); after < last; ) {
    const upTo = Math.min(after + serialsAtOnce, last)
    addEntries(statements, after, upTo)
    after = upTo
  }
}

const insertTexts = indexSources.map(({ index, columns, table, condition }) => {
  const names = columns.join(', ')
  return `INSERT INTO ${index} SELECT ${names} FROM ${table}
    WHERE serial > ? AND serial <= ? AND ${condition} ORDER BY ${names}`
})

function addEntries(statements: Statements, after: number, upTo: number): void {
  for (const text of insertTexts) statements.get(text).run(after, upTo)
  statements.get("UPDATE meta SET value = ? WHERE name = 'indexed_to'").run(upTo)
}

const openIndexes = indexSources.filter(({ condition }) => condition === isOpen)
const removeTexts = openIndexes.map(({ index, columns }) => {
  const names = columns.join(', ')
  return `DELETE FROM ${index} WHERE (${names}) IN (
    SELECT ${names} FROM orders WHERE serial IN (
      SELECT serial FROM closed_orders WHERE number < ?))`
})

function removeClosed(
  statements: Statements,
  { due, count }: { readonly due: number; readonly count: number },
): void {
  const { first, last } = statements
    .get(
      `SELECT (SELECT min(number) FROM closed_orders) AS first,
         (SELECT max(number) FROM closed_orders) AS last`,
    )
    .get()!
  if (first === null) return
  const waiting = numberOf(last) - numberOf(first) + 1
  if (waiting < due) return
  const before = numberOf(first) + count
  for (const text of removeTexts) statements.get(text).run(before)
  statements.get('DELETE FROM closed_orders WHERE number < ?').run(before)
}

function indexedToOf(statements: Statements): number {
  return numberOf(statements.get("SELECT value FROM meta WHERE name = 'indexed_to'").get()?.value)
}
