// Placing an order. The checks stand in the order in which their rejections win.

import * as access from './access.ts'
import * as books from './book.ts'
import * as cancels from './cancel.ts'
import type { Exchange } from './exchange.ts'
import { factSizes, ORDER_TAKEN, takenFact } from './journal.ts'
import { orderField } from './layout.ts'
import * as markets from './market.ts'
import * as matching from './match.ts'
import { isMetBySets, matchWithOptions } from './match-options.ts'
import type { Price, Shares } from './money.ts'
import type { Operator, Player } from './operator.ts'
import { checkOptions, isPostOnly, mayRest } from './options.ts'
import * as limits from './order-limits.ts'
import { invalid, marketNotFound, type Reject, refusedOrder } from './reject.ts'
import * as words from './words.ts'

// V8 folds what the module itself declares, but reads an import anew at each use.
const { isVisibleTo } = access
const { writeClosed } = cancels
const { rest, writeBook } = books
const { isTrading, welcome } = markets
const { isMet, match } = matching
const { checkOpenOrders } = limits
const { BY_IMMEDIACY, CANCELLED, FILLED, NO_REASON, PARTIAL, PENDING, REJECTED } = words
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
  readonly side: words.Side
  readonly type: words.OrderType
  readonly shares: Shares
  /** Of a LIMIT order; whatever a MARKET order has here is ignored. */
  readonly price: Price | null
  readonly expiresAt: number | null
  /** As options.ts packs them. */
  readonly options: number
  readonly transactionId: string | null
}

export function place(exchange: Exchange, order: PlaceOrder): Reject | null {
  exchange.makeRoom()
  const malformed = checkTerms(exchange, order)
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

  if (order.type === 'LIMIT' && (order.options === 0 || mayRest(order.options))) {
    const full = checkOpenOrders(exchange, order.operator, player, market)
    if (full !== null) return full
  }

  // Past this line the order is taken: it is stored whatever becomes of it.
  exchange.beginReady()
  const holder = player ?? exchange.player(order.operator, order.playerId)
  welcome(market, order.operator)
  const { options, shares } = order
  const limit = order.type === 'LIMIT' ? (order.price ?? 0) : 0
  const isSell = order.side === 'SELL'
  const placing = {
    book,
    position,
    isSell,
    limit,
    shares,
    options,
    filled: 0,
    cost: 0,
    isMoved: false,
  }
  return execute(exchange, take(exchange, order, holder, placing), placing)
}

/** The order by itself, without a look at its market. */
export const checkOrder = (exchange: Exchange, order: PlaceOrder): Reject | null =>
  checkTerms(exchange, order)

const checkTerms = (exchange: Exchange, order: PlaceOrder): Reject | null => {
  const { rules } = exchange
  if (order.options !== 0) {
    const misfit = checkOptions(order.type, order.options)
    if (misfit !== null) return misfit
  }
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

/** Whether the player of a SELL has the shares free. */
export function checkSale(
  exchange: Exchange,
  { operator, playerId, shares: wanted }: PlaceOrder,
  book: books.Book,
): Reject | null {
  const player = operator.players.get(playerId)
  const position = player === undefined ? -1 : exchange.positions.find(book.handle, player.handle)
  const free = position < 0 ? 0 : exchange.positions.freeShares(position)
  return free < wanted ? { code: 'POSITION_INSUFFICIENT_SHARES', wanted, free } : null
}

/** The outcome is not the market's: which of the two does the caller not know? */
export function refuseOutcome(market: markets.Market | undefined, operator: Operator): Reject {
  if (market === undefined || !isVisibleTo(market, operator)) return marketNotFound
  return invalid('outcomeId', 'is not an outcome of that market')
}

/** What the checks have found out about an order. */
type Placing = {
  readonly book: books.Book
  /** -1 where there is none yet. */
  readonly position: number
  readonly isSell: boolean
  /** 0 for a MARKET order. */
  readonly limit: number
  readonly shares: number
  /** 0 for the usual. */
  readonly options: number
  /** What it had got before: of an order that is amended, and has left its book for it. */
  readonly filled: number
  readonly cost: number
  readonly isMoved: boolean
}

// Writes the order into a row of its own.
const take = (exchange: Exchange, order: PlaceOrder, player: Player, placing: Placing): number => {
  const { transactionId, expiresAt, options } = order
  const row = exchange.orders.take({ transactionId, expiresAt, options, queueSerial: null })
  const { reals, words } = exchange.memory
  const { asks, bids } = placing.book
  reals[(row + field.serial) >>> 1] = exchange.nextSerial()
  reals[(row + field.createdAt) >>> 1] = exchange.now
  reals[(row + field.cost) >>> 1] = 0
  words[(row + field.shares) | 0] = placing.shares
  words[(row + field.filled) | 0] = 0
  words[(row + field.price) | 0] = placing.limit
  words[(row + field.side) | 0] = placing.isSell ? asks.handle : bids.handle
  words[(row + field.player) | 0] = player.handle
  words[(row + field.position) | 0] = placing.position
  return row
}

/** Matches and rests an order that stands in its row; place has checked it, or amend. */
export const executeOrder = (exchange: Exchange, order: number, placing: Placing): Reject | null =>
  execute(exchange, order, placing)

// The order's own fact comes first, and is completed when its fate is known.
const execute = (exchange: Exchange, order: number, placing: Placing): Reject | null => {
  const { book, isSell, limit } = placing
  const opposite = isSell ? book.bids : book.asks
  const serial = exchange.orders.serial(order)
  const at = exchange.journal.addReady(kind, size)
  const mayMatchSets = book.market.hasCompleteSetMatching && isMetBySets(book, isSell, limit)
  if (placing.options !== 0 || mayMatchSets) return executeWithOptions(exchange, order, placing, at)
  // Not merged with the end, so that V8 keeps what it knows on the path of those that just rest.
  if (!isMet(limit, opposite)) {
    const { position, filled, cost } = placing
    return conclude(exchange, order, placing, {
      at,
      serial,
      position,
      filled,
      cost,
      status: statusOf(limit, filled, placing.shares - filled),
      reason: NO_REASON,
      isBookTouched: false,
    })
  }
  match(exchange, order, book, opposite)
  const { position, shares, remaining, cost } = exchange.incoming
  const filled = shares - remaining
  const status = statusOf(limit, filled, remaining)
  return conclude(exchange, order, placing, {
    at,
    serial,
    position,
    filled,
    cost,
    status,
    reason: BY_IMMEDIACY,
    isBookTouched: true,
  })
}

// The same for an order with options, or one that complete sets would serve.
const executeWithOptions = (
  exchange: Exchange,
  order: number,
  placing: Placing,
  at: number,
): Reject | null => {
  const { book } = placing
  const serial = exchange.orders.serial(order)
  const done = matchWithOptions(exchange, order, book)
  exchange.journal.makeRoom()
  const reject = conclude(exchange, order, placing, {
    at,
    serial,
    position: done.position,
    filled: done.filled,
    cost: done.cost,
    status: done.status,
    reason: done.reason,
    isBookTouched: placing.isMoved || done.isBookTouched,
  })
  if (!done.areOthersTouched) return reject
  for (const other of book.market.books) {
    exchange.journal.makeRoom()
    if (other !== book) writeBook(exchange, other)
  }
  return reject
}

/** Where the fact of an order stands, its serial, and what its trades came to. */
type Matched = {
  readonly at: number
  readonly serial: number
  readonly position: number
  readonly filled: number
  readonly cost: number
  readonly status: number
  /** Why its rest is cancelled, where it is. */
  readonly reason: number
  readonly isBookTouched: boolean
}

const conclude = (
  exchange: Exchange,
  order: number,
  placing: Placing,
  matched: Matched,
): Reject | null => {
  const { journal, orders } = exchange
  const { book, isSell, limit } = placing
  const { at, filled, serial, status } = matched
  const remaining = placing.shares - filled
  const { facts } = journal
  facts[at + fact.order] = order
  facts[at + fact.status] = status
  facts[at + fact.filled] = filled
  facts[at + fact.cost] = matched.cost
  if (status <= PARTIAL) {
    if (isSell) exchange.positions.reserve(matched.position, remaining)
    rest(exchange, book, isSell, { order, serial, price: limit, shares: remaining })
    return null
  }
  orders.close(order)
  if (status === REJECTED) return rejection(exchange, order)
  if (status === CANCELLED) writeClosed(journal, order, CANCELLED, matched.reason)
  if (matched.isBookTouched) writeBook(exchange, book)
  return null
}

const statusOf = (price: number, filled: number, remaining: number): number => {
  if (remaining === 0) return FILLED
  if (price === 0) return filled > 0 ? CANCELLED : REJECTED
  return filled > 0 ? PARTIAL : PENDING
}

function rejection({ ids, orders }: Exchange, order: number): Reject {
  const orderId = ids.textOf(orders.serial(order), orders.createdAt(order))
  return refusedOrder(orderId, isPostOnly(orders.options(order)))
}
