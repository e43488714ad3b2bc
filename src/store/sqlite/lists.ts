// The lists of orders and trades, which follow their tables at a distance: see
// migrations/0007-lists.sql. The entries of many rows are added at once, each list in its own
// order, so that a page of it is written once for many of them.

import { numberOf } from '../sql/cells.ts'
import type { Statements } from './connection.ts'

/** What a list takes of the rows of a table: those columns, of all rows or only of some. */
export type ListSource = {
  readonly list: string
  readonly columns: readonly [...keys: string[], serial: 'serial']
  readonly table: 'orders' | 'trades'
  readonly only: string
}

/**
 * So many serials are given before the lists are brought up to date; a reader runs along them. The
 * larger the turns, the longer the lists wait: then the writer is short of time, and no reader.
 */
const arrears = { least: 500, most: 6_000, turns: 40 } as const
/** Entries are sorted in memory: those of a large database that knows no lists yet, in parts. */
const serialsAtOnce = 100_000

const every = 'true'

export const listSources: readonly ListSource[] = [
  ofOrders('listed_orders_of_operator', ['operator']),
  ofOrders('listed_orders_of_market', ['operator', 'market']),
  ofOrders('listed_orders_of_player', ['operator', 'player_id']),
  ofOrders(
    'listed_orders_of_transaction',
    ['operator', 'transaction_id'],
    'transaction_id IS NOT NULL',
  ),
  ofOrders('listed_open_orders', ['operator'], 'status <= 1'),
  ofOrders('listed_open_orders_of_player', ['operator', 'player_id'], 'status <= 1'),
  ofTrades('listed_trades_of_operator', 'buyer'),
  ofTrades('listed_trades_of_operator', 'seller', 'seller <> buyer'),
  ofTrades('listed_trades_of_market', 'market'),
  ofTrades('listed_trades_of_outcome', 'outcome'),
]

function ofOrders(list: string, keys: readonly string[], only = every): ListSource {
  return { list, columns: [...keys, 'serial'], table: 'orders', only }
}

function ofTrades(list: string, key: string, only = every): ListSource {
  return { list, columns: [key, 'serial'], table: 'trades', only }
}

/** At the end of a turn that gave those serials, within its transaction, and not every time. */
export function listWhenDue(
  statements: Statements,
  turn: { readonly serialBefore: number; readonly lastSerial: number },
): void {
  const { least, most, turns } = arrears
  const listedTo = listedToOf(statements)
  const given = turn.lastSerial - turn.serialBefore
  const isDue = turn.lastSerial - listedTo >= Math.max(least, Math.min(most, given * turns))
  if (isDue) list(statements, listedTo, turn.lastSerial)
}

/** Within a transaction: everything that is stored. */
export function listAll(statements: Statements): void {
  const head = statements.get('SELECT ifnull(max(last_serial), 0) AS last FROM shards').get()
  const last = numberOf(head?.last)
  for (let after = listedToOf(statements); after < last; ) {
    const upTo = Math.min(after + serialsAtOnce, last)
    list(statements, after, upTo)
    after = upTo
  }
}

const insertTexts = listSources.map(({ list, columns, table, only }) => {
  const names = columns.join(', ')
  return `INSERT INTO ${list} SELECT ${names} FROM ${table}
    WHERE serial > ? AND serial <= ? AND ${only} ORDER BY ${names}`
})

function list(statements: Statements, after: number, upTo: number): void {
  for (const text of insertTexts) statements.get(text).run(after, upTo)
  statements.get("UPDATE meta SET value = ? WHERE name = 'listed_to'").run(upTo)
}

function listedToOf(statements: Statements): number {
  return numberOf(statements.get("SELECT value FROM meta WHERE name = 'listed_to'").get()?.value)
}
