// Trades as they are on the wire.

import type { TradeAnswer } from '../../core/answer.ts'
import type { Ids } from '../../core/ids.ts'
import type { TradeRow } from '../../store/store.ts'
import type * as wire from '../schemas/order.ts'
import { feeText, priceText, sharesText } from './quantity.ts'
import { timeText } from './time.ts'

/** A stored trade, in the shape in which the engine answers. */
export function tradeOfRow(ids: Ids, row: TradeRow): TradeAnswer {
  return {
    id: ids.textOf(row.serial, row.createdAt),
    marketId: ids.textOf(row.market, row.marketCreatedAt),
    outcomeId: ids.textOf(row.outcome, row.marketCreatedAt),
    buyOrderId: ids.textOf(row.buyOrder, row.buyOrderCreatedAt),
    sellOrderId: ids.textOf(row.sellOrder, row.sellOrderCreatedAt),
    buyerOperatorId: row.buyerOperatorId,
    sellerOperatorId: row.sellerOperatorId,
    price: row.price,
    shares: row.shares,
    buyerFee: row.buyerFee,
    sellerFee: row.sellerFee,
    createdAt: row.createdAt,
  }
}

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
    createdAt: timeText(trade.createdAt),
  }
}
