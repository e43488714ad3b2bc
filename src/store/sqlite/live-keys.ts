// Which transactionIds are still in use: those of a live market, whatever their age, and young ones
// of any market.

import { type Cells, numberOf, textOf } from '../sql/cells.ts'
import { liveMarkets } from '../sql/load-rows.ts'
import type { UsedKey } from '../store.ts'
import { answerOf, type Statements } from './connection.ts'

type Market = { readonly serial: number; readonly owner: number }
type KeyTable = 'orders' | 'sets'

export function* usedKeys(
  statements: Statements,
  { keysFrom, lastSerial }: { keysFrom: number; lastSerial: number },
): Iterable<UsedKey> {
  const tables = (['orders', 'sets'] as const).map((table) => ({
    table,
    young: firstSerialFrom(statements, { table, time: keysFrom, lastSerial }),
  }))
  for (const { table, young } of tables) {
    const rows = statements
      .get(
        `SELECT operator, transaction_id, market FROM ${table} NOT INDEXED
         WHERE serial >= ? AND transaction_id IS NOT NULL`,
      )
      .iterate(young)
    for (const cells of rows) yield keyOf(cells)
  }
  const live = answerOf(statements, liveMarkets())
  const readOld = holdMuch(statements, live) ? keysAlong : keysByMarket
  for (const { table, young } of tables) {
    // Whatever happened in a young market is young.
    const markets = live.filter(({ serial }) => serial < young)
    yield* readOld(statements, { table, markets, before: young })
  }
}

type OldKeys = { table: KeyTable; markets: readonly Market[]; before: number }

// Reading a row in its place costs a quarter of finding it through an index.
function holdMuch(statements: Statements, live: readonly Market[]): boolean {
  const cells = statements
    .get(
      `SELECT ifnull(sum(orders) FILTER (WHERE market = 0), 0) AS every,
         ifnull(sum(orders) FILTER (WHERE market IN (SELECT value FROM json_each(?))), 0) AS live
       FROM tallies`,
    )
    .get(JSON.stringify(live.map(({ serial }) => serial)))
  return numberOf(cells?.live) * 4 > numberOf(cells?.every)
}

function* keysAlong(
  statements: Statements,
  { table, markets, before }: OldKeys,
): Iterable<UsedKey> {
  const serials = markets.map(({ serial }) => serial)
  const rows = statements
    .get(
      `SELECT operator, transaction_id, market FROM ${table} NOT INDEXED
       WHERE serial > ? AND serial < ? AND transaction_id IS NOT NULL
         AND market IN (SELECT value FROM json_each(?))`,
    )
    .iterate(serials[0] ?? before, before, JSON.stringify(serials))
  for (const cells of rows) yield keyOf(cells)
}

const keysOfMarket: Readonly<Record<KeyTable, string>> = {
  orders: `SELECT operator, transaction_id, market FROM orders_of_market
    WHERE of_operator = ? AND of_market = ? AND at < ? AND transaction_id IS NOT NULL`,
  sets: `SELECT operator, transaction_id, market FROM sets INDEXED BY sets_by_market
    WHERE operator = ? AND market = ? AND serial < ? AND transaction_id IS NOT NULL`,
}

function* keysByMarket(
  statements: Statements,
  { table, markets, before }: OldKeys,
): Iterable<UsedKey> {
  for (const { serial, owner } of markets) {
    for (const operator of [owner, ...participantsOf(statements, serial)]) {
      const rows = statements.get(keysOfMarket[table]).iterate(operator, serial, before)
      for (const cells of rows) yield keyOf(cells)
    }
  }
}

function participantsOf(statements: Statements, market: number): number[] {
  return statements
    .get('SELECT operator FROM guests WHERE market = ?')
    .all(market)
    .map(({ operator }) => numberOf(operator))
}

function keyOf(cells: Cells): UsedKey {
  return {
    operatorNumber: numberOf(cells.operator),
    transactionId: textOf(cells.transaction_id),
    marketSerial: numberOf(cells.market),
  }
}

/** Serials and times grow together: found by halving, as times have no index. */
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
