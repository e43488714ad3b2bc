// Changing the shares or the price of an open order. Fewer shares at the same price keep its place
// in the queue; with anything else it goes to the back and may match, like an order that is placed.

import { type Book, leave, replace, writeBook } from '../book/book.ts'
import { orderField as field } from '../memory/layout.ts'
import { never } from '../memory/orders.ts'
import type { Price, Shares } from '../money.ts'
import { marketNotFound, type Reject } from '../reject.ts'
import { isVisibleTo } from '../state/access.ts'
import type { Exchange } from '../state/exchange.ts'
import { AMENDED, acceptedFact, amendedFact, factSizes, ORDER_ACCEPTED } from '../state/journal.ts'
import { isTrading } from '../state/market.ts'
import type { Operator } from '../state/operator.ts'
import { PARTIAL, PENDING } from '../words.ts'
import { isPostOnly, unpackOptions } from './options.ts'
import { executeMoved } from './place.ts'
import { planOf } from './plan.ts'

export type Amendment = {
  readonly operator: Operator
  /** A serial. */
  readonly orderSerial: number
  /** The new total, filled shares included; null leaves it as it is. */
  readonly shares: Shares | null
  readonly price: Price | null
}

/**
 * An order that is closed is not known here: whoever finds it in the store answers
 * ORDER_CANNOT_AMEND instead.
 */
export function amend(exchange: Exchange, command: Amendment): Reject | null {
  exchange.reserve()
  const { orders, players } = exchange
  const malformed = checkTerms(exchange, command)
  if (malformed !== null) return malformed
  const was = orders.find(command.orderSerial)
  if (was < 0 || players.at(orders.player(was)).operator !== command.operator) {
    return { code: 'ORDER_NOT_FOUND' }
  }
  const shares = command.shares ?? orders.shares(was)
  const price = command.price ?? orders.price(was)
  const keepsPlace = price === orders.price(was) && shares <= orders.shares(was)
  const change = { was, book: exchange.books.at(orders.book(was)), shares, price, keepsPlace }
  const refused = checkChange(exchange, command.operator, change)
  if (refused !== null) return refused

  exchange.beginReady()
  if (keepsPlace) shrink(exchange, change)
  else move(exchange, change)
  return null
}

function checkTerms({ rules }: Exchange, { shares, price }: Amendment): Reject | null {
  if (shares !== null && !(shares >= rules.sharesMin && shares <= rules.sharesMax)) {
    return { code: 'ORDER_INVALID_SHARES', shares, min: rules.sharesMin, max: rules.sharesMax }
  }
  if (price !== null && !(price >= rules.priceMin && price <= rules.priceMax)) {
    return { code: 'ORDER_INVALID_PRICE', price, min: rules.priceMin, max: rules.priceMax }
  }
  return null
}

/** What the order is, and what it shall be. */
type Change = {
  readonly was: number
  readonly book: Book
  readonly shares: number
  readonly price: number
  readonly keepsPlace: boolean
}

function checkChange(exchange: Exchange, operator: Operator, change: Change): Reject | null {
  const { orders, positions, rules } = exchange
  const { was, book, shares, keepsPlace } = change
  const filled = orders.filled(was)
  if (shares <= filled) {
    const min = Math.max(filled + 1, rules.sharesMin)
    return { code: 'ORDER_INVALID_SHARES', shares, min, max: rules.sharesMax }
  }
  const { market } = book
  if (!isVisibleTo(market, operator)) return marketNotFound
  if (!isTrading(market, exchange.now)) return { code: 'MARKET_NOT_OPEN', status: market.status }
  const isSell = orders.isSell(was)
  if (isSell) {
    const free = positions.freeShares(orders.position(was)) + orders.remaining(was)
    const wanted = shares - filled
    if (free < wanted) return { code: 'POSITION_INSUFFICIENT_SHARES', wanted, free }
  }
  if (!keepsPlace && isPostOnly(orders.options(was)) && wouldMatch(exchange, change)) {
    return { code: 'ORDER_WOULD_MATCH', orderId: null }
  }
  return null
}

function wouldMatch(exchange: Exchange, { was, book, shares, price }: Change): boolean {
  const { orders } = exchange
  const plan = planOf(exchange, {
    book,
    isSell: orders.isSell(was),
    limit: price,
    shares: shares - orders.filled(was),
    player: orders.player(was),
    prevention: unpackOptions(orders.options(was)).selfTradePrevention,
  })
  return plan.filled > 0
}

// The order stays where it is; only its level has fewer shares.
function shrink(exchange: Exchange, change: Change): void {
  const { orders, positions } = exchange
  const { was, book, shares } = change
  const isSell = orders.isSell(was)
  const less = orders.shares(was) - shares
  const order = renew(exchange, change, orders.queueSerial(was))
  writeAccepted(exchange, order)
  if (isSell) positions.reserve(orders.position(was), -less)
  replace(exchange, was, order, less)
  if (less > 0) writeBook(exchange, book)
}

// Out of the book, and into it again as if it came now.
function move(exchange: Exchange, change: Change): void {
  const { orders, positions } = exchange
  const { was, book } = change
  const isSell = orders.isSell(was)
  const position = orders.position(was)
  const remaining = orders.remaining(was)
  if (isSell) positions.reserve(position, -remaining)
  leave(exchange, isSell ? book.asks : book.bids, was, remaining)
  const order = renew(exchange, change, exchange.nextSerial())
  exchange.incoming.prepare(exchange, order)
  executeMoved(exchange, book)
}

// The order in a row of its own, so that what the turn has said of it before stays true. The old
// row goes when the turn ends.
function renew(exchange: Exchange, change: Change, queueSerial: number): number {
  const { journal, memory, orders } = exchange
  const { was } = change
  const at = journal.addReady(AMENDED, factSizes[AMENDED]!)
  journal.facts[at + amendedFact.was] = was
  const expiresAt = orders.expiresAt(was)
  const order = orders.take(
    orders.transactionId(was),
    expiresAt === never ? null : expiresAt,
    orders.options(was),
    queueSerial === orders.serial(was) ? null : queueSerial,
  )
  const { reals, words } = memory
  for (const real of [field.serial, field.createdAt, field.cost]) {
    reals[(order + real) >>> 1] = reals[(was + real) >>> 1]!
  }
  for (const word of [field.filled, field.side, field.player, field.position]) {
    words[order + word] = words[was + word]!
  }
  words[order + field.shares] = change.shares
  words[order + field.price] = change.price
  return order
}

function writeAccepted({ journal, orders }: Exchange, order: number): void {
  const at = journal.addReady(ORDER_ACCEPTED, factSizes[ORDER_ACCEPTED]!)
  const { facts } = journal
  const filled = orders.filled(order)
  facts[at + acceptedFact.order] = order
  facts[at + acceptedFact.status] = filled > 0 ? PARTIAL : PENDING
  facts[at + acceptedFact.filled] = filled
  facts[at + acceptedFact.cost] = orders.cost(order)
}
