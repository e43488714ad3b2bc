// Placing an order. The checks stand in the order in which their rejections win.

import { isVisibleTo } from './access.ts'
import { type Book, rest, writeBook } from './book.ts'
import { writeClosed } from './cancel.ts'
import type { Exchange } from './exchange.ts'
import { ORDER_TAKEN, takenFact } from './journal.ts'
import { orderField } from './layout.ts'
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

// V8 folds a constant of the module itself, but reads an imported one anew at each use.
const fact = takenFact
const field = orderField

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

// Gives it a row and makes it the incoming order.
function take(
  exchange: Exchange,
  order: PlaceOrder,
  book: Book,
  player: Player,
  position: number,
): void {
  const { incoming, memory } = exchange
  const row = exchange.orders.take(order.transactionId)
  const price = order.type === 'MARKET' ? 0 : (order.price ?? 0)
  const isSell = order.side === 'SELL'
  const serial = exchange.nextSerial()
  const { reals, words } = memory
  reals[(row + field.serial) >> 1] = serial
  reals[(row + field.createdAt) >> 1] = exchange.now
  reals[(row + field.expiresAt) >> 1] = order.expiresAt ?? Infinity
  reals[(row + field.cost) >> 1] = 0
  reals[(row + field.queueSerial) >> 1] = serial
  words[row + field.shares] = order.shares
  words[row + field.filled] = 0
  words[row + field.player] = player.handle
  words[row + field.position] = position
  words[row + field.isSell] = isSell ? 1 : 0
  words[row + field.book] = book.handle
  words[row + field.price] = price
  incoming.order = row
  incoming.book = book
  incoming.player = player
  incoming.position = position
  incoming.isSell = isSell
  incoming.remaining = order.shares
  incoming.worstRank = price === 0 ? anyRank : isSell ? price : -price
  incoming.feeRate = exchange.feeRateOf(player.operator)
  if (player.operator !== book.market.owner) book.market.guests.add(player.operator)
}

function execute(exchange: Exchange): Reject | null {
  const { incoming, journal, memory, orders } = exchange
  const { book, order } = incoming
  // The order's own fact comes first, and is completed when its fate is known.
  const at = journal.add(ORDER_TAKEN)
  const opposite = incoming.isSell ? book.bids : book.asks
  if (opposite.length > 0) match(exchange, opposite)
  const filled = memory.words[order + field.filled]!
  const status = statusOf(memory.words[order + field.price]!, filled, incoming.remaining)
  const { facts } = journal
  facts[at + fact.order] = order
  facts[at + fact.status] = status
  facts[at + fact.filled] = filled
  facts[at + fact.cost] = memory.reals[(order + field.cost) >> 1]!
  if (status <= PARTIAL) restIncoming(exchange)
  else orders.close(order)
  if (status === REJECTED) return noLiquidity(exchange)
  if (status === CANCELLED) writeClosed(journal, order, CANCELLED, BY_IMMEDIACY)
  writeBook(exchange, book)
  return null
}

function statusOf(price: number, filled: number, remaining: number): number {
  if (remaining === 0) return FILLED
  if (price === 0) return filled > 0 ? CANCELLED : REJECTED
  return filled > 0 ? PARTIAL : PENDING
}

function noLiquidity({ ids, incoming, orders }: Exchange): Reject {
  const { order } = incoming
  const orderId = ids.textOf(orders.serial(order), orders.createdAt(order))
  return { code: 'ORDER_NO_LIQUIDITY', orderId }
}

function restIncoming(exchange: Exchange): void {
  const { incoming } = exchange
  const { book, isSell, order } = incoming
  if (isSell) exchange.positions.reserve(incoming.position, incoming.remaining)
  rest(exchange, isSell ? book.asks : book.bids, order)
}
