// Events about orders and their trades: for each type how its fields are written to a body, then
// how they are read. The order of the fields is that of stored data, so a new one goes to the end.

import { priceOrNull } from '../book/prices.ts'
import type { OrderRow } from '../memory/memory.ts'
import { decimals, noPrice, numberOf } from '../money.ts'
import { statusOf } from '../orders/status.ts'
import type { Exchange } from '../state/exchange.ts'
import type { FactOf } from '../state/facts.ts'
import { cancelReasons, orderStatuses, type Side, sides } from '../words.ts'
import type { BodyReader, Field } from './event-body.ts'
import type { OrderCancelled, OrderMatched, OrderPlaced } from './event-payload.ts'
import { wirePriceOf } from './wire-prices.ts'

export const orderReaders = {
  ORDER_PLACED: readOrderPlaced,
  ORDER_AMENDED: readOrderPlaced,
  ORDER_MATCHED: readOrderMatched,
  ORDER_CANCELLED: readOrderCancelled,
} as const

/** Also for ORDER_AMENDED, which has the same fields. */
export function writeOrderPlaced(
  body: Field[],
  exchange: Exchange,
  { order, status, filled }: FactOf<'ORDER_ACCEPTED'>,
): void {
  const { orders } = exchange
  writeOrder(body, exchange, order)
  body.push(orders.shares(order), orders.price(order), orderStatuses.indexOf(status), filled)
}

function readOrderPlaced(reader: BodyReader): OrderPlaced {
  const about = readOrder(reader)
  const shares = reader.whole()
  const price = reader.whole()
  return {
    ...about,
    type: price === noPrice ? 'MARKET' : 'LIMIT',
    shares: numberOf(shares, decimals.shares),
    price: wirePriceOf(priceOrNull(price)),
    status: reader.word(orderStatuses),
    filledShares: numberOf(reader.whole(), decimals.shares),
    timestamp: reader.createdAt,
  }
}

/** One order of a trade or of a match by complete sets, as of that trade. */
export type OrderMatch = Pick<FactOf<'LEG'>, 'serial' | 'order' | 'price' | 'shares' | 'filled'>

export function writeOrderMatched(
  body: Field[],
  exchange: Exchange,
  { serial, order, price, shares, filled }: OrderMatch,
): void {
  writeOrder(body, exchange, order)
  body.push(serial, price, shares, filled, exchange.orders.shares(order) - filled)
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
    price: wirePriceOf(price),
    shares: numberOf(shares, decimals.shares),
    filledShares: numberOf(filled, decimals.shares),
    remainingShares: numberOf(remaining, decimals.shares),
    status: statusOf({ shares: filled + remaining, filled }),
    timestamp: reader.createdAt,
  }
}

export function writeOrderCancelled(
  body: Field[],
  exchange: Exchange,
  { order, status, reason }: FactOf<'ORDER_CLOSED'>,
): void {
  const { orders } = exchange
  writeOrder(body, exchange, order)
  body.push(
    exchange.playerOf(order).id,
    orders.price(order),
    orders.filled(order),
    orders.remaining(order),
    orderStatuses.indexOf(status),
    cancelReasons.indexOf(reason),
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
    price: wirePriceOf(priceOrNull(price)),
    shares: numberOf(filled + cancelled, decimals.shares),
    filledShares: numberOf(filled, decimals.shares),
    cancelledShares: numberOf(cancelled, decimals.shares),
    status: reader.word(orderStatuses),
    reason: reader.word(cancelReasons),
    timestamp: reader.createdAt,
  }
}

// The first fields of every type here.
function writeOrder(body: Field[], exchange: Exchange, order: OrderRow): void {
  const { now, orders } = exchange
  const book = exchange.bookOf(order)
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
