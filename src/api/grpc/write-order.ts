// Orders, trades and placements as messages: as in REST, with enum values as numbers.

import type { OrderAnswer, Placement } from '../../core/events/answer.ts'
import { presentOrder, presentPlacement } from '../present/order.ts'
import type * as wire from '../schemas/order.ts'
import type { Order, PlaceOrderResponse, Trade } from './generated/outcry/v1/outcry.ts'
import {
  orderStatuses,
  orderTypes,
  partyRoles,
  selfTradePreventions,
  sides,
  timesInForce,
  tradeKinds,
} from './words.ts'

export function orderMessage(order: OrderAnswer): Order {
  return messageOfOrder(presentOrder(order))
}

export function placementMessage(placement: Placement): PlaceOrderResponse {
  const { order, trades, hasMoreTrades, status, ...filled } = presentPlacement(placement)
  return {
    order: messageOfOrder(order),
    trades: trades.map(messageOfTrade),
    status: orderStatuses.numberOf(status),
    filledShares: filled.filledShares,
    avgFillPrice: filled.avgFillPrice,
    remainingShares: filled.remainingShares,
    hasMoreTrades,
    spent: filled.spent,
    unspent: filled.unspent,
  }
}

function messageOfOrder(order: wire.Order): Order {
  return {
    id: order.id,
    marketId: order.marketId,
    outcomeId: order.outcomeId,
    operatorId: order.operatorId,
    playerId: order.playerId,
    side: sides.numberOf(order.side),
    type: orderTypes.numberOf(order.type),
    shares: order.shares,
    price: order.price ?? undefined,
    filledShares: order.filledShares,
    avgFillPrice: order.avgFillPrice,
    remainingShares: order.remainingShares,
    status: orderStatuses.numberOf(order.status),
    transactionId: order.transactionId ?? undefined,
    expiresAt: order.expiresAt ?? undefined,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    timeInForce: timesInForce.numberOf(order.timeInForce),
    postOnly: order.postOnly,
    selfTradePrevention: selfTradePreventions.numberOf(order.selfTradePrevention),
    orderGroupId: order.orderGroupId ?? undefined,
    amount: order.amount ?? undefined,
  }
}

function messageOfTrade(trade: wire.Trade): Trade {
  return {
    id: trade.id,
    marketId: trade.marketId,
    outcomeId: trade.outcomeId,
    buyOrderId: trade.buyOrderId,
    sellOrderId: trade.sellOrderId,
    buyerOperatorId: trade.buyerOperatorId,
    sellerOperatorId: trade.sellerOperatorId,
    price: trade.price,
    shares: trade.shares,
    buyerFee: trade.buyerFee,
    sellerFee: trade.sellerFee,
    createdAt: trade.createdAt,
    kind: tradeKinds.numberOf(trade.kind),
    matchId: trade.matchId ?? undefined,
    buyerRole: partyRoles.numberOf(trade.buyerRole),
    sellerRole: partyRoles.numberOf(trade.sellerRole),
  }
}
