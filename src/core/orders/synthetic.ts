// Buyers meet buyers: who bids for the other outcomes pays, with an incoming BUY, for complete sets
// that are minted for all of them. Sellers of every outcome have theirs merged the same way. What
// this offers an incoming order is a synthetic price.

import * as books from '../book/book.ts'
import { bestLevel, removeLevel } from '../memory/ladders.ts'
import { levelField, orderField } from '../memory/layout.ts'
import { removeFirst, write } from '../memory/levels.ts'
import { feeOf, sharesCeiling, ticksPerUnit } from '../money.ts'
import type { Exchange } from '../state/exchange.ts'
import { factSizes, LEG, legFact } from '../state/journal.ts'
import { MERGE, MINT } from '../words.ts'
import { positionOf } from './match.ts'

const priceLeast = 1
/** Past this a market mints no more by matching: one more order might pass 2^53. */
const setsMax = Number.MAX_SAFE_INTEGER - sharesCeiling

/** The price at which complete sets would serve an incoming order; 0 where they do not. */
export function syntheticPrice(book: books.Book, isSell: boolean): number {
  const { market } = book
  if (!market.hasCompleteSetMatching) return books.noPrice
  if (!isSell && market.setsOutstanding > setsMax) return books.noPrice
  let sum = 0
  for (const other of market.books) {
    if (other === book) continue
    const best = isSell ? other.asks.bestPrice : other.bids.bestPrice
    if (best === books.noPrice) return books.noPrice
    sum += best
  }
  return syntheticOf(sum, isSell)
}

/**
 * What the incoming order pays or gets where the prices of the others sum to that: a buyer pays a
 * tick at least, a seller gets one at least.
 */
export function syntheticOf(sum: number, isSell: boolean): number {
  const left = ticksPerUnit - sum
  if (left >= priceLeast) return left
  return isSell ? books.noPrice : priceLeast
}

/** What the best of each leave for the incoming order; 0 where one of them has nothing left. */
export function offered(others: readonly { readonly price: number }[], isSell: boolean): number {
  let sum = 0
  for (const { price } of others) {
    if (price === 0) return 0
    sum += price
  }
  return syntheticOf(sum, isSell)
}

/** An order's part in a match. */
type Leg = {
  readonly book: books.Book
  readonly order: number
  readonly match: number
  readonly price: number
  readonly shares: number
}

/** Matches the incoming order with the first order of every other book. */
export function matchSets(exchange: Exchange, book: books.Book): void {
  const { incoming, orders } = exchange
  const { market } = book
  let shares = incoming.remaining
  let sum = 0
  for (const other of market.books) {
    if (other === book) continue
    const order = firstOf(exchange, other)
    shares = Math.min(shares, orders.remaining(order))
    sum += orders.price(order)
  }
  const match = exchange.nextSerial()
  const price = syntheticOf(sum, incoming.isSell)
  const excess = sum + price - ticksPerUnit
  const lowered = excess > 0 ? loweredPrices(exchange, book, excess) : null
  tradeIncoming(exchange, { book, order: incoming.order, match, price, shares })
  for (const other of market.books) {
    if (other === book) continue
    const order = firstOf(exchange, other)
    const own = lowered?.get(order) ?? orders.price(order)
    tradeResting(exchange, { book: other, order, match, price: own, shares })
  }
  if (incoming.isSell) market.setsRedeemed.add(shares)
  else market.setsMinted.add(shares)
  market.setsOutstanding += incoming.isSell ? -shares : shares
}

// The order of another book that would match.
function firstOf(exchange: Exchange, { asks, bids }: books.Book): number {
  return books.bestOrder(exchange, exchange.incoming.isSell ? asks : bids)
}

// Each order pays or gets its own price. Where bids come to more than a unit less the tick that the
// incoming order pays, the newest pay less, but none less than a tick. By order: what those pay.
function loweredPrices(
  exchange: Exchange,
  book: books.Book,
  excess: number,
): ReadonlyMap<number, number> {
  const { orders } = exchange
  const lowered = new Map<number, number>()
  const newestFirst = book.market.books
    .filter((other) => other !== book)
    .map((other) => firstOf(exchange, other))
    .sort((a, b) => orders.queueSerial(b) - orders.queueSerial(a))
  let left = excess
  for (const order of newestFirst) {
    const less = Math.min(left, orders.price(order) - priceLeast)
    lowered.set(order, orders.price(order) - less)
    left -= less
  }
  return lowered
}

function tradeIncoming(exchange: Exchange, leg: Leg): void {
  const { incoming, orders, players, positions } = exchange
  const { book, shares, price } = leg
  const value = shares * price
  incoming.remaining -= shares
  incoming.cost += value
  incoming.tradeCount += 1
  book.lastPrice = price
  exchange.journal.reserve()
  writeLeg(exchange, leg, incoming.shares - incoming.remaining, feeOf(value, incoming.feeRate))
  if (incoming.isSell) {
    positions.give(incoming.position, shares, value)
    return
  }
  if (incoming.position < 0) {
    incoming.position = positionOf(exchange, book, players.at(orders.player(leg.order)))
  }
  positions.receive(incoming.position, shares, value)
}

function tradeResting(exchange: Exchange, leg: Leg): void {
  const { incoming, journal, memory, orders, positions } = exchange
  const { book, order, shares, price } = leg
  const value = shares * price
  const player = exchange.players.at(orders.player(order))
  const filled = orders.filled(order) + shares
  memory.words[order + orderField.filled] = filled
  memory.reals[(order + orderField.cost) >>> 1]! += value
  book.lastPrice = price
  journal.reserve()
  writeLeg(exchange, leg, filled, feeOf(value, exchange.feeRateOf(player.operator)))
  if (incoming.isSell) positions.giveReserved(orders.position(order), shares, value)
  else {
    const position = positionOf(exchange, book, player)
    memory.words[order + orderField.position] = position
    positions.receive(position, shares, value)
  }
  positions.write(orders.position(order), journal)
  book.volume.add(exchange.now, shares)
  book.market.volume.add(shares)
  book.market.tradeCount += 1
  shrinkLevel(exchange, leg)
}

// It is the first at the best price.
function shrinkLevel(exchange: Exchange, { book, order, shares }: Leg): void {
  const { memory, orders } = exchange
  const side = exchange.incoming.isSell ? book.asks : book.bids
  const level = bestLevel(memory, side)
  memory.reals[(level + levelField.shares) >>> 1]! -= shares
  if (orders.remaining(order) > 0) {
    write(exchange, level)
    return
  }
  books.delist(exchange, order)
  const ordersLeft = removeFirst(memory, level)
  orders.close(order)
  write(exchange, level)
  if (ordersLeft === 0) removeLevel(exchange, side, level)
}

function writeLeg(exchange: Exchange, leg: Leg, filled: number, fee: number): void {
  const { incoming, journal } = exchange
  const at = journal.addReady(LEG, factSizes[LEG]!)
  const { facts } = journal
  facts[at + legFact.serial] = exchange.nextSerial()
  facts[at + legFact.match] = leg.match
  facts[at + legFact.order] = leg.order
  facts[at + legFact.kind] = incoming.isSell ? MERGE : MINT
  facts[at + legFact.price] = leg.price
  facts[at + legFact.shares] = leg.shares
  facts[at + legFact.filled] = filled
  facts[at + legFact.fee] = fee
}
