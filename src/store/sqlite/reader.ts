// Everything that is read of the records, each call from one state of the database.

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
  // Several statements of one call must see the same state.
  const reading = <Ask, Answer>(read: (ask: Ask) => Reading<Answer>) => {
    return (ask: Ask): Answer => {
      database.exec('BEGIN')
      try {
        return answerOf(statements, read(ask))
      } finally {
        // A failure may have ended it, and must not be hidden behind another.
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
