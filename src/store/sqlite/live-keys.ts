// The transactionIds that are still in use (core/idempotency.ts): those of live markets, whatever
// their age, and recent ones of any market.

import type { Serial } from '../../core/ids.ts'
import { numberOf } from '../sql/cells.ts'
import {
  type KeyTable,
  keyColumns,
  keyTables,
  type LiveMarket,
  liveMarkets,
  loadedKey,
} from '../sql/load-rows.ts'
import type { UsedKey } from '../store.ts'
import { answerOf, type Statements } from './connection.ts'

export function* usedKeys(
  statements: Statements,
  { keysFrom, lastSerial }: { keysFrom: number; lastSerial: number },
): Iterable<UsedKey> {
  const tables = keyTables.map((table) => ({
    table,
    firstRecent: firstSerialFrom(statements, { table, time: keysFrom, lastSerial }),
  }))
  for (const { table, firstRecent } of tables) {
    yield* keysIn(
      statements,
      `SELECT ${keyColumns} FROM ${table} NOT INDEXED
       WHERE serial >= ? AND transaction_id IS NOT NULL`,
    )(firstRecent)
  }
  const live = answerOf(statements, liveMarkets())
  const readOld = haveMostOrders(statements, live) ? keysInTableOrder : keysByMarket
  for (const { table, firstRecent } of tables) {
    // The records of a recent market are all recent.
    const markets = live.filter(({ serial }) => serial < firstRecent)
    yield* readOld(statements, { table, markets, before: firstRecent })
  }
}

function keysIn(statements: Statements, text: string) {
  const statement = statements.database.prepare(text, { returnArrays: true })
  return function* (...values: (number | string)[]): Iterable<UsedKey> {
    for (const cells of statement.iterate(...values)) yield loadedKey(cells)
  }
}

type OldKeys = { table: KeyTable; markets: readonly LiveMarket[]; before: number }

// Reading a row in the order of its table costs a quarter of finding it through an index.
function haveMostOrders(statements: Statements, live: readonly LiveMarket[]): boolean {
  const cells = statements
    .get(
      `SELECT ifnull(sum(orders) FILTER (WHERE market_serial = 0), 0) AS every,
         ifnull(sum(orders) FILTER (
           WHERE market_serial IN (SELECT value FROM json_each(?))
         ), 0) AS live
       FROM tallies`,
    )
    .get(JSON.stringify(live.map(({ serial }) => serial)))
  return numberOf(cells?.live) * 4 > numberOf(cells?.every)
}

function keysInTableOrder(
  statements: Statements,
  { table, markets, before }: OldKeys,
): Iterable<UsedKey> {
  const serials = markets.map(({ serial }) => serial)
  const keys = keysIn(
    statements,
    `SELECT ${keyColumns} FROM ${table} NOT INDEXED
     WHERE serial > ? AND serial < ? AND transaction_id IS NOT NULL
       AND market_serial IN (SELECT value FROM json_each(?))`,
  )
  return keys(serials[0] ?? before, before, JSON.stringify(serials))
}

const keysOfMarket: Readonly<Record<KeyTable, string>> = {
  orders: `SELECT ${keyColumns} FROM orders_of_market
    WHERE key_operator_number = ? AND key_market_serial = ? AND key_serial < ?
      AND transaction_id IS NOT NULL`,
  sets: `SELECT ${keyColumns} FROM sets INDEXED BY sets_by_market
    WHERE operator_number = ? AND market_serial = ? AND serial < ?
      AND transaction_id IS NOT NULL`,
}

function* keysByMarket(
  statements: Statements,
  { table, markets, before }: OldKeys,
): Iterable<UsedKey> {
  const keys = keysIn(statements, keysOfMarket[table])
  for (const { serial, ownerNumber } of markets) {
    for (const operatorNumber of [ownerNumber, ...participantsOf(statements, serial)]) {
      yield* keys(operatorNumber, serial, before)
    }
  }
}

function participantsOf(statements: Statements, marketSerial: Serial): number[] {
  return statements
    .get('SELECT operator_number FROM participants WHERE market_serial = ?')
    .all(marketSerial)
    .map((cells) => numberOf(cells.operator_number))
}

/** Serials and times grow together: found by bisection, as times have no index. */
function firstSerialFrom(
  statements: Statements,
  { table, time, lastSerial }: { table: KeyTable; time: number; lastSerial: number },
): number {
  let low = 1
  let high = lastSerial + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = statements
      .get(`SELECT serial, created_at FROM ${table} WHERE serial >= ? ORDER BY serial LIMIT 1`)
      .get(middle)
    if (row === undefined || numberOf(row.created_at) >= time) high = middle
    else low = numberOf(row.serial) + 1
  }
  return low
}
