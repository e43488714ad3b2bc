// What the caller of a command gets, read from the facts of that command before the turn ends.

import { assert } from '../assert.ts'
import { never } from '../memory/orders.ts'
import { type OrderOptions, unpackOptions } from '../orders/options.ts'
import type { Exchange } from '../state/exchange.ts'
import {
  acceptedFact,
  closedFact,
  LEG,
  legFact,
  ORDER_ACCEPTED,
  ORDER_CLOSED,
  TRADE,
  tradeFact,
} from '../state/journal.ts'
import {
  MERGE,
  type OrderStatus,
  type OrderType,
  orderStatuses,
  type Side,
  type TradeKind,
  tradeKinds,
} from '../words.ts'

/** Quantities in steps; times in Unix milliseconds. */
export type OrderAnswer = {
  readonly id: string
  readonly marketId: string
  readonly outcomeId: string
  readonly operatorId: string
  readonly playerId: string
  readonly side: Side
  readonly type: OrderType
  readonly shares: number
  /** null for a MARKET order. */
  readonly price: number | null
  readonly filled: number
  /** What its fills came to, in micro-units. */
  readonly cost: number
  readonly remaining: number
  readonly status: OrderStatus
  readonly options: OrderOptions
  readonly transactionId: string | null
  readonly expiresAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

export type TradeAnswer = {
  readonly id: string
  readonly marketId: string
  readonly outcomeId: string
  readonly buyOrderId: string
  readonly sellOrderId: string
  readonly buyerOperatorId: string
  readonly sellerOperatorId: string
  readonly price: number
  readonly shares: number
  /** In units of 1e-10. */
  readonly buyerFee: number
  readonly sellerFee: number
  readonly kind: TradeKind
  /** What the legs of one match share; null for a DIRECT trade. */
  readonly matchId: string | null
  readonly createdAt: number
}

/** Its trades are those in which an order of its operator stands. */
export type Placement = { readonly order: OrderAnswer; readonly trades: readonly TradeAnswer[] }

/** The placement whose facts start there. */
export function placementAt(exchange: Exchange, start: number): Placement {
  const { journal } = exchange
  const { facts } = journal
  const taken = firstOf(exchange, start, ORDER_ACCEPTED)
  const order = orderAnswer(exchange, facts[taken + acceptedFact.order]!, {
    status: orderStatuses[facts[taken + acceptedFact.status]!]!,
    filled: facts[taken + acceptedFact.filled]!,
    cost: facts[taken + acceptedFact.cost]!,
  })
  const trades: TradeAnswer[] = []
  const end = journal.endOf(start)
  for (let at = taken; at < end; at = journal.after(at)) {
    if (facts[at] === TRADE) trades.push(tradeAnswer(exchange, at, order))
    if (facts[at] !== LEG) continue
    const leg = legAnswer(exchange, at)
    if (leg.operatorId === order.operatorId) trades.push(leg.trade)
  }
  return { order, trades }
}

/** The order that was closed by the command whose facts start there. */
export function closedOrderAt(exchange: Exchange, start: number): OrderAnswer {
  const { journal, orders } = exchange
  const at = firstOf(exchange, start, ORDER_CLOSED)
  const order = journal.facts[at + closedFact.order]!
  const status = orderStatuses[journal.facts[at + closedFact.status]!]!
  const filled = orders.filled(order)
  return orderAnswer(exchange, order, { status, filled, cost: orders.cost(order) })
}

// Where the command's first fact of that kind stands.
function firstOf({ journal }: Exchange, start: number, kind: number): number {
  const end = journal.endOf(start)
  let at = start
  while (at < end && journal.facts[at] !== kind) at = journal.after(at)
  assert(at < end, 'a command is answered from facts of its own')
  return at
}

function orderAnswer(
  exchange: Exchange,
  order: number,
  moment: { status: OrderStatus; filled: number; cost: number },
): OrderAnswer {
  const { ids, now, orders } = exchange
  const book = exchange.books.at(orders.book(order))
  const player = exchange.players.at(orders.player(order))
  const isOpen = moment.status === 'PENDING' || moment.status === 'PARTIAL'
  const shares = orders.shares(order)
  const price = orders.price(order)
  const expiresAt = orders.expiresAt(order)
  const createdAt = orders.createdAt(order)
  return {
    id: ids.textOf(orders.serial(order), createdAt),
    marketId: book.market.id,
    outcomeId: book.id,
    operatorId: player.operator.id,
    playerId: player.id,
    side: orders.side(order),
    type: price === 0 ? 'MARKET' : 'LIMIT',
    shares,
    price: price === 0 ? null : price,
    filled: moment.filled,
    cost: moment.cost,
    remaining: isOpen ? shares - moment.filled : 0,
    status: moment.status,
    options: unpackOptions(orders.options(order)),
    transactionId: orders.transactionId(order),
    expiresAt: expiresAt === never ? null : expiresAt,
    createdAt,
    updatedAt: now,
  }
}

// A trade of that incoming order.
function tradeAnswer(exchange: Exchange, at: number, incoming: OrderAnswer): TradeAnswer {
  const { ids, journal, now, orders } = exchange
  const { facts } = journal
  const resting = facts[at + tradeFact.resting]!
  const restingId = ids.textOf(orders.serial(resting), orders.createdAt(resting))
  const restingOperatorId = exchange.players.at(orders.player(resting)).operator.id
  const incomingFee = facts[at + tradeFact.incomingFee]!
  const restingFee = facts[at + tradeFact.restingFee]!
  const isSell = incoming.side === 'SELL'
  return {
    id: ids.textOf(facts[at + tradeFact.serial]!, now),
    marketId: incoming.marketId,
    outcomeId: incoming.outcomeId,
    buyOrderId: isSell ? restingId : incoming.id,
    sellOrderId: isSell ? incoming.id : restingId,
    buyerOperatorId: isSell ? restingOperatorId : incoming.operatorId,
    sellerOperatorId: isSell ? incoming.operatorId : restingOperatorId,
    price: facts[at + tradeFact.price]!,
    shares: facts[at + tradeFact.shares]!,
    buyerFee: isSell ? restingFee : incomingFee,
    sellerFee: isSell ? incomingFee : restingFee,
    kind: 'DIRECT',
    matchId: null,
    createdAt: now,
  }
}

// The part of one order in a match by complete sets. On the other side stands the issuer: the match
// itself, for the market's owner, without a fee.
function legAnswer(exchange: Exchange, at: number): { operatorId: string; trade: TradeAnswer } {
  const { ids, journal, now, orders } = exchange
  const { facts } = journal
  const order = facts[at + legFact.order]!
  const book = exchange.books.at(orders.book(order))
  const operatorId = exchange.players.at(orders.player(order)).operator.id
  const own = {
    orderId: ids.textOf(orders.serial(order), orders.createdAt(order)),
    operatorId,
    fee: facts[at + legFact.fee]!,
  }
  const matchId = ids.textOf(facts[at + legFact.match]!, now)
  const issuer = { orderId: matchId, operatorId: book.market.owner.id, fee: 0 }
  const isMerge = facts[at + legFact.kind] === MERGE
  const buyer = isMerge ? issuer : own
  const seller = isMerge ? own : issuer
  const trade = {
    id: ids.textOf(facts[at + legFact.serial]!, now),
    marketId: book.market.id,
    outcomeId: book.id,
    buyOrderId: buyer.orderId,
    sellOrderId: seller.orderId,
    buyerOperatorId: buyer.operatorId,
    sellerOperatorId: seller.operatorId,
    price: facts[at + legFact.price]!,
    shares: facts[at + legFact.shares]!,
    buyerFee: buyer.fee,
    sellerFee: seller.fee,
    kind: tradeKinds[facts[at + legFact.kind]!]!,
    matchId,
    createdAt: now,
  }
  return { operatorId, trade }
}
