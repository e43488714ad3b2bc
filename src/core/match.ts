// Price-time priority: an incoming order meets the best resting price first, and there the
// earliest order first. A trade is at the resting order's price. Both sides share this code.

import { assert } from './assert.ts'
import { type Book, leave } from './book.ts'
import type { Exchange } from './exchange.ts'
import { factSizes, TRADE, tradeFact } from './journal.ts'
import { type BookSide, levelAt } from './ladders.ts'
import { levelField, orderField } from './layout.ts'
import { write } from './levels.ts'
import { welcome } from './market.ts'
import { feeOf } from './money.ts'
import type { Player } from './operator.ts'

// V8 folds a constant of the module itself, but reads an imported one anew at each use.
const kind = TRADE
const size = factSizes[TRADE]!
const fact = tradeFact
const field = orderField
/** Lower than the rank of any price: a MARKET order meets them all. */
const anyRank = -(2 ** 30)
const levelShares = levelField.shares
const levelFirst = levelField.first
const levelRank = levelField.rank

/**
 * Matches as far as prices allow; what is left of the order is the caller's to rest or cancel.
 * The opposite side is the one whose orders it may meet.
 */
export function match(exchange: Exchange, order: number, book: Book, opposite: BookSide): void {
  if (opposite.length === 0) return
  const { incoming, memory } = exchange
  const price = memory.words[order + field.price]!
  const worstRank = price === 0 ? anyRank : opposite.isBids ? price : -price
  if (memory.words[levelAt(memory, opposite, 0) + levelRank]! < worstRank) return

  incoming.prepare(exchange, order, book)
  while (incoming.remaining > 0 && opposite.length > 0) {
    const level = levelAt(memory, opposite, 0)
    if (memory.words[level + levelRank]! < worstRank) break
    trade(exchange, opposite, level)
  }
  exchange.positions.write(incoming.position, exchange.journal)
}

// The incoming order meets the first order of the level.
function trade(exchange: Exchange, opposite: BookSide, level: number): void {
  const { incoming, journal, memory } = exchange
  const { reals, words } = memory
  const { order } = incoming
  const resting = words[level + levelFirst]!
  assert(reals[(resting + field.expiresAt) >> 1]! > exchange.now, 'nothing trades past its expiry')
  const price = Math.abs(words[level + levelRank]!)
  const restingFilled = words[resting + field.filled]!
  const restingLeft = words[resting + field.shares]! - restingFilled
  const shares = Math.min(incoming.remaining, restingLeft)
  const value = shares * price
  const player = exchange.players.at(words[resting + field.player]!)

  incoming.remaining -= shares
  words[resting + field.filled] = restingFilled + shares
  words[order + field.filled]! += shares
  reals[(resting + field.cost) >> 1]! += value
  reals[(order + field.cost) >> 1]! += value
  reals[(level + levelShares) >> 1]! -= shares
  const at = journal.add(kind, size)
  const { facts } = journal
  facts[at + fact.serial] = exchange.nextSerial()
  facts[at + fact.incoming] = order
  facts[at + fact.resting] = resting
  facts[at + fact.price] = price
  facts[at + fact.shares] = shares
  facts[at + fact.incomingFilled] = words[order + field.filled]!
  facts[at + fact.restingFilled] = restingFilled + shares
  facts[at + fact.incomingFee] = feeOf(value, incoming.feeRate)
  facts[at + fact.restingFee] = feeOf(value, exchange.feeRateOf(player.operator))
  deliver(exchange, resting, player, { shares, value })
  noteTrade(exchange, incoming.book, price, shares)
  if (shares === restingLeft) leave(exchange, opposite, resting)
  else write(memory, journal, level)
}

// The seller gives before the buyer receives: in a trade with oneself the order matters.
function deliver(
  exchange: Exchange,
  resting: number,
  player: Player,
  { shares, value }: { shares: number; value: number },
): void {
  const { incoming, memory, positions } = exchange
  let restingPosition = memory.words[resting + field.position]!
  if (incoming.isSell) {
    positions.give(incoming.position, shares, value)
    if (restingPosition < 0) {
      restingPosition = positionOf(exchange, incoming.book, player)
      memory.words[resting + field.position] = restingPosition
    }
    positions.receive(restingPosition, shares, value)
  } else {
    positions.giveReserved(restingPosition, shares, value)
    if (incoming.position < 0) {
      incoming.position = positionOf(exchange, incoming.book, incoming.player)
      memory.words[incoming.order + field.position] = incoming.position
    }
    positions.receive(incoming.position, shares, value)
  }
  positions.write(restingPosition, exchange.journal)
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
  welcome(market, player.operator)
  return added
}

function noteTrade(exchange: Exchange, book: Book, price: number, shares: number): void {
  book.lastPrice = price
  book.volume.add(exchange.now, shares)
  book.market.volume.add(shares)
  book.market.tradeCount += 1
}
