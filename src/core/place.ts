// Placing an order. The checks stand in the order in which their rejections win.

import { isVisibleTo } from './access.ts'
import { type Book, rest, writeBook } from './book.ts'
import { writeClosed } from './cancel.ts'
import type { Exchange } from './exchange.ts'
import type { Incoming } from './incoming.ts'
import { ORDER_TAKEN, takenFact } from './journal.ts'
import { isTrading, type Market } from './market.ts'
import { anyRank, match } from './match.ts'
import type { Price, Shares } from './money.ts'
import type { Operator, Player } from './operator.ts'
import { invalid, marketNotFound, type Reject } from './reject.ts'
import {
  BY_IMMEDIACY,
  CANCELLED,
  FILLED,
  type OrderType,
  PARTIAL,
  PENDING,
  REJECTED,
  type Side,
} from './words.ts'

// A local name, because V8 folds no imported constants.
const fact = takenFact

export type PlaceOrder = {
  readonly operator: Operator
  /** Serials, as Ids reads them out of the public ids. */
  readonly marketId: number
  readonly outcomeId: number
  readonly playerId: string
  readonly side: Side
  readonly type: OrderType
  readonly shares: Shares
  /** Of a LIMIT order; whatever a MARKET order has here is ignored. */
  readonly price: Price | null
  readonly expiresAt: number | null
  readonly transactionId: string | null
}

export function place(exchange: Exchange, order: PlaceOrder): Reject | null {
  const malformed = checkOrder(exchange, order)
  if (malformed !== null) return malformed

  const book = exchange.book(order.outcomeId)
  if (book === undefined || book.market.serial !== order.marketId) {
    return refuseOutcome(exchange.market(order.marketId), order.operator)
  }
  const { market } = book
  if (!isVisibleTo(market, order.operator)) return marketNotFound
  if (!isTrading(market, exchange.now)) return { code: 'MARKET_NOT_OPEN', status: market.status }

  const player = order.operator.players.get(order.playerId)
  let position = -1
  if (order.side === 'SELL') {
    position = player === undefined ? -1 : exchange.positions.find(book.handle, player.handle)
    const free = position < 0 ? 0 : exchange.positions.freeShares(position)
    if (free < order.shares) {
      return { code: 'POSITION_INSUFFICIENT_SHARES', wanted: order.shares, free }
    }
  }

  // Past this line the order is taken: it is stored whatever becomes of it.
  exchange.begin()
  take(exchange, order, book, player ?? exchange.player(order.operator, order.playerId), position)
  return execute(exchange)
}

function checkOrder(exchange: Exchange, order: PlaceOrder): Reject | null {
  const { rules } = exchange
  if (order.expiresAt !== null && order.expiresAt <= exchange.now) {
    return invalid('expiresAt', 'must lie in the future')
  }
  const { shares } = order
  if (!(shares >= rules.sharesMin && shares <= rules.sharesMax)) {
    return { code: 'ORDER_INVALID_SHARES', shares, min: rules.sharesMin, max: rules.sharesMax }
  }
  if (order.type === 'LIMIT') {
    const price = order.price ?? 0
    if (!(price >= rules.priceMin && price <= rules.priceMax)) {
      return { code: 'ORDER_INVALID_PRICE', price, min: rules.priceMin, max: rules.priceMax }
    }
  }
  return null
}

/** The outcome is not the market's: which of the two does the caller not know? */
export function refuseOutcome(market: Market | undefined, operator: Operator): Reject {
  if (market === undefined || !isVisibleTo(market, operator)) return marketNotFound
  return invalid('outcomeId', 'is not an outcome of that market')
}

// Makes it the incoming order, with a row of its own.
function take(
  exchange: Exchange,
  order: PlaceOrder,
  book: Book,
  player: Player,
  position: number,
): void {
  const { incoming } = exchange
  const price = order.type === 'MARKET' ? 0 : (order.price ?? 0)
  const isSell = order.side === 'SELL'
  incoming.serial = exchange.nextSerial()
  incoming.createdAt = exchange.now
  incoming.expiresAt = order.expiresAt ?? Infinity
  incoming.isSell = isSell
  incoming.price = price
  incoming.shares = order.shares
  incoming.book = book
  incoming.player = player
  incoming.position = position
  incoming.transactionId = order.transactionId
  incoming.remaining = order.shares
  incoming.worstRank = price === 0 ? anyRank : isSell ? price : -price
  incoming.feeRate = exchange.feeRateOf(player.operator)
  incoming.order = exchange.orders.add(incoming)
  if (player.operator !== book.market.owner) book.market.guests.add(player.operator)
}

function execute(exchange: Exchange): Reject | null {
  const { incoming, journal, orders } = exchange
  const { book, order } = incoming
  // The order's own fact comes first, and is completed when its fate is known.
  const at = journal.add(ORDER_TAKEN)
  const opposite = incoming.isSell ? book.bids : book.asks
  if (opposite.length > 0) match(exchange, opposite)
  const status = statusOf(incoming)
  const { facts } = journal
  facts[at + fact.order] = order
  facts[at + fact.status] = status
  facts[at + fact.filled] = orders.filled(order)
  facts[at + fact.cost] = orders.cost(order)
  if (status <= PARTIAL) restIncoming(exchange)
  else orders.close(order)
  if (status === REJECTED) return noLiquidity(exchange)
  if (status === CANCELLED) writeClosed(journal, order, CANCELLED, BY_IMMEDIACY)
  writeBook(exchange, book)
  return null
}

function statusOf({ price, remaining, shares }: Incoming): number {
  if (remaining === 0) return FILLED
  const hasFill = remaining < shares
  if (price === 0) return hasFill ? CANCELLED : REJECTED
  return hasFill ? PARTIAL : PENDING
}

function noLiquidity({ ids, incoming }: Exchange): Reject {
  return { code: 'ORDER_NO_LIQUIDITY', orderId: ids.textOf(incoming.serial, incoming.createdAt) }
}

function restIncoming(exchange: Exchange): void {
  const { incoming } = exchange
  const { book, expiresAt, isSell, order } = incoming
  if (expiresAt !== Infinity) exchange.expiries.add(order, expiresAt, incoming.serial)
  if (isSell) exchange.positions.reserve(incoming.position, incoming.remaining)
  rest(exchange, isSell ? book.asks : book.bids, order, incoming.price)
}
