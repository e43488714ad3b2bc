// What is told of orders and their trades.

import type { OrderCancelled, OrderMatched, OrderPlaced } from './event-payload.ts'
import type { Exchange } from './exchange.ts'
import { closedFact, takenFact, tradeFact } from './journal.ts'
import { decimals, numberOf } from './money.ts'
import type { Operator } from './operator.ts'
import { cancelReasons, orderStatuses, type Side } from './words.ts'

export function operatorOf(exchange: Exchange, order: number): Operator {
  return exchange.players.at(exchange.orders.player(order)).operator
}

export function orderPlaced(exchange: Exchange, at: number): OrderPlaced {
  const { facts } = exchange.journal
  const { orders } = exchange
  const order = facts[at + takenFact.order]!
  return {
    ...aboutOrder(exchange, order),
    type: orders.price(order) === 0 ? 'MARKET' : 'LIMIT',
    shares: numberOf(orders.shares(order), decimals.shares),
    price: limitOf(exchange, order),
    status: orderStatuses[facts[at + takenFact.status]!]!,
    filledShares: numberOf(facts[at + takenFact.filled]!, decimals.shares),
    timestamp: exchange.now,
  }
}

export function orderCancelled(exchange: Exchange, at: number): OrderCancelled {
  const { facts } = exchange.journal
  const { orders } = exchange
  const order = facts[at + closedFact.order]!
  return {
    ...aboutOrder(exchange, order),
    playerId: exchange.players.at(orders.player(order)).id,
    price: limitOf(exchange, order),
    shares: numberOf(orders.shares(order), decimals.shares),
    filledShares: numberOf(orders.filled(order), decimals.shares),
    cancelledShares: numberOf(orders.remaining(order), decimals.shares),
    status: orderStatuses[facts[at + closedFact.status]!]!,
    reason: cancelReasons[facts[at + closedFact.reason]!]!,
    timestamp: exchange.now,
  }
}

/** One of the two orders of a trade, at the moment of the trade. */
export function orderMatched(
  exchange: Exchange,
  at: number,
  { order, filled }: { order: number; filled: number },
): OrderMatched {
  const { facts } = exchange.journal
  const remaining = exchange.orders.shares(order) - filled
  return {
    ...aboutOrder(exchange, order),
    tradeId: exchange.ids.textOf(facts[at + tradeFact.serial]!, exchange.now),
    price: numberOf(facts[at + tradeFact.price]!, decimals.price),
    shares: numberOf(facts[at + tradeFact.shares]!, decimals.shares),
    filledShares: numberOf(filled, decimals.shares),
    remainingShares: numberOf(remaining, decimals.shares),
    status: remaining === 0 ? 'FILLED' : 'PARTIAL',
    timestamp: exchange.now,
  }
}

type AboutOrder = {
  readonly orderId: string
  readonly marketId: string
  readonly outcomeId: string
  readonly operatorId: string
  readonly side: Side
}

function aboutOrder(exchange: Exchange, order: number): AboutOrder {
  const { orders } = exchange
  const book = exchange.books.at(orders.book(order))
  return {
    orderId: exchange.ids.textOf(orders.serial(order), orders.createdAt(order)),
    marketId: book.market.id,
    outcomeId: book.id,
    operatorId: operatorOf(exchange, order).id,
    side: orders.side(order),
  }
}

function limitOf({ orders }: Exchange, order: number): number | null {
  const price = orders.price(order)
  return price === 0 ? null : numberOf(price, decimals.price)
}
