// Price-time priority: an incoming order meets the best resting price first, and there the
// earliest order first. A trade is at the resting order's price. Both sides share this code.

import * as asserts from '../assert.ts'
import * as books from '../book/book.ts'
import * as ladders from '../memory/ladders.ts'
import { levelField, orderField } from '../memory/layout.ts'
import * as levels from '../memory/levels.ts'
import * as money from '../money.ts'
import type { Exchange } from '../state/exchange.ts'
import { factSizes, TRADE, tradeFact } from '../state/journal.ts'
import * as markets from '../state/market.ts'
import type { Player } from '../state/operator.ts'

// V8 folds what the module itself declares, but reads an import anew at each use.
const assert: typeof asserts.assert = asserts.assert
const { delist } = books
const { bestLevel, removeLevel } = ladders
const { removeFirst, write } = levels
const { addParticipant } = markets
const { feeOf } = money
const kind = TRADE
const size = factSizes[TRADE]!
const fact = tradeFact
const field = orderField
const levelShares = levelField.shares
const levelFirst = levelField.first

/**
 * Matches the incoming order, which meets the opposite side, as far as prices allow; what is left
 * of it is the caller's to rest or cancel.
 */
export function match(exchange: Exchange, book: books.Book, opposite: ladders.BookSide): void {
  const { incoming, memory } = exchange
  const { limit } = incoming
  incoming.begin(exchange)
  while (incoming.remaining > 0 && meets(limit, opposite)) {
    const level = bestLevel(memory, opposite)
    book.lastPrice = opposite.bestPrice
    let ordersLeft = 1
    while (ordersLeft > 0 && incoming.remaining > 0) {
      ordersLeft = trade(exchange, book, level)
    }
    write(exchange, level)
    if (ordersLeft === 0) removeLevel(exchange, opposite, level)
  }
  incoming.finish(exchange, book)
}

/** One trade with the first order at the best price of that side. */
export function tradeOnce(exchange: Exchange, book: books.Book, opposite: ladders.BookSide): void {
  const level = bestLevel(exchange.memory, opposite)
  book.lastPrice = opposite.bestPrice
  const ordersLeft = trade(exchange, book, level)
  write(exchange, level)
  if (ordersLeft === 0) removeLevel(exchange, opposite, level)
}

/** Whether the best price of that side suits an order; a MARKET order, with limit 0, takes any. */
export const isMet = (limit: number, opposite: ladders.BookSide): boolean => meets(limit, opposite)

const meets = (limit: number, opposite: ladders.BookSide): boolean => {
  const price = opposite.bestPrice
  if (price === 0) return false
  return limit === 0 || (opposite.isBids ? price >= limit : price <= limit)
}

// The incoming order meets the first order of the level, at the book's new last price; says how
// many the level has left.
const trade = (exchange: Exchange, book: books.Book, level: number): number => {
  const { incoming, journal, memory } = exchange
  journal.reserve()
  const { reals, words } = memory
  const resting = words[(level + levelFirst) | 0]!
  const isExpired =
    exchange.orders.hasExpiry(resting) && exchange.orders.expiresAt(resting) <= exchange.now
  assert(!isExpired, 'nothing trades past its expiry')
  const restingFilled = words[(resting + field.filled) | 0]!
  const restingLeft = words[(resting + field.shares) | 0]! - restingFilled
  const shares = Math.min(incoming.remaining, restingLeft)
  const price = book.lastPrice
  const value = shares * price
  const player = exchange.players.at(words[(resting + field.player) | 0]!)

  incoming.remaining -= shares
  incoming.cost += value
  incoming.tradeCount += 1
  words[(resting + field.filled) | 0] = restingFilled + shares
  reals[(resting + field.cost) >>> 1]! += value
  reals[(level + levelShares) >>> 1]! -= shares
  const at = journal.addReady(kind, size)
  const { facts } = journal
  facts[at + fact.serial] = exchange.nextSerial()
  facts[at + fact.incoming] = incoming.order
  facts[at + fact.resting] = resting
  facts[at + fact.price] = price
  facts[at + fact.shares] = shares
  facts[at + fact.incomingFilled] = incoming.shares - incoming.remaining
  facts[at + fact.restingFilled] = restingFilled + shares
  facts[at + fact.incomingFee] = feeOf(value, incoming.feeRate)
  facts[at + fact.restingFee] = feeOf(value, exchange.feeRateOf(player.operator))
  deliver(exchange, resting, { book, player, shares, value })
  if (shares < restingLeft) return 1
  delist(exchange, resting)
  const ordersLeft = removeFirst(memory, level)
  exchange.orders.close(resting)
  return ordersLeft
}

/** What a trade moves, and whose the resting order is. */
type Delivery = {
  readonly book: books.Book
  readonly player: Player
  readonly shares: number
  readonly value: number
}

// The seller gives before the buyer receives: in a trade with oneself the order matters.
const deliver = (
  exchange: Exchange,
  resting: number,
  { book, player, shares, value }: Delivery,
): void => {
  const { incoming, memory, positions } = exchange
  let restingPosition = memory.words[(resting + field.position) | 0]!
  if (incoming.isSell) {
    positions.give(incoming.position, shares, value)
    if (restingPosition < 0) {
      restingPosition = holdingOf(exchange, book, player)
      memory.words[(resting + field.position) | 0] = restingPosition
    }
    positions.receive(restingPosition, shares, value)
  } else {
    positions.giveReserved(restingPosition, shares, value)
    if (incoming.position < 0) {
      const handle = memory.words[(incoming.order + field.player) | 0]!
      incoming.position = holdingOf(exchange, book, exchange.players.at(handle))
    }
    positions.receive(incoming.position, shares, value)
  }
  positions.write(restingPosition, exchange.journal)
}

/** The player's position in that outcome; a new one where it has none yet. */
export const positionOf = (exchange: Exchange, book: books.Book, player: Player): number =>
  holdingOf(exchange, book, player)

const holdingOf = (exchange: Exchange, book: books.Book, player: Player): number => {
  const { positions } = exchange
  const { market } = book
  const known = positions.find(book.handle, player.handle)
  if (known >= 0) return known
  const added = positions.add(book.handle, player.handle, exchange.nextSerial(), exchange.now)
  if (market.lastPosition < 0) market.firstPosition = added
  else positions.setNext(market.lastPosition, added)
  market.lastPosition = added
  addParticipant(market, player.operator)
  return added
}
