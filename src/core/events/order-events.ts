// What is told of orders and their trades: for each type its fields in a body as they are written,
// then as they are read. Their order is stored data; new ones go to the end of their type.

import { decimals, numberOf } from '../money.ts'
import type { Exchange } from '../state/exchange.ts'
import { acceptedFact, closedFact, legFact, tradeFact } from '../state/journal.ts'
import { cancelReasons, orderStatuses, type Side, sides } from '../words.ts'
import type { BodyReader, Field } from './event-body.ts'
import type { OrderCancelled, OrderMatched, OrderPlaced } from './event-payload.ts'

export const orderReaders = {
  ORDER_PLACED: readOrderPlaced,
  ORDER_AMENDED: readOrderPlaced,
  ORDER_MATCHED: readOrderMatched,
  ORDER_CANCELLED: readOrderCancelled,
} as const

/** Or amended: both say the same of an order. */
export function writeOrderPlaced(body: Field[], exchange: Exchange, at: number): void {
  const { facts } = exchange.journal
  const { orders } = exchange
  const order = facts[at + acceptedFact.order]!
  writeOrder(body, exchange, order)
  body.push(
    orders.shares(order),
    orders.price(order),
    facts[at + acceptedFact.status]!,
    facts[at + acceptedFact.filled]!,
  )
}

function readOrderPlaced(reader: BodyReader): OrderPlaced {
  const about = readOrder(reader)
  const shares = reader.whole()
  const price = reader.whole()
  return {
    ...about,
    type: price === 0 ? 'MARKET' : 'LIMIT',
    shares: numberOf(shares, decimals.shares),
    price: limitOf(price),
    status: reader.word(orderStatuses),
    filledShares: numberOf(reader.whole(), decimals.shares),
    timestamp: reader.createdAt,
  }
}

/** One of the two orders of a trade, as of that trade. */
export function writeOrderMatched(
  body: Field[],
  exchange: Exchange,
  at: number,
  order: number,
): void {
  const { facts } = exchange.journal
  const isIncoming = order === facts[at + tradeFact.incoming]
  const filled = facts[at + (isIncoming ? tradeFact.incomingFilled : tradeFact.restingFilled)]!
  writeOrder(body, exchange, order)
  body.push(
    facts[at + tradeFact.serial]!,
    facts[at + tradeFact.price]!,
    facts[at + tradeFact.shares]!,
    filled,
    exchange.orders.shares(order) - filled,
  )
}

/** The order of a leg, as of that leg. */
export function writeLegMatched(body: Field[], exchange: Exchange, at: number): void {
  const { facts } = exchange.journal
  const order = facts[at + legFact.order]!
  const filled = facts[at + legFact.filled]!
  writeOrder(body, exchange, order)
  body.push(
    facts[at + legFact.serial]!,
    facts[at + legFact.price]!,
    facts[at + legFact.shares]!,
    filled,
    exchange.orders.shares(order) - filled,
  )
}

function readOrderMatched(reader: BodyReader): OrderMatched {
  const about = readOrder(reader)
  const tradeId = reader.newId()
  const price = reader.whole()
  const shares = reader.whole()
  const filled = reader.whole()
  const remaining = reader.whole()
  return {
    ...about,
    tradeId,
    price: numberOf(price, decimals.price),
    shares: numberOf(shares, decimals.shares),
    filledShares: numberOf(filled, decimals.shares),
    remainingShares: numberOf(remaining, decimals.shares),
    status: remaining === 0 ? 'FILLED' : 'PARTIAL',
    timestamp: reader.createdAt,
  }
}

export function writeOrderCancelled(body: Field[], exchange: Exchange, at: number): void {
  const { facts } = exchange.journal
  const { orders } = exchange
  const order = facts[at + closedFact.order]!
  writeOrder(body, exchange, order)
  body.push(
    exchange.players.at(orders.player(order)).id,
    orders.price(order),
    orders.filled(order),
    orders.remaining(order),
    facts[at + closedFact.status]!,
    facts[at + closedFact.reason]!,
  )
}

function readOrderCancelled(reader: BodyReader): OrderCancelled {
  const about = readOrder(reader)
  const playerId = reader.text()
  const price = reader.whole()
  const filled = reader.whole()
  const cancelled = reader.whole()
  return {
    ...about,
    playerId,
    price: limitOf(price),
    shares: numberOf(filled + cancelled, decimals.shares),
    filledShares: numberOf(filled, decimals.shares),
    cancelledShares: numberOf(cancelled, decimals.shares),
    status: reader.word(orderStatuses),
    reason: reader.word(cancelReasons),
    timestamp: reader.createdAt,
  }
}

// What the fields of every type here start with.
function writeOrder(body: Field[], { books, now, orders }: Exchange, order: number): void {
  const book = books.at(orders.book(order))
  body.push(
    orders.serial(order),
    now - orders.createdAt(order),
    book.serial - book.market.serial,
    orders.isSell(order) ? 1 : 0,
  )
}

type AboutOrder = {
  readonly orderId: string
  readonly marketId: string
  readonly outcomeId: string
  readonly operatorId: string
  readonly side: Side
}

function readOrder(reader: BodyReader): AboutOrder {
  return {
    orderId: reader.id(),
    marketId: reader.marketId,
    outcomeId: reader.outcomeId(),
    operatorId: reader.operatorId,
    side: reader.word(sides),
  }
}

// A MARKET order has none.
function limitOf(price: number): number | null {
  return price === 0 ? null : numberOf(price, decimals.price)
}
