// Placing an order. The checks stand in the order in which their rejections win.

import * as books from '../book/book.ts'
import { orderField } from '../memory/layout.ts'
import type { Price, Shares } from '../money.ts'
import { invalid, marketNotFound, type Reject, refusedOrder } from '../reject.ts'
import * as access from '../state/access.ts'
import type { Exchange } from '../state/exchange.ts'
import { acceptedFact, factSizes, ORDER_ACCEPTED } from '../state/journal.ts'
import * as markets from '../state/market.ts'
import type { Operator, Player } from '../state/operator.ts'
import * as words from '../words.ts'
import * as cancels from './cancel.ts'
import * as matching from './match.ts'
import { isMetBySets, matchWithOptions } from './match-options.ts'
import { checkOptions, isPostOnly, mayRest } from './options.ts'
import * as limits from './order-limits.ts'

// V8 folds what the module itself declares, but reads an import anew at each use.
const { isVisibleTo } = access
const { writeClosed } = cancels
const { rest, writeBook } = books
const { isTrading, addParticipant } = markets
const { isMet, match } = matching
const { checkOpenOrders } = limits
const { BY_IMMEDIACY, CANCELLED, FILLED, PARTIAL, PENDING, REJECTED } = words
const kind = ORDER_ACCEPTED
const size = factSizes[ORDER_ACCEPTED]!
const fact = acceptedFact
const field = orderField

export type NewOrder = {
  readonly operator: Operator
  /** Serials, as Ids reads them out of the public ids. */
  readonly marketSerial: number
  readonly outcomeSerial: number
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

export function place(exchange: Exchange, order: NewOrder): Reject | null {
  exchange.reserve()
  const malformed = checkTerms(exchange, order)
  if (malformed !== null) return malformed

  const book = exchange.book(order.outcomeSerial)
  if (book === undefined || book.market.serial !== order.marketSerial) {
    return refuseOutcome(exchange.market(order.marketSerial), order.operator)
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
  addParticipant(market, order.operator)
  exchange.incoming.position = position
  take(exchange, order, player ?? exchange.player(order.operator, order.playerId), book)
  return execute(exchange, book, false)
}

/** The order by itself, without a look at its market. */
export const checkOrder = (exchange: Exchange, order: NewOrder): Reject | null =>
  checkTerms(exchange, order)

const checkTerms = (exchange: Exchange, order: NewOrder): Reject | null => {
  const { rules } = exchange
  if (order.options !== 0) {
    const misfit = checkOptions(order.type, order.options)
    if (misfit !== null) return misfit
  }
  if (order.expiresAt !== null && order.expiresAt <= exchange.now) {
    return invalid('expiresAt', 'must be in the future')
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
  { operator, playerId, shares: wanted }: NewOrder,
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
  return invalid('outcomeId', 'is not an outcome of this market')
}

// Writes the order into a row of its own, and down as the one that comes in.
const take = (exchange: Exchange, order: NewOrder, player: Player, book: books.Book): void => {
  const { incoming, memory, orders } = exchange
  const { options, shares } = order
  const isSell = order.side === 'SELL'
  const limit = order.type === 'LIMIT' ? (order.price ?? 0) : 0
  const serial = exchange.nextSerial()
  const row = orders.take(order.transactionId, order.expiresAt, options, null)
  const { reals, words } = memory
  reals[(row + field.serial) >>> 1] = serial
  reals[(row + field.createdAt) >>> 1] = exchange.now
  reals[(row + field.cost) >>> 1] = 0
  words[(row + field.shares) | 0] = shares
  words[(row + field.filled) | 0] = 0
  words[(row + field.price) | 0] = limit
  words[(row + field.side) | 0] = isSell ? book.asks.handle : book.bids.handle
  words[(row + field.player) | 0] = player.handle
  words[(row + field.position) | 0] = incoming.position
  incoming.order = row
  incoming.serial = serial
  incoming.isSell = isSell
  incoming.limit = limit
  incoming.shares = shares
  incoming.options = options
  incoming.filledBefore = 0
  incoming.remaining = shares
  incoming.cost = 0
}

/** Matches and rests the incoming order, which amend has taken out of its book. */
export const executeMoved = (exchange: Exchange, book: books.Book): Reject | null =>
  execute(exchange, book, true)

// The order's own fact comes first, and is completed when its fate is known.
const execute = (exchange: Exchange, book: books.Book, isMoved: boolean): Reject | null => {
  const { incoming } = exchange
  const { isSell, limit } = incoming
  const opposite = isSell ? book.bids : book.asks
  const at = exchange.journal.addReady(kind, size)
  const mayMatchSets = book.market.hasCompleteSetMatching && isMetBySets(book, isSell, limit)
  if (incoming.options !== 0 || mayMatchSets) {
    return executeWithOptions(exchange, book, at, isMoved)
  }
  const isMatched = isMet(limit, opposite)
  if (isMatched) match(exchange, book, opposite)
  const status = statusOf(limit, incoming.shares - incoming.remaining, incoming.remaining)
  writeAccepted(exchange, at, status)
  if (status > PARTIAL) return close(exchange, book, status, BY_IMMEDIACY, isMatched)
  if (isSell) exchange.positions.reserve(incoming.position, incoming.remaining)
  rest(exchange, book)
  return null
}

// The same for an order with options, or one that complete sets would serve.
const executeWithOptions = (
  exchange: Exchange,
  book: books.Book,
  at: number,
  isMoved: boolean,
): Reject | null => {
  const { incoming, journal } = exchange
  const done = matchWithOptions(exchange, book)
  journal.reserve()
  writeAccepted(exchange, at, done.status)
  let reject: Reject | null = null
  if (done.status > PARTIAL) {
    reject = close(exchange, book, done.status, done.reason, isMoved || done.isBookTouched)
  } else {
    if (incoming.isSell) exchange.positions.reserve(incoming.position, incoming.remaining)
    rest(exchange, book)
  }
  if (!done.areOthersTouched) return reject
  for (const other of book.market.books) {
    journal.reserve()
    if (other !== book) writeBook(exchange, other)
  }
  return reject
}

const writeAccepted = ({ incoming, journal }: Exchange, at: number, status: number): void => {
  const { facts } = journal
  facts[at + fact.order] = incoming.order
  facts[at + fact.status] = status
  facts[at + fact.filled] = incoming.shares - incoming.remaining
  facts[at + fact.cost] = incoming.cost
}

// It does not rest.
const close = (
  exchange: Exchange,
  book: books.Book,
  status: number,
  reason: number,
  isBookTouched: boolean,
): Reject | null => {
  const { order } = exchange.incoming
  exchange.orders.close(order)
  if (status === REJECTED) return rejection(exchange, order)
  if (status === CANCELLED) writeClosed(exchange.journal, order, CANCELLED, reason)
  if (isBookTouched) writeBook(exchange, book)
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
