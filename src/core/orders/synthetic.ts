// Matching by complete sets. BUY orders for all outcomes of a market together pay for complete
// sets, which are minted for them; SELL orders of all outcomes together have theirs merged. The
// price that the other outcomes leave for an incoming order is its synthetic price.

import { writePosition } from '../book/holdings.ts'
import { bestOrder, fillResting, finishLevel } from '../book/queue.ts'
import { type FeeSchedule, feeOf } from '../fee.ts'
import type { Serial } from '../ids.ts'
import type { OrderRow } from '../memory/memory.ts'
import { noPrice, sharesCeiling, ticksPerUnit } from '../money.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book, Market } from '../state/market.ts'
import { countInGroups } from './group-fills.ts'
import type { Incoming } from './incoming.ts'
import { countTrade, receive, restingFeesOf } from './trade.ts'

const lowestPrice = 1
/** Past this a market mints no more by matching: one more order might pass 2^53. */
const setsMax = Number.MAX_SAFE_INTEGER - sharesCeiling

/** The price at which complete sets would serve an incoming order; noPrice where they do not. */
export function syntheticPrice(book: Book, isSell: boolean): number {
  const { market } = book
  if (!market.hasCompleteSetMatching) return noPrice
  if (!isSell && market.setsOutstanding > setsMax) return noPrice
  let sum = 0
  for (const other of market.books) {
    if (other === book) continue
    const best = other.sideOf(isSell).bestPrice
    if (best === noPrice) return noPrice
    sum += best
  }
  return syntheticOf(sum, isSell)
}

/** The same from the best prices of the other outcomes; noPrice where one of them has none. */
export function offered(others: readonly { readonly price: number }[], isSell: boolean): number {
  let sum = 0
  for (const { price } of others) {
    if (price === noPrice) return noPrice
    sum += price
  }
  return syntheticOf(sum, isSell)
}

// From the sum of the other prices. A buyer pays one tick at least, and a seller gets one at least.
function syntheticOf(sum: number, isSell: boolean): number {
  const left = ticksPerUnit - sum
  if (left >= lowestPrice) return left
  return isSell ? noPrice : lowestPrice
}

/** How many trades one match makes: one for each outcome. */
export function legsOf({ market }: Book): number {
  return market.books.length
}

/** Matches the incoming order with the first order of every other book. */
export function matchSets(exchange: Exchange, incoming: Incoming): void {
  const { orders } = exchange
  const { book, budget, isSell, order } = incoming
  const others = book.others.map((other) => bestOrder(exchange, other.sideOf(isSell)))
  const sum = others.reduce((total, other) => total + orders.price(other), 0)
  const price = syntheticOf(sum, isSell)
  const most = Math.min(...[order, ...others].map((each) => orders.remaining(each)))
  const shares = budget === null ? most : budget.buy({ price, shares: most })
  const lowered = loweredPrices(exchange, others, sum + price - ticksPerUnit)
  const match = { serial: exchange.nextSerial(), isSell, shares }
  tradeIncoming(exchange, incoming, match, price)
  for (const other of others) {
    tradeResting(exchange, other, match, lowered.get(other) ?? orders.price(other))
  }
  incoming.tradeCount += legsOf(book)
  countSets(book.market, match)
  if (exchange.orderGroups.size > 0) countInGroups(exchange, incoming, others, shares)
}

/** What all legs of a match share. */
type SetMatch = { readonly serial: Serial; readonly isSell: boolean; readonly shares: number }

// Each order pays or gets its own price. Where the bids of the others and the tick that the
// incoming order pays exceed one unit, the newest bids pay less, but none less than a tick. By
// order: the price of those that pay less.
function loweredPrices(
  { orders }: Exchange,
  others: readonly OrderRow[],
  excess: number,
): ReadonlyMap<OrderRow, number> {
  const lowered = new Map<OrderRow, number>()
  if (excess <= 0) return lowered
  const newestFirst = [...others].sort((a, b) => orders.queueSerial(b) - orders.queueSerial(a))
  let left = excess
  for (const order of newestFirst) {
    const less = Math.min(left, orders.price(order) - lowestPrice)
    lowered.set(order, orders.price(order) - less)
    left -= less
  }
  return lowered
}

function tradeIncoming(
  exchange: Exchange,
  { book, fees, order }: Incoming,
  match: SetMatch,
  price: number,
): void {
  const { orders, positions } = exchange
  const fill = { price, shares: match.shares, value: match.shares * price }
  orders.fill(order, fill.shares, fill.value)
  const filled = orders.filled(order)
  writeLeg(exchange, match, { order, isIncoming: true, price, filled, fees })
  if (match.isSell) positions.give(orders.position(order), fill.shares, fill.value)
  else receive(exchange, order, fill)
  countTrade(exchange, book, fill)
}

function tradeResting(exchange: Exchange, order: OrderRow, match: SetMatch, price: number): void {
  const { orders, positions } = exchange
  const fill = { price, shares: match.shares, value: match.shares * price }
  const book = exchange.bookOf(order)
  const fees = restingFeesOf(exchange, book, order)
  const filled = orders.filled(order) + fill.shares
  writeLeg(exchange, match, { order, isIncoming: false, price, filled, fees })
  if (match.isSell) positions.giveReserved(orders.position(order), fill.shares, fill.value)
  else receive(exchange, order, fill)
  writePosition(exchange, orders.position(order))
  countTrade(exchange, book, fill)
  const level = orders.level(order)
  fillResting(exchange, book, order, fill)
  finishLevel(exchange, book.sideOf(match.isSell), level)
}

type Leg = {
  readonly order: OrderRow
  readonly isIncoming: boolean
  readonly price: number
  readonly filled: number
  readonly fees: FeeSchedule
}

function writeLeg(exchange: Exchange, match: SetMatch, leg: Leg): void {
  exchange.journal.add({
    kind: 'LEG',
    serial: exchange.nextSerial(),
    match: match.serial,
    tradeKind: match.isSell ? 'MERGE' : 'MINT',
    order: leg.order,
    isIncoming: leg.isIncoming,
    price: leg.price,
    shares: match.shares,
    filled: leg.filled,
    fee: feeOf(
      { price: leg.price, shares: match.shares },
      leg.fees,
      leg.isIncoming ? 'TAKER' : 'MAKER',
    ),
  })
}

function countSets(market: Market, { isSell, shares }: SetMatch): void {
  if (isSell) market.setsRedeemed.add(shares)
  else market.setsMinted.add(shares)
  market.setsOutstanding += isSell ? -shares : shares
}
