// Positions, complete sets and settlements as they are on the wire.

import type { Ids } from '../../core/ids.ts'
import { averageOf, microsPerSet, ticksPerUnit } from '../../core/money.ts'
import { valuationOf } from '../../core/valuation.ts'
import type { PositionAnswer, SetsAnswer, SettleAnswer } from '../../engine/commands.ts'
import { positionOfRow } from '../../engine/idempotency/stored-answers.ts'
import type { PositionRow, SettlementCounts, SettlementRow } from '../../store/store.ts'
import type * as wire from '../schemas/holding.ts'
import { averageText, moneyText, priceText, sharesText } from './quantity.ts'
import { timeText } from './time.ts'

function presentPosition(position: PositionAnswer): wire.Position {
  return {
    id: position.id,
    marketId: position.marketId,
    outcomeId: position.outcomeId,
    operatorId: position.operatorId,
    playerId: position.playerId,
    shares: sharesText(position.shares),
    reservedShares: sharesText(position.reserved),
    avgPrice: averageText(averageOf(position.cost, position.shares)),
    totalCost: moneyText(position.cost),
    realizedPnl: moneyText(position.profit),
    createdAt: timeText(position.createdAt),
    updatedAt: timeText(position.updatedAt),
  }
}

export function presentValuedPosition(ids: Ids, row: PositionRow): wire.ValuedPosition {
  const { value, unrealized, total } = valuationOf(row, row.mark)
  return {
    ...presentPosition(positionOfRow(ids, row)),
    mark: row.mark.source,
    markPrice: row.mark.price === null ? null : priceText(row.mark.price),
    value: moneyText(value),
    unrealizedPnl: moneyText(unrealized),
    totalPnl: moneyText(total),
    payoutIfWins: moneyText(BigInt(row.shares) * BigInt(ticksPerUnit)),
  }
}

export function presentSets(sets: SetsAnswer): wire.CompleteSets {
  return {
    id: sets.id,
    marketId: sets.marketId,
    playerId: sets.playerId,
    kind: sets.kind,
    shares: sharesText(sets.shares),
    amount: moneyText(sets.shares * microsPerSet),
    positions: sets.positions.map(presentPosition),
    transactionId: sets.transactionId,
    createdAt: timeText(sets.createdAt),
  }
}

/** In micro-units. A large position times its payout can pass 2^53. */
export function payoutOf({ shares, payoutPerShare }: SettlementRow): bigint {
  return BigInt(shares) * BigInt(payoutPerShare)
}

export function presentSettlement(ids: Ids, row: SettlementRow): wire.Settlement {
  return {
    id: ids.textOf(row.serial, row.createdAt),
    positionId: ids.textOf(row.positionSerial, row.positionCreatedAt),
    marketId: ids.textOf(row.marketSerial, row.marketCreatedAt),
    outcomeId: ids.textOf(row.outcomeSerial, row.marketCreatedAt),
    operatorId: row.operatorId,
    playerId: row.playerId,
    shares: sharesText(row.shares),
    payoutPerShare: priceText(row.payoutPerShare),
    totalPayout: moneyText(payoutOf(row)),
    transactionId: row.transactionId,
    status: row.status,
    errorMessage: row.errorMessage,
    settledAt: row.status === 'COMPLETED' ? timeText(row.updatedAt) : null,
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
  }
}

/** The result of a settle without the records, which are streamed. */
export function presentSettleTotals(
  marketId: string,
  { settled, payout, cancelledOrders }: SettleAnswer,
): Omit<wire.SettleResult, 'settlements'> {
  return {
    marketId,
    totalPositions: settled,
    successCount: settled,
    failedCount: 0,
    totalPayout: moneyText(payout),
    cancelledOrders,
    errors: [],
  }
}

export function presentSettlementSummary(
  marketId: string,
  { positions, byStatus, payout, completedPayout }: SettlementCounts,
): wire.SettlementSummary {
  const { PROCESSING, COMPLETED, FAILED } = byStatus
  return {
    marketId,
    totalPositions: positions,
    // A position without a settlement record is pending.
    pendingCount: positions - PROCESSING - COMPLETED - FAILED,
    processingCount: PROCESSING,
    completedCount: COMPLETED,
    failedCount: FAILED,
    totalPayout: moneyText(payout),
    completedPayout: moneyText(completedPayout),
  }
}
