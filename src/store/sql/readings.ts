// Every read of records by its name, once for both databases.

import { readAudit } from './audit-log.ts'
import { readKeyUses } from './key-uses.ts'
import { recordOfMarket } from './market-records.ts'
import { readCandles, readTape } from './read-candles.ts'
import { readControls } from './read-controls.ts'
import { readDailyTotals } from './read-daily-totals.ts'
import { readEvents } from './read-events.ts'
import { readExposure } from './read-exposure.ts'
import {
  countSettlements,
  readPositions,
  readSettlement,
  readSettlements,
} from './read-holdings.ts'
import { readMarketSummaries } from './read-market-summaries.ts'
import { countMarkets, readMarket, readMarkets } from './read-markets.ts'
import { readOpenOrders } from './read-open-orders.ts'
import { readOrder, readOrders, readReplayable } from './read-orders.ts'
import { readPlayers } from './read-players.ts'
import { readReconciliation } from './read-reconciliation.ts'
import { readSettlementSums } from './read-settlement-sums.ts'
import { readPlacementTrades, readTrade, readTrades } from './read-trades.ts'
import { hasTurn, readLastSerial } from './read-turns.ts'
import { readUsage } from './read-usage.ts'
import { readValuation } from './read-valuation.ts'
import type { Reading } from './reading.ts'
import { readAttempts, readDeliveryStates, readHealth, readLogStates } from './webhook-log.ts'

const readings = {
  market: readMarket,
  markets: readMarkets,
  marketSummaries: readMarketSummaries,
  marketRecord: recordOfMarket,
  order: readOrder,
  orders: readOrders,
  openOrders: readOpenOrders,
  byTransactionId: readReplayable,
  placementTrades: readPlacementTrades,
  trade: readTrade,
  trades: readTrades,
  tape: readTape,
  lastSerial: readLastSerial,
  candles: readCandles,
  positions: readPositions,
  settlements: readSettlements,
  settlement: readSettlement,
  settlementCounts: countSettlements,
  exposure: readExposure,
  valuation: readValuation,
  players: readPlayers,
  controls: readControls,
  usage: readUsage,
  reconciliation: readReconciliation,
  settlementSums: readSettlementSums,
  dailyTotals: readDailyTotals,
  marketCounts: countMarkets,
  events: readEvents,
  webhookAttempts: readAttempts,
  webhookLogStates: readLogStates,
  webhookHealth: readHealth,
  webhookDeliveries: readDeliveryStates,
  auditEntries: readAudit,
  keyUses: readKeyUses,
  hasTurn,
}

type Readings = typeof readings
export type ReadName = keyof Readings
export type ReadArgument<Name extends ReadName> = Parameters<Readings[Name]>[0]
export type ReadAnswer<Name extends ReadName> =
  ReturnType<Readings[Name]> extends Reading<infer Answer> ? Answer : never

export function readingOf<Name extends ReadName>(
  name: Name,
  argument: ReadArgument<Name>,
): Reading<ReadAnswer<Name>> {
  // The compiler does not relate the argument and the answer of a name that is not known here.
  const read = readings[name] as (argument: unknown) => Reading<unknown>
  return read(argument) as Reading<ReadAnswer<Name>>
}
