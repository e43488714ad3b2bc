// Loads a shard. Markets are read in pages, and open orders, positions and keys one by one, each
// over a connection that is open while they are iterated.

import type {
  MarketRecord,
  OrderRecord,
  PositionRecord,
  Records,
} from '../../core/snapshot/records.ts'
import {
  type Base,
  liveMarkets,
  loadedOrder,
  loadedPosition,
  type OperatorIds,
  orderColumns,
  pagesOf,
  positionColumns,
  readBase,
} from '../sql/load-rows.ts'
import { recordsOfMarkets } from '../sql/market-records.ts'
import type { LoadedShard } from '../store.ts'
import { answerOf, openReader, Statements } from './connection.ts'
import { usedKeys } from './live-keys.ts'

type LoadOptions = {
  readonly folder: string
  readonly shard: number
  /** Keys of ended markets are loaded from that time on. */
  readonly keysFrom: number
}

export function loadShard({ folder, shard, keysFrom }: LoadOptions): LoadedShard {
  const { operatorIds, operatorNumbers, ...base } = baseOf(folder, shard)
  const records = {
    ...base,
    markets: lazily(folder, marketsOf),
    positions: lazily(folder, (statements) => positionsOf(statements, operatorIds)),
    orders: lazily(folder, (statements) => ordersOf(statements, operatorIds)),
  }
  const { lastSerial } = records.head
  const keys = lazily(folder, (statements) => usedKeys(statements, { keysFrom, lastSerial }))
  return { records, operatorNumbers, keys, laterKeys: null }
}

/** The records of a snapshot, over the caller's connection, which must stay open meanwhile. */
export function recordsIn(statements: Statements, shard: number): Records {
  const base = answerOf(statements, readBase(shard))
  const { controls, deadMen, head, operatorIds, operators, orderGroups } = base
  const markets = marketsOf(statements)
  const positions = positionsOf(statements, operatorIds)
  const orders = ordersOf(statements, operatorIds)
  return { head, operators, deadMen, orderGroups, controls, markets, positions, orders }
}

function baseOf(folder: string, shard: number): Base {
  const database = openReader(folder)
  try {
    database.exec('BEGIN')
    return answerOf(new Statements(database), readBase(shard))
  } finally {
    database.close()
  }
}

/** Each iteration opens a connection and closes it at its end. */
function lazily<Item>(
  folder: string,
  read: (statements: Statements) => Iterable<Item>,
): Iterable<Item> {
  return {
    *[Symbol.iterator]() {
      const database = openReader(folder)
      try {
        yield* read(new Statements(database))
      } finally {
        database.close()
      }
    },
  }
}

function* marketsOf(statements: Statements): Iterable<MarketRecord> {
  const live = answerOf(statements, liveMarkets())
  for (const serials of pagesOf(live)) yield* answerOf(statements, recordsOfMarkets(serials))
}

// The serials are read from an index and sorted, so that the rows are read in the order of the
// table.
function* positionsOf(statements: Statements, ids: OperatorIds): Iterable<PositionRecord> {
  const live = answerOf(statements, liveMarkets()).map(({ serial }) => serial)
  const rows = statements.database
    .prepare(
      `SELECT ${positionColumns} FROM (
         SELECT serial FROM positions INDEXED BY positions_by_market
         WHERE market_serial IN (SELECT value FROM json_each(?)) ORDER BY serial LIMIT -1
       ) AS live CROSS JOIN positions AS p ON p.serial = live.serial`,
      { returnArrays: true },
    )
    .iterate(JSON.stringify(live))
  for (const cells of rows) yield loadedPosition(cells, ids)
}

function* ordersOf(statements: Statements, ids: OperatorIds): Iterable<OrderRecord> {
  const rows = statements.database
    .prepare(`SELECT ${orderColumns} FROM open_orders AS open ORDER BY queue_serial`, {
      returnArrays: true,
    })
    .iterate()
  for (const cells of rows) yield loadedOrder(cells, ids)
}
