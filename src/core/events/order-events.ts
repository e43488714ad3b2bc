// Events about orders and their trades: for each type how its fields are written to a body, then
// how they are read. The order of the fields is that of stored data, so a change is a later form.

import { priceOrNull } from '../book/prices.ts'
import type { OrderRow } from '../memory/memory.ts'
import { decimals, noPrice, numberOf } from '../money.ts'
import { statusOf } from '../orders/status.ts'
import type { Exchange } from '../state/exchange.ts'
import type { FactOf } from '../state/facts.ts'
import { cancelReasons, orderStatuses, type Side, sides, tradeRoles } from '../words.ts'
import {
  type BodyReader,
  type EventForm,
  type Field,
  type Placer,
  samePlacer,
} from './event-body.ts'
import type { OrderCancelled, OrderMatched, OrderPlaced } from './event-payload.ts'
import { wirePriceOf } from './wire-prices.ts'

export const orderReaders = {
  ORDER_PLACED: readOrderPlaced,
  ORDER_AMENDED: readOrderPlaced,
  ORDER_MATCHED: readOrderMatched,
  ORDER_CANCELLED: readOrderCancelled,
} as const

/** Where the fields of an event about an order go. */
export type OrderBody = {
  readonly form: EventForm
  readonly body: Field[]
  /** The orders whose placer is in the record. */
  readonly described: OrderRow[]
}

/** Also for ORDER_AMENDED, which has the same fields. */
export function writeOrderPlaced(
  to: OrderBody,
  exchange: Exchange,
  { order, status, filled }: FactOf<'ORDER_ACCEPTED'>,
): void {
  const { orders } = exchange
  writeOrder(to.body, exchange, order)
  to.body.push(orders.shares(order), orders.price(order), orderStatuses.indexOf(status), filled)
  if (to.form > 0) writePlacer(to, exchange, order)
}

function readOrderPlaced(reader: BodyReader): OrderPlaced {
  const about = readOrder(reader)
  const shares = reader.whole()
  const price = reader.whole()
  const status = reader.word(orderStatuses)
  const filled = reader.whole()
  return {
    ...about,
    ...readPlacer(reader, about),
    type: price === noPrice ? 'MARKET' : 'LIMIT',
    shares: numberOf(shares, decimals.shares),
    price: wirePriceOf(priceOrNull(price)),
    status,
    filledShares: numberOf(filled, decimals.shares),
    timestamp: reader.createdAt,
  }
}

/**
 * Instead of 0 remaining shares, since form 4: of an order by amount, whose shares are those that
 * it has filled, although not all of the amount was spent.
 */
const cut = null

/** One order of a trade or of a match by complete sets, as of that trade. */
export type OrderMatch = Pick<
  FactOf<'LEG'>,
  'serial' | 'order' | 'isIncoming' | 'price' | 'shares' | 'filled' | 'fee'
>

export function writeOrderMatched(
  to: OrderBody,
  exchange: Exchange,
  { serial, order, isIncoming, price, shares, filled, fee }: OrderMatch,
): void {
  const { orders } = exchange
  const remaining = orders.shares(order) - filled
  const isCut = remaining === 0 && orders.spending(order)?.isUsedUp === false
  writeOrder(to.body, exchange, order)
  to.body.push(serial, price, shares, filled, isCut ? cut : remaining)
  if (to.form === 0) return
  to.body.push(tradeRoles.indexOf(isIncoming ? 'TAKER' : 'MAKER'), fee)
  writePlacer(to, exchange, order)
}

function readOrderMatched(reader: BodyReader): OrderMatched {
  const about = readOrder(reader)
  const tradeId = reader.newId()
  const price = reader.whole()
  const shares = reader.whole()
  const filled = reader.whole()
  const written = reader.wholeOrNull()
  const remaining = written ?? 0
  const role = reader.form === 0 ? null : reader.word(tradeRoles)
  const fee = reader.form === 0 ? null : numberOf(reader.whole(), decimals.fee)
  return {
    ...about,
    ...readPlacer(reader, about),
    tradeId,
    role,
    price: wirePriceOf(price),
    shares: numberOf(shares, decimals.shares),
    fee,
    filledShares: numberOf(filled, decimals.shares),
    remainingShares: numberOf(remaining, decimals.shares),
    status: written === cut ? 'PARTIAL' : statusOf({ shares: filled + remaining, filled }),
    timestamp: reader.createdAt,
  }
}

export function writeOrderCancelled(
  to: OrderBody,
  exchange: Exchange,
  { order, status, reason }: FactOf<'ORDER_CLOSED'>,
): void {
  const { orders } = exchange
  writeOrder(to.body, exchange, order)
  if (to.form === 0) to.body.push(exchange.playerOf(order).id)
  to.body.push(
    orders.price(order),
    orders.filled(order),
    orders.remaining(order),
    orderStatuses.indexOf(status),
    cancelReasons.indexOf(reason),
  )
  if (to.form > 0) writePlacer(to, exchange, order)
}

function readOrderCancelled(reader: BodyReader): OrderCancelled {
  const about = readOrder(reader)
  const known = reader.form === 0 ? { playerId: reader.text(), transactionId: null } : null
  const price = reader.whole()
  const filled = reader.whole()
  const cancelled = reader.whole()
  const status = reader.word(orderStatuses)
  const reason = reader.word(cancelReasons)
  return {
    ...about,
    ...(known ?? reader.placer(about.orderId)),
    price: wirePriceOf(priceOrNull(price)),
    shares: numberOf(filled + cancelled, decimals.shares),
    filledShares: numberOf(filled, decimals.shares),
    cancelledShares: numberOf(cancelled, decimals.shares),
    status,
    reason,
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

// The last field of every type here. An order that is placed and matched at once has it once.
function writePlacer({ body, described }: OrderBody, exchange: Exchange, order: OrderRow): void {
  if (described.includes(order)) {
    body.push(samePlacer)
    return
  }
  described.push(order)
  body.push(exchange.playerOf(order).id, exchange.orders.transactionId(order))
}

const unknownPlacer = { playerId: null, transactionId: null } as const

function readPlacer(reader: BodyReader, { orderId }: AboutOrder): Placer | typeof unknownPlacer {
  return reader.form === 0 ? unknownPlacer : reader.placer(orderId)
}
