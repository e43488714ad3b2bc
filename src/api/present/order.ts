// Orders and placements as they are on the wire.

import type { OrderAnswer, Placement } from '../../core/events/answer.ts'
import { averageOf, feeUnitsPerMicro } from '../../core/money.ts'
import type { Preview } from '../../core/orders/preview.ts'
import type { QueueAnswer } from '../../engine/commands.ts'
import type * as wire from '../schemas/order.ts'
import { averageText, feeText, moneyText, priceText, sharesText } from './quantity.ts'
import { timeText, timeTextOrNull } from './time.ts'
import { presentTrade } from './trade.ts'

export function presentOrder(order: OrderAnswer): wire.Order {
  return {
    id: order.id,
    marketId: order.marketId,
    outcomeId: order.outcomeId,
    operatorId: order.operatorId,
    playerId: order.playerId,
    side: order.side,
    type: order.type,
    shares: sharesText(order.shares),
    price: order.price === null ? null : priceText(order.price),
    filledShares: sharesText(order.filled),
    avgFillPrice: averageText(averageOf(order.cost, order.filled)),
    remainingShares: sharesText(order.remaining),
    status: order.status,
    timeInForce: order.options.timeInForce,
    postOnly: order.options.isPostOnly,
    selfTradePrevention: order.options.selfTradePrevention,
    orderGroupId: order.orderGroupId,
    transactionId: order.transactionId,
    expiresAt: timeTextOrNull(order.expiresAt),
    createdAt: timeText(order.createdAt),
    updatedAt: timeText(order.updatedAt),
    amount: order.spending === undefined ? null : moneyText(order.spending.amount),
  }
}

/** The amount in micro-units, and what is spent of it in units of 1e-10. */
function spentTexts(amount: number, spent: number | bigint) {
  const all = BigInt(amount) * BigInt(feeUnitsPerMicro)
  return { spent: feeText(spent), unspent: feeText(all - BigInt(spent)) }
}

/** Lists at most `tradesMax` of the trades. */
export function presentPlacement(
  { order, trades, hasMoreTrades }: Placement,
  tradesMax = Infinity,
): wire.Placement {
  const presented = presentOrder(order)
  const { spending } = order
  const listed = trades.length <= tradesMax ? trades : trades.slice(0, tradesMax)
  return {
    order: presented,
    trades: listed.map(presentTrade),
    hasMoreTrades: hasMoreTrades || listed.length < trades.length,
    status: presented.status,
    filledShares: presented.filledShares,
    avgFillPrice: presented.avgFillPrice,
    remainingShares: presented.remainingShares,
    ...(spending === undefined ? {} : spentTexts(spending.amount, spending.spent)),
  }
}

export function presentPreview(preview: Preview): wire.Preview {
  const { amount, maxCost } = preview
  return {
    fills: preview.fills.map(({ price, shares }) => ({
      price: priceText(price),
      shares: sharesText(shares),
    })),
    filledShares: sharesText(preview.filled),
    avgFillPrice: averageText(averageOf(preview.value, preview.filled)),
    restingShares: sharesText(preview.resting),
    cost: moneyText(preview.cost),
    fee: feeText(preview.fee),
    maxCost: feeText(maxCost),
    ...(amount === undefined ? {} : spentTexts(amount, maxCost)),
  }
}

export function presentQueuePosition(position: QueueAnswer[number]): wire.QueuePosition {
  const { orderId, ordersAhead, sharesAhead, version } = position
  return { orderId, ordersAhead, sharesAhead: sharesText(sharesAhead), version }
}
