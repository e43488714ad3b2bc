// All reads of records, each call from one snapshot of the database.

import { recordOfMarket } from '../sql/market-records.ts'
import { readCandles, readTape } from '../sql/read-candles.ts'
import { readEvents } from '../sql/read-events.ts'
import { readExposure } from '../sql/read-exposure.ts'
import {
  countSettlements,
  readPositions,
  readSettlement,
  readSettlements,
} from '../sql/read-holdings.ts'
import { countMarkets, readMarket, readMarkets } from '../sql/read-markets.ts'
import { readOpenOrders, readOrder, readOrders, readReplayable } from '../sql/read-orders.ts'
import { readReconciliation } from '../sql/read-reconciliation.ts'
import { readPlacementTrades, readTrades } from '../sql/read-trades.ts'
import type { Reading } from '../sql/reading.ts'
import { allItems, type TableName } from '../sql/registry-tables.ts'
import { allCursors } from '../sql/webhook-cursors.ts'
import { answerOf, type Statements } from './connection.ts'

export type ReaderCalls = ReturnType<typeof readerCalls>

export function readerCalls(statements: Statements) {
  const { database } = statements
  // The statements of a call must see the same snapshot.
  const reading = <Query, Answer>(read: (query: Query) => Reading<Answer>) => {
    return (query: Query): Answer => {
      database.exec('BEGIN')
      try {
        return answerOf(statements, read(query))
      } finally {
        // A failure may have ended the transaction; another error must not hide it.
        if (database.isTransaction) database.exec('ROLLBACK')
      }
    }
  }
  return {
    market: reading(readMarket),
    markets: reading(readMarkets),
    marketRecord: reading(recordOfMarket),
    order: reading(readOrder),
    orders: reading(readOrders),
    openOrders: reading(readOpenOrders),
    byTransactionId: reading(readReplayable),
    placementTrades: reading(readPlacementTrades),
    trades: reading(readTrades),
    tape: reading(readTape),
    candles: reading(readCandles),
    positions: reading(readPositions),
    settlements: reading(readSettlements),
    settlement: reading(readSettlement),
    settlementCounts: reading(countSettlements),
    exposure: reading(readExposure),
    reconciliation: reading(readReconciliation),
    marketCounts: reading(countMarkets),
    events: reading(readEvents),
    all: (table: TableName) => answerOf(statements, allItems(table)),
    allCursors: (_: null) => answerOf(statements, allCursors()),
    close: (_: null) => database.close(),
  }
}
