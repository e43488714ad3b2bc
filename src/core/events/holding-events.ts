// Events about positions and their settlement: for each type how its fields are written to a body,
// then how they are read. The order of the fields is that of stored data, so a new one goes to the
// end.

import { averageOf, decimals, numberOf } from '../money.ts'
import type { Exchange } from '../state/exchange.ts'
import type { FactOf } from '../state/facts.ts'
import { settlementStatuses } from '../words.ts'
import type { BodyReader, Field } from './event-body.ts'
import type { PositionUpdated, SettlementCompleted } from './event-payload.ts'
import { wirePriceOf } from './wire-prices.ts'

export const holdingReaders = {
  POSITION_UPDATED: readPositionUpdated,
  SETTLEMENT_COMPLETED: readSettlementCompleted,
} as const

export function writePositionUpdated(
  body: Field[],
  exchange: Exchange,
  { position, shares, cost, profit }: FactOf<'POSITION'>,
): void {
  const { positions } = exchange
  const book = exchange.books.at(positions.book(position))
  body.push(
    positions.serial(position),
    exchange.now - positions.createdAt(position),
    book.serial - book.market.serial,
    exchange.players.at(positions.player(position)).id,
    shares,
    sumField(cost),
    sumField(profit),
  )
}

function readPositionUpdated(reader: BodyReader): PositionUpdated {
  const positionId = reader.id()
  const outcomeId = reader.outcomeId()
  const playerId = reader.text()
  const shares = reader.whole()
  const cost = reader.sum()
  const profit = reader.sum()
  return {
    positionId,
    marketId: reader.marketId,
    outcomeId,
    operatorId: reader.operatorId,
    playerId,
    shares: numberOf(shares, decimals.shares),
    avgPrice: numberOf(averageOf(cost, shares), decimals.average),
    totalCost: numberOf(cost, decimals.money),
    realizedPnl: numberOf(profit, decimals.money),
    timestamp: reader.createdAt,
  }
}

export function writeSettlementCompleted(
  body: Field[],
  { now }: Exchange,
  settlement: FactOf<'SETTLEMENT'>,
): void {
  const { book, player } = settlement
  body.push(
    settlement.serial,
    now - settlement.createdAt,
    settlement.positionSerial,
    now - settlement.positionCreatedAt,
    book.serial - book.market.serial,
    player.id,
    settlement.shares,
    settlement.payoutPerShare,
    settlementStatuses.indexOf(settlement.status),
  )
}

function readSettlementCompleted(reader: BodyReader): SettlementCompleted {
  const settlementId = reader.id()
  const positionId = reader.id()
  const outcomeId = reader.outcomeId()
  const playerId = reader.text()
  const shares = reader.whole()
  const payoutPerShare = reader.whole()
  return {
    settlementId,
    positionId,
    marketId: reader.marketId,
    outcomeId,
    operatorId: reader.operatorId,
    playerId,
    shares: numberOf(shares, decimals.shares),
    payoutPerShare: wirePriceOf(payoutPerShare),
    totalPayout: numberOf(BigInt(shares) * BigInt(payoutPerShare), decimals.money),
    status: reader.word(settlementStatuses),
    timestamp: reader.createdAt,
  }
}

// JSON has no bigints, so a large sum is written as a text.
function sumField(sum: number | bigint): number | string {
  return typeof sum === 'bigint' ? String(sum) : sum
}
