// Indexes of orders and trades that are kept as tables and updated for many rows at once, each in
// its own order, so that a page of an index is written once for many entries. Rows that are too new
// for the indexes are found at the end of their table: see migrations/0010-names.sql.

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
 * the later the update: the writer is short of time then.
 */
const updateAfter = { serialsMin: 500, serialsMax: 6_000, turns: 40 } as const
/** Entries are sorted in memory, so the rows of a large unindexed database are read in parts. */
const serialsAtOnce = 100_000

const everyRow = 'true'

export const indexSources: readonly IndexSource[] = [
  ofOrders('order_index_by_operator', ['operator_number']),
  ofOrders('order_index_by_market', ['operator_number', 'market_serial']),
  ofOrders('order_index_by_player', ['operator_number', 'player_id']),
  ofOrders(
    'order_index_by_transaction',
    ['operator_number', 'transaction_id'],
    'transaction_id IS NOT NULL',
  ),
  ofOrders('open_order_index_by_operator', ['operator_number'], 'status <= 1'),
  ofOrders('open_order_index_by_player', ['operator_number', 'player_id'], 'status <= 1'),
  ofOrders(
    'open_order_index_by_side',
    ['operator_number', 'is_sell', 'market_serial', 'outcome_serial'],
    'status <= 1',
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
  const { serialsMin, serialsMax, turns } = updateAfter
  const indexedTo = indexedToOf(statements)
  const used = turn.lastSerial - turn.serialBefore
  const due = Math.max(serialsMin, Math.min(serialsMax, used * turns))
  if (turn.lastSerial - indexedTo >= due) addEntries(statements, indexedTo, turn.lastSerial)
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

function indexedToOf(statements: Statements): number {
  return numberOf(statements.get("SELECT value FROM meta WHERE name = 'indexed_to'").get()?.value)
}
