// Trades as they are on the wire.

import type { TradeAnswer } from '../../core/events/answer.ts'
import type * as wire from '../schemas/order.ts'
import { feeText, priceText, sharesText } from './quantity.ts'
import { timeText } from './time.ts'

export function presentTrade(trade: TradeAnswer): wire.Trade {
  return {
    id: trade.id,
    marketId: trade.marketId,
    outcomeId: trade.outcomeId,
    buyOrderId: trade.buyOrderId,
    sellOrderId: trade.sellOrderId,
    buyerOperatorId: trade.buyerOperatorId,
    sellerOperatorId: trade.sellerOperatorId,
    price: priceText(trade.price),
    shares: sharesText(trade.shares),
    buyerFee: feeText(trade.buyerFee),
    sellerFee: feeText(trade.sellerFee),
    buyerRole: trade.buyerRole,
    sellerRole: trade.sellerRole,
    kind: trade.kind,
    matchId: trade.matchId,
    createdAt: timeText(trade.createdAt),
  }
}
