// Price-time priority: an incoming order meets the best resting price first, and there the
// earliest order first. A trade is at the resting order's price. Both sides share this code.

import { assert } from './assert.ts'
import { type Book, leave } from './book.ts'
import type { Exchange } from './exchange.ts'
import { TRADE, tradeFact } from './journal.ts'
import type { BookSide } from './ladders.ts'
import { feeOf } from './money.ts'
import type { Player } from './operator.ts'

// A local name, because V8 folds no imported constants.
const fact = tradeFact

/** Lower than the rank of any price: a MARKET order meets them all. */
export const anyRank = -(2 ** 30)

/** Matches as far as prices allow; what is left of the order is the caller's to rest or cancel. */
export function match(exchange: Exchange, opposite: BookSide): void {
  const { incoming, ladders, levels } = exchange
  const remainingBefore = incoming.remaining
  while (incoming.remaining > 0 && opposite.length > 0) {
    const level = ladders.best(opposite)
    const rank = levels.rank(level)
    if (rank < incoming.worstRank) break
    trade(exchange, opposite, level, Math.abs(rank))
  }
  if (incoming.remaining === remainingBefore) return
  exchange.positions.write(incoming.position, exchange.journal)
}

function trade(exchange: Exchange, opposite: BookSide, level: number, price: number): void {
  const { incoming, journal, levels, orders, positions } = exchange
  const resting = levels.first(level)
  assert(orders.expiresAt(resting) > exchange.now, 'no order trades at or after its expiry')
  const restingLeft = orders.remaining(resting)
  const shares = Math.min(incoming.remaining, restingLeft)
  const value = shares * price
  const player = exchange.players.at(orders.player(resting))

  incoming.remaining -= shares
  const at = journal.add(TRADE)
  const { facts } = journal
  facts[at + fact.serial] = exchange.nextSerial()
  facts[at + fact.incoming] = incoming.order
  facts[at + fact.resting] = resting
  facts[at + fact.price] = price
  facts[at + fact.shares] = shares
  facts[at + fact.incomingFilled] = orders.fill(incoming.order, shares, value)
  facts[at + fact.restingFilled] = orders.fill(resting, shares, value)
  facts[at + fact.incomingFee] = feeOf(value, incoming.feeRate)
  facts[at + fact.restingFee] = feeOf(value, exchange.feeRateOf(player.operator))
  exchangeShares(exchange, resting, player, shares, value)
  positions.write(orders.position(resting), journal)
  noteTrade(exchange, incoming.book, price, shares)
  levels.reduce(level, shares)
  if (shares === restingLeft) leave(exchange, opposite, resting)
  else levels.write(level, journal)
}

// The seller gives before the buyer receives: in a trade with oneself the order matters.
function exchangeShares(
  exchange: Exchange,
  resting: number,
  player: Player,
  shares: number,
  value: number,
): void {
  const { incoming, orders, positions } = exchange
  if (incoming.isSell) {
    positions.give(incoming.position, shares, value)
    if (orders.position(resting) < 0) {
      orders.setPosition(resting, positionOf(exchange, incoming.book, player))
    }
    positions.receive(orders.position(resting), shares, value)
  } else {
    positions.giveReserved(orders.position(resting), shares, value)
    if (incoming.position < 0) {
      incoming.position = positionOf(exchange, incoming.book, incoming.player)
      orders.setPosition(incoming.order, incoming.position)
    }
    positions.receive(incoming.position, shares, value)
  }
}

/** The player's position in that outcome; a new one where it has none yet. */
export function positionOf(exchange: Exchange, book: Book, player: Player): number {
  const { positions } = exchange
  const { market } = book
  const known = positions.find(book.handle, player.handle)
  if (known >= 0) return known
  const added = positions.add(book.handle, player.handle, exchange.nextSerial(), exchange.now)
  if (market.lastPosition < 0) market.firstPosition = added
  else positions.setNext(market.lastPosition, added)
  market.lastPosition = added
  if (player.operator !== market.owner) market.guests.add(player.operator)
  return added
}

function noteTrade(exchange: Exchange, book: Book, price: number, shares: number): void {
  book.lastPrice = price
  book.volume.add(exchange.now, shares)
  book.market.volume.add(shares)
  book.market.tradeCount += 1
}
