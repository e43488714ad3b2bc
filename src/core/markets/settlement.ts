// One settlement record after it was made: COMPLETED at once, FAILED when the operator says that
// it could not pay, and COMPLETED again by a retry or by the operator's word.

import type { Book } from '../book/book.ts'
import { marketNotFound, type Reject } from '../reject.ts'
import { checkManages } from '../state/access.ts'
import type { Exchange } from '../state/exchange.ts'
import { factSizes, SETTLEMENT, settlementFact } from '../state/journal.ts'
import type { FailedSettlement, Market } from '../state/market.ts'
import type { Operator, Player } from '../state/operator.ts'
import { type SettlementStatus, settlementStatuses } from '../words.ts'
import type { ManageMarket } from './lifecycle.ts'

export type Acknowledge = {
  readonly operator: Operator
  readonly marketSerial: number
  /** As the store has it: settled markets leave the memory. */
  readonly settlement: FailedSettlement
  readonly status: 'COMPLETED' | 'FAILED'
}

export function acknowledge(exchange: Exchange, command: Acknowledge): Reject | null {
  const { settlement, status } = command
  const market = exchange.market(command.marketSerial)
  if (market === undefined || settlement.operatorId !== command.operator.id) {
    return { code: 'SETTLEMENT_NOT_FOUND' }
  }
  const isFailed = market.failedSettlements?.has(settlement.serial) ?? false
  if (isFailed === (status === 'FAILED')) return null

  exchange.begin()
  market.failedSettlements ??= new Map()
  if (isFailed) market.failedSettlements.delete(settlement.serial)
  else market.failedSettlements.set(settlement.serial, settlement)
  writeAgain(exchange, market, settlement, { status, hasEvent: false })
  return null
}

/** Takes at most that many failed settlements back to COMPLETED, earliest first. */
export function retrySettlements(
  exchange: Exchange,
  command: ManageMarket,
  atMost: number,
): Reject | null {
  const market = exchange.market(command.marketSerial)
  if (market === undefined) return marketNotFound
  const refused = checkManages(market, command.operator)
  if (refused !== null) return refused
  if (market.status !== 'SETTLED') {
    return { code: 'MARKET_INVALID_TRANSITION', status: market.status, action: 'settled again' }
  }
  const { failedSettlements } = market
  if (failedSettlements === null || failedSettlements.size === 0) return null

  exchange.begin()
  const earliestFirst = [...failedSettlements.values()].sort((a, b) => a.serial - b.serial)
  for (const settlement of earliestFirst.slice(0, atMost)) {
    failedSettlements.delete(settlement.serial)
    writeAgain(exchange, market, settlement, { status: 'COMPLETED', hasEvent: true })
  }
  return null
}

function writeAgain(
  exchange: Exchange,
  market: Market,
  settlement: FailedSettlement,
  change: { status: SettlementStatus; hasEvent: boolean },
): void {
  const operator = exchange.operator(settlement.operatorId) ?? market.owner
  writeSettlement(exchange, {
    serial: settlement.serial,
    createdAt: settlement.createdAt,
    book: market.books[settlement.outcome]!,
    player: exchange.player(operator, settlement.playerId),
    positionSerial: settlement.positionSerial,
    positionCreatedAt: settlement.positionCreatedAt,
    shares: settlement.shares,
    payoutPerShare: settlement.payoutPerShare,
    status: change.status,
    hasEvent: change.hasEvent,
  })
}

type Settlement = {
  serial: number
  createdAt: number
  book: Book
  player: Player
  positionSerial: number
  positionCreatedAt: number
  shares: number
  payoutPerShare: number
  status: SettlementStatus
  hasEvent: boolean
}

export function writeSettlement(exchange: Exchange, settlement: Settlement): void {
  const { journal } = exchange
  const at = journal.add(SETTLEMENT, factSizes[SETTLEMENT]!)
  const facts = journal.facts
  facts[at + settlementFact.serial] = settlement.serial
  facts[at + settlementFact.createdAt] = settlement.createdAt
  facts[at + settlementFact.book] = settlement.book.handle
  facts[at + settlementFact.player] = settlement.player.handle
  facts[at + settlementFact.positionSerial] = settlement.positionSerial
  facts[at + settlementFact.positionCreatedAt] = settlement.positionCreatedAt
  facts[at + settlementFact.shares] = settlement.shares
  facts[at + settlementFact.payoutPerShare] = settlement.payoutPerShare
  facts[at + settlementFact.status] = settlementStatuses.indexOf(settlement.status)
  facts[at + settlementFact.hasEvent] = settlement.hasEvent ? 1 : 0
}
