// What is told of positions and their settlement.

import type { PositionUpdated, SettlementCompleted } from './event-payload.ts'
import type { Exchange } from './exchange.ts'
import { positionFact, settlementFact } from './journal.ts'
import { averageOf, decimals, numberOf } from './money.ts'
import { exactSum } from './sum.ts'
import { settlementStatuses } from './words.ts'

export function positionUpdated(exchange: Exchange, at: number): PositionUpdated {
  const { ids, journal, positions } = exchange
  const { facts } = journal
  const position = facts[at + positionFact.position]!
  const book = exchange.books.at(positions.book(position))
  const player = exchange.players.at(positions.player(position))
  const shares = facts[at + positionFact.shares]!
  const cost = sumAt(facts, at + positionFact.costLow)
  return {
    positionId: ids.textOf(positions.serial(position), positions.createdAt(position)),
    marketId: book.market.id,
    outcomeId: book.id,
    operatorId: player.operator.id,
    playerId: player.id,
    shares: numberOf(shares, decimals.shares),
    avgPrice: numberOf(averageOf(cost, shares), decimals.average),
    totalCost: numberOf(cost, decimals.money),
    realizedPnl: numberOf(sumAt(facts, at + positionFact.profitLow), decimals.money),
    timestamp: exchange.now,
  }
}

export function settlementCompleted(exchange: Exchange, at: number): SettlementCompleted {
  const { ids, journal } = exchange
  const { facts } = journal
  const field = (place: number) => facts[at + place]!
  const book = exchange.books.at(field(settlementFact.book))
  const player = exchange.players.at(field(settlementFact.player))
  const shares = field(settlementFact.shares)
  const payoutPerShare = field(settlementFact.payoutPerShare)
  return {
    settlementId: ids.textOf(field(settlementFact.serial), field(settlementFact.createdAt)),
    positionId: ids.textOf(
      field(settlementFact.positionSerial),
      field(settlementFact.positionCreatedAt),
    ),
    marketId: book.market.id,
    outcomeId: book.id,
    operatorId: player.operator.id,
    playerId: player.id,
    shares: numberOf(shares, decimals.shares),
    payoutPerShare: numberOf(payoutPerShare, decimals.price),
    totalPayout: numberOf(BigInt(shares) * BigInt(payoutPerShare), decimals.money),
    status: settlementStatuses[field(settlementFact.status)]!,
    timestamp: exchange.now,
  }
}

// A sum is nearly always small enough to be a plain number.
function sumAt(facts: Float64Array, at: number): number | bigint {
  const carries = facts[at + 1]!
  return carries === 0 ? facts[at]! : exactSum(facts[at]!, carries)
}
