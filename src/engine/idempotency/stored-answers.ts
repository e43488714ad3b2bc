// Stored rows in the form of the engine's answers, so that the API presents both in the same way.

import type { OrderAnswer, TradeAnswer } from '../../core/events/answer.ts'
import { partyRolesOf } from '../../core/events/party-roles.ts'
import type { Ids } from '../../core/ids.ts'
import type { OrderRow, PositionRow, TradeRow } from '../../store/store.ts'
import type { PositionAnswer } from '../commands.ts'

export function orderOfRow(ids: Ids, row: OrderRow): OrderAnswer {
  const { orderGroup } = row
  const isOpen = row.status === 'PENDING' || row.status === 'PARTIAL'
  return {
    id: ids.textOf(row.serial, row.createdAt),
    marketId: ids.textOf(row.marketSerial, row.marketCreatedAt),
    outcomeId: ids.textOf(row.outcomeSerial, row.marketCreatedAt),
    operatorId: row.operatorId,
    playerId: row.playerId,
    side: row.side,
    type: row.price === null ? 'MARKET' : 'LIMIT',
    shares: row.shares,
    price: row.price,
    filled: row.filled,
    cost: row.cost,
    remaining: isOpen ? row.shares - row.filled : 0,
    status: row.status,
    options: row.options,
    transactionId: row.transactionId,
    orderGroupId: orderGroup === null ? null : ids.textOf(orderGroup.serial, orderGroup.createdAt),
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    ...(row.spending === undefined ? {} : { spending: row.spending }),
  }
}

export function tradeOfRow(ids: Ids, row: TradeRow): TradeAnswer {
  const buyOrderId = ids.textOf(row.buyOrderSerial, row.buyOrderCreatedAt)
  const sellOrderId = ids.textOf(row.sellOrderSerial, row.sellOrderCreatedAt)
  const issuerOrderId = row.kind === 'MINT' ? sellOrderId : buyOrderId
  return {
    id: ids.textOf(row.serial, row.createdAt),
    marketId: ids.textOf(row.marketSerial, row.marketCreatedAt),
    outcomeId: ids.textOf(row.outcomeSerial, row.marketCreatedAt),
    buyOrderId,
    sellOrderId,
    buyerOperatorId: row.buyerOperatorId,
    sellerOperatorId: row.sellerOperatorId,
    price: row.price,
    shares: row.shares,
    buyerFee: row.buyerFee,
    sellerFee: row.sellerFee,
    ...partyRolesOf(row),
    kind: row.kind,
    // The issuer of a minted or redeemed set has no order; its field holds the id of the match.
    matchId: row.kind === 'DIRECT' ? null : issuerOrderId,
    createdAt: row.createdAt,
  }
}

export function positionOfRow(ids: Ids, row: PositionRow): PositionAnswer {
  return {
    id: ids.textOf(row.serial, row.createdAt),
    marketId: ids.textOf(row.marketSerial, row.marketCreatedAt),
    outcomeId: ids.textOf(row.outcomeSerial, row.marketCreatedAt),
    operatorId: row.operatorId,
    playerId: row.playerId,
    shares: row.shares,
    reserved: row.reserved,
    cost: row.cost,
    profit: row.profit,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}
