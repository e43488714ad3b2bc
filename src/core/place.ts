// Placing an order. The checks stand in the order in which their rejections win.

import { isVisibleTo } from './access.ts'
import { type Book, rest, writeBook } from './book.ts'
import { writeClosed } from './cancel.ts'
import type { Exchange } from './exchange.ts'
import { factSizes, ORDER_TAKEN, takenFact } from './journal.ts'
import { orderField } from './layout.ts'
import { isTrading, type Market, welcome } from './market.ts'
import { match } from './match.ts'
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
const kind = ORDER_TAKEN
const size = factSizes[ORDER_TAKEN]!
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
  const holder = player ?? exchange.player(order.operator, order.playerId)
  return execute(exchange, take(exchange, order, { book, player: holder, position }), book)
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

type Placing = { readonly book: Book; readonly player: Player; readonly position: number }

// Writes the order into a row of its own.
function take(exchange: Exchange, order: PlaceOrder, placing: Placing): number {
  const { book, player, position } = placing
  const row = exchange.orders.take(order.transactionId)
  const serial = exchange.nextSerial()
  const { reals, words } = exchange.memory
  reals[(row + field.serial) >> 1] = serial
  reals[(row + field.createdAt) >> 1] = exchange.now
  reals[(row + field.expiresAt) >> 1] = order.expiresAt ?? Infinity
  reals[(row + field.cost) >> 1] = 0
  reals[(row + field.queueSerial) >> 1] = serial
  words[row + field.shares] = order.shares
  words[row + field.filled] = 0
  words[row + field.player] = player.handle
  words[row + field.position] = position
  words[row + field.isSell] = order.side === 'SELL' ? 1 : 0
  words[row + field.book] = book.handle
  words[row + field.price] = order.type === 'MARKET' ? 0 : (order.price ?? 0)
  welcome(book.market, player.operator)
  return row
}

function execute(exchange: Exchange, order: number, book: Book): Reject | null {
  const { journal, memory, orders } = exchange
  const isSell = memory.words[order + field.isSell] === 1
  const price = memory.words[order + field.price]!
  // The order's own fact comes first, and is completed when its fate is known.
  const at = journal.add(kind, size)
  match(exchange, order, book, isSell ? book.bids : book.asks)
  const filled = memory.words[order + field.filled]!
  const remaining = memory.words[order + field.shares]! - filled
  const status = statusOf(price, filled, remaining)
  const { facts } = journal
  facts[at + fact.order] = order
  facts[at + fact.status] = status
  facts[at + fact.filled] = filled
  facts[at + fact.cost] = memory.reals[(order + field.cost) >> 1]!
  if (status <= PARTIAL) {
    if (isSell) exchange.positions.reserve(memory.words[order + field.position]!, remaining)
    rest(exchange, isSell ? book.asks : book.bids, order)
  } else {
    orders.close(order)
  }
  if (status === REJECTED) return noLiquidity(exchange, order)
  if (status === CANCELLED) writeClosed(journal, order, CANCELLED, BY_IMMEDIACY)
  writeBook(exchange, book)
  return null
}

function statusOf(price: number, filled: number, remaining: number): number {
  if (remaining === 0) return FILLED
  if (price === 0) return filled > 0 ? CANCELLED : REJECTED
  return filled > 0 ? PARTIAL : PENDING
}

function noLiquidity({ ids, orders }: Exchange, order: number): Reject {
  const orderId = ids.textOf(orders.serial(order), orders.createdAt(order))
  return { code: 'ORDER_NO_LIQUIDITY', orderId }
}
