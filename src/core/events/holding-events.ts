// What is told of positions and their settlement: for each type its fields in a body as they are
// written, then as they are read. Their order is stored data; new ones go to the end of their type.

import { exactSum } from '../memory/sum.ts'
import { averageOf, decimals, numberOf } from '../money.ts'
import type { Exchange } from '../state/exchange.ts'
import { positionFact, settlementFact } from '../state/journal.ts'
import { settlementStatuses } from '../words.ts'
import type { BodyReader, Field } from './event-body.ts'
import type { PositionUpdated, SettlementCompleted } from './event-payload.ts'

export const holdingReaders = {
  POSITION_UPDATED: readPositionUpdated,
  SETTLEMENT_COMPLETED: readSettlementCompleted,
} as const

export function writePositionUpdated(body: Field[], exchange: Exchange, at: number): void {
  const { journal, positions } = exchange
  const { facts } = journal
  const position = facts[at + positionFact.position]!
  const book = exchange.books.at(positions.book(position))
  body.push(
    positions.serial(position),
    exchange.now - positions.createdAt(position),
    book.serial - book.market.serial,
    exchange.players.at(positions.player(position)).id,
    facts[at + positionFact.shares]!,
    sumAt(facts, at + positionFact.costLow),
    sumAt(facts, at + positionFact.profitLow),
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

export function writeSettlementCompleted(body: Field[], exchange: Exchange, at: number): void {
  const { journal, now } = exchange
  const { facts } = journal
  const book = exchange.books.at(facts[at + settlementFact.book]!)
  body.push(
    facts[at + settlementFact.serial]!,
    now - facts[at + settlementFact.createdAt]!,
    facts[at + settlementFact.positionSerial]!,
    now - facts[at + settlementFact.positionCreatedAt]!,
    book.serial - book.market.serial,
    exchange.players.at(facts[at + settlementFact.player]!).id,
    facts[at + settlementFact.shares]!,
    facts[at + settlementFact.payoutPerShare]!,
    facts[at + settlementFact.status]!,
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
    payoutPerShare: numberOf(payoutPerShare, decimals.price),
    totalPayout: numberOf(BigInt(shares) * BigInt(payoutPerShare), decimals.money),
    status: reader.word(settlementStatuses),
    timestamp: reader.createdAt,
  }
}

// A sum is nearly always small enough to be a plain number.
function sumAt(facts: Float64Array, at: number): number | string {
  const carries = facts[at + 1]!
  return carries === 0 ? facts[at]! : String(exactSum(facts[at]!, carries))
}
