// What happens to a settlement record, which is made COMPLETED: FAILED when the operator reports
// that it could not pay, and COMPLETED again by a retry or when the operator reports it.

import type { Serial } from '../ids.ts'
import { marketNotFound, type Reject } from '../reject.ts'
import { checkManages } from '../state/access.ts'
import type { Exchange } from '../state/exchange.ts'
import type { FailedSettlement, Market } from '../state/market.ts'
import type { Operator } from '../state/operator.ts'
import type { SettlementStatus } from '../words.ts'
import type { ManageMarket } from './lifecycle.ts'

export type Acknowledge = {
  readonly operator: Operator
  readonly marketSerial: Serial
  /** From the store, since the core keeps only those that have failed. */
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

/** Makes at most that many failed settlements COMPLETED again, earliest first. */
export function retrySettlements(
  exchange: Exchange,
  command: ManageMarket,
  atMost: number,
): Reject | null {
  const market = exchange.market(command.marketSerial)
  if (market === undefined) return marketNotFound
  const rejection = checkManages(market, command.operator)
  if (rejection !== null) return rejection
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
  exchange.journal.add({
    kind: 'SETTLEMENT',
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
