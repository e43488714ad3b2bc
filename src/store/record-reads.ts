// The reads of records as a store offers them, on top of a function that runs one of them by name.

import type { RecordStore } from './record-store.ts'
import type { ReadAnswer, ReadArgument, ReadName } from './sql/readings.ts'

/** `operatorNumber`: for whom it is read, if the argument does not say it. */
type RunRead = <Name extends ReadName>(
  name: Name,
  argument: ReadArgument<Name>,
  operatorNumber?: number,
) => Promise<ReadAnswer<Name>>

export function recordReads(run: RunRead): RecordStore {
  return {
    market: (serial, operatorNumber) => run('market', serial, operatorNumber),
    markets: (query) => run('markets', query),
    marketSummaries: (query) => run('marketSummaries', query),
    marketRecord: (serial, operatorNumber) => run('marketRecord', serial, operatorNumber),
    order: (operatorNumber, serial) => run('order', { operatorNumber, serial }),
    orders: (query) => run('orders', query),
    openOrders: (query) => run('openOrders', query),
    byTransactionId: (operatorNumber, transactionId) =>
      run('byTransactionId', { operatorNumber, transactionId }),
    placementTrades: (query, operatorNumber) => run('placementTrades', query, operatorNumber),
    trade: (operatorNumber, serial) => run('trade', { operatorNumber, serial }),
    trades: (query) => run('trades', query),
    tape: (query) => run('tape', query),
    lastSerial: () => run('lastSerial', undefined),
    candles: (query) => run('candles', query),
    positions: (query) => run('positions', query),
    settlements: (query) => run('settlements', query),
    settlement: (operatorNumber, serial) => run('settlement', { operatorNumber, serial }),
    settlementCounts: (query) => run('settlementCounts', query),
    exposure: (query) => run('exposure', query),
    valuation: (query) => run('valuation', query),
    players: (query) => run('players', query),
    controls: (query) => run('controls', query),
    usage: (query) => run('usage', query),
    reconciliation: (marketSerial) => run('reconciliation', marketSerial),
    settlementSums: (marketSerial) => run('settlementSums', marketSerial),
    dailyTotals: (query) => run('dailyTotals', query),
    marketCounts: (operatorNumber) => run('marketCounts', operatorNumber),
    events: (query) => run('events', query),
    webhookAttempts: (query) => run('webhookAttempts', query),
    webhookLogStates: (query) => run('webhookLogStates', query),
    webhookHealth: (query) => run('webhookHealth', query),
    webhookDeliveries: (query) => run('webhookDeliveries', query),
    auditEntries: (query) => run('auditEntries', query),
    keyUses: (keyIds) => run('keyUses', keyIds),
    hasTurn: (query) => run('hasTurn', query),
  }
}
