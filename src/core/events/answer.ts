// The answer to the caller of a command, made from the facts of that command before the turn ends.

import { assert } from '../assert.ts'
import { priceOrNull } from '../book/prices.ts'
import type { OrderRow } from '../memory/memory.ts'
import { never, type Spending } from '../memory/orders.ts'
import { noPrice } from '../money.ts'
import { type OrderOptions, unpackOptions } from '../orders/options.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Fact, FactOf } from '../state/facts.ts'
import type { CommandFacts } from '../state/journal.ts'
import type { OrderStatus, OrderType, PartyRole, Side, TradeKind } from '../words.ts'
import { partyRolesOf } from './party-roles.ts'

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
  /** The value of its fills, in micro-units. */
  readonly cost: number
  readonly remaining: number
  readonly status: OrderStatus
  readonly options: OrderOptions
  readonly transactionId: string | null
  readonly orderGroupId: string | null
  readonly expiresAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
  /** Of an order by amount. */
  readonly spending?: Spent
}

/** The amount in micro-units, and what was spent of it in units of 1e-10. */
export type Spent = Readonly<Pick<Spending, 'amount' | 'spent'>>

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
  readonly buyerRole: PartyRole
  readonly sellerRole: PartyRole
  readonly kind: TradeKind
  /** What the legs of one match share; null for a DIRECT trade. */
  readonly matchId: string | null
  readonly createdAt: number
}

/** An answer lists no more trades of an order than these. */
export const answerTradesMax = 1_000

/** Its trades are those of orders of its operator. */
export type Placement = {
  readonly order: OrderAnswer
  readonly trades: readonly TradeAnswer[]
  /** Whether there are more trades than an answer lists. */
  readonly hasMoreTrades: boolean
}

/** The answer of a command that has placed or amended an order. */
export function placementOf(exchange: Exchange, facts: CommandFacts): Placement {
  const accepted = factOf(facts, 'ORDER_ACCEPTED')
  const order = orderAnswer(exchange, accepted.order, accepted)
  const trades: TradeAnswer[] = []
  for (const fact of facts) {
    if (!isTradeOf(exchange, fact, order)) continue
    if (trades.length === answerTradesMax) return { order, trades, hasMoreTrades: true }
    trades.push(
      fact.kind === 'TRADE' ? tradeAnswer(exchange, fact, order) : legAnswer(exchange, fact),
    )
  }
  return { order, trades, hasMoreTrades: false }
}

// Of the legs of a match, those of the order's operator.
function isTradeOf(
  exchange: Exchange,
  fact: Fact,
  { operatorId }: OrderAnswer,
): fact is FactOf<'TRADE'> | FactOf<'LEG'> {
  if (fact.kind === 'TRADE') return true
  return fact.kind === 'LEG' && exchange.playerOf(fact.order).operator.id === operatorId
}

/** The answer of a command that has cancelled an order. */
export function closedOrderOf(exchange: Exchange, facts: CommandFacts): OrderAnswer {
  const { orders } = exchange
  const { order, status } = factOf(facts, 'ORDER_CLOSED')
  return orderAnswer(exchange, order, {
    status,
    filled: orders.filled(order),
    cost: orders.cost(order),
  })
}

/** The first fact of that kind, which the command must have. */
export function factOf<Kind extends Fact['kind']>(facts: CommandFacts, kind: Kind): FactOf<Kind> {
  const found = facts.find((fact): fact is FactOf<Kind> => fact.kind === kind)
  assert(found !== undefined, 'a command is answered from facts of its own')
  return found
}

function orderAnswer(
  exchange: Exchange,
  order: OrderRow,
  progress: { readonly status: OrderStatus; readonly filled: number; readonly cost: number },
): OrderAnswer {
  const { now, orders } = exchange
  const { status, filled, cost } = progress
  const book = exchange.bookOf(order)
  const player = exchange.playerOf(order)
  const isOpen = status === 'PENDING' || status === 'PARTIAL'
  const shares = orders.shares(order)
  const price = orders.price(order)
  const expiresAt = orders.expiresAt(order)
  const spending = orders.spending(order)
  const answer: OrderAnswer = {
    id: orderIdOf(exchange, order),
    marketId: book.market.id,
    outcomeId: book.id,
    operatorId: player.operator.id,
    playerId: player.id,
    side: orders.side(order),
    type: price === noPrice ? 'MARKET' : 'LIMIT',
    shares,
    price: priceOrNull(price),
    filled,
    cost,
    remaining: isOpen ? shares - filled : 0,
    status,
    options: unpackOptions(orders.options(order)),
    transactionId: orders.transactionId(order),
    orderGroupId: exchange.groupOf(order)?.id ?? null,
    expiresAt: expiresAt === never ? null : expiresAt,
    createdAt: orders.createdAt(order),
    updatedAt: now,
  }
  if (spending === null) return answer
  const { amount, spent } = spending
  return { ...answer, spending: { amount, spent } }
}

export function orderIdOf({ ids, orders }: Exchange, order: OrderRow): string {
  return ids.textOf(orders.serial(order), orders.createdAt(order))
}

/** One side of a trade. */
type Party = { readonly orderId: string; readonly operatorId: string; readonly fee: number }

function tradeAnswer(
  exchange: Exchange,
  trade: FactOf<'TRADE'>,
  incomingOrder: OrderAnswer,
): TradeAnswer {
  const { ids, now } = exchange
  const incoming: Party = {
    orderId: incomingOrder.id,
    operatorId: incomingOrder.operatorId,
    fee: trade.incomingFee,
  }
  const resting: Party = {
    orderId: orderIdOf(exchange, trade.resting),
    operatorId: exchange.playerOf(trade.resting).operator.id,
    fee: trade.restingFee,
  }
  const isSell = incomingOrder.side === 'SELL'
  return {
    id: ids.textOf(trade.serial, now),
    marketId: incomingOrder.marketId,
    outcomeId: incomingOrder.outcomeId,
    ...partiesOf(isSell ? resting : incoming, isSell ? incoming : resting),
    price: trade.price,
    shares: trade.shares,
    ...partyRolesOf({ kind: 'DIRECT', isSell, isIncoming: true }),
    kind: 'DIRECT',
    matchId: null,
    createdAt: now,
  }
}

// The part of one order in a match by complete sets. The other side is the issuer: its order is the
// match itself, its operator the owner of the market, and it pays no fee.
function legAnswer(exchange: Exchange, leg: FactOf<'LEG'>): TradeAnswer {
  const { ids, now } = exchange
  const book = exchange.bookOf(leg.order)
  const matchId = ids.textOf(leg.match, now)
  const own: Party = {
    orderId: orderIdOf(exchange, leg.order),
    operatorId: exchange.playerOf(leg.order).operator.id,
    fee: leg.fee,
  }
  const issuer: Party = { orderId: matchId, operatorId: book.market.owner.id, fee: 0 }
  const isMerge = leg.tradeKind === 'MERGE'
  return {
    id: ids.textOf(leg.serial, now),
    marketId: book.market.id,
    outcomeId: book.id,
    ...partiesOf(isMerge ? issuer : own, isMerge ? own : issuer),
    price: leg.price,
    shares: leg.shares,
    ...partyRolesOf({ kind: leg.tradeKind, isSell: isMerge, isIncoming: leg.isIncoming }),
    kind: leg.tradeKind,
    matchId,
    createdAt: now,
  }
}

function partiesOf(buyer: Party, seller: Party) {
  return {
    buyOrderId: buyer.orderId,
    sellOrderId: seller.orderId,
    buyerOperatorId: buyer.operatorId,
    sellerOperatorId: seller.operatorId,
    buyerFee: buyer.fee,
    sellerFee: seller.fee,
  }
}
