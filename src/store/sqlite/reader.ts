// Everything that is read of the records, each call from one state of the database.

import type { Statements } from './connection.ts'
import { recordOfMarket } from './market-records.ts'
import { readCandles, readTape } from './read-candles.ts'
import { readEvents } from './read-events.ts'
import { readExposure } from './read-exposure.ts'
import {
  countSettlements,
  readPositions,
  readSettlement,
  readSettlements,
} from './read-holdings.ts'
import { countMarkets, readMarket, readMarkets } from './read-markets.ts'
import { readOrder, readOrders, readReplayable } from './read-orders.ts'
import { readReconciliation } from './read-reconciliation.ts'
import { readPlacementTrades, readTrades } from './read-trades.ts'
import { allItems, type TableName } from './registry-tables.ts'
import { allCursors } from './webhook-cursors.ts'

export type ReaderCalls = ReturnType<typeof readerCalls>

export function readerCalls(statements: Statements) {
  const { database } = statements
  // Several statements of one call must see the same state.
  const reading = <Ask, Answer>(read: (statements: Statements, ask: Ask) => Answer) => {
    return (ask: Ask): Answer => {
      database.exec('BEGIN')
      try {
        return read(statements, ask)
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
    all: (table: TableName) => allItems(statements, table),
    allCursors: (_: null) => allCursors(statements),
    close: (_: null) => database.close(),
  }
}
