// One trade of the incoming order with a resting one, at the price of the resting order.

import { assert } from '../assert.ts'
import { positionOf, writePosition } from '../book/holdings.ts'
import { fillResting } from '../book/queue.ts'
import { type FeeSchedule, feeOf, type PricedShares } from '../fee.ts'
import { none, type OrderRow } from '../memory/memory.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book } from '../state/market.ts'
import { countInGroups } from './group-fills.ts'
import type { Incoming } from './incoming.ts'

/** Shares at a price in ticks, and their value in micro-units. */
export type Fill = PricedShares & { readonly value: number }

export function trade(exchange: Exchange, incoming: Incoming, resting: OrderRow): void {
  const { journal, orders, positions } = exchange
  const { book, budget, fees, isSell, order } = incoming
  const isExpired = orders.hasExpiry(resting) && orders.expiresAt(resting) <= exchange.now
  assert(!isExpired, 'no order trades past its expiry')
  const price = orders.price(resting)
  const most = Math.min(orders.remaining(order), orders.remaining(resting))
  const shares = budget === null ? most : budget.buy({ price, shares: most })
  const fill: Fill = { price, shares, value: shares * price }
  incoming.tradeCount += 1
  orders.fill(order, fill.shares, fill.value)
  journal.add({
    kind: 'TRADE',
    serial: exchange.nextSerial(),
    incoming: order,
    resting,
    price,
    shares,
    incomingFilled: orders.filled(order),
    restingFilled: orders.filled(resting) + shares,
    incomingFee: feeOf(fill, fees, 'TAKER'),
    restingFee: feeOf(fill, restingFeesOf(exchange, book, resting), 'MAKER'),
  })
  // The seller gives before the buyer receives, which matters in a trade of a player with itself.
  if (isSell) {
    positions.give(orders.position(order), fill.shares, fill.value)
    receive(exchange, resting, fill)
  } else {
    positions.giveReserved(orders.position(resting), fill.shares, fill.value)
    receive(exchange, order, fill)
  }
  writePosition(exchange, orders.position(resting))
  fillResting(exchange, book, resting, fill)
  countTrade(exchange, book, fill)
  if (exchange.orderGroups.size > 0) countInGroups(exchange, incoming, [resting], shares)
}

/** What the operator of a resting order pays. */
export function restingFeesOf(exchange: Exchange, { market }: Book, order: OrderRow): FeeSchedule {
  return exchange.feesOf(exchange.playerOf(order).operator, market)
}

/** Adds bought shares to the position of the order's player; the first fill may make it. */
export function receive(exchange: Exchange, order: OrderRow, { shares, value }: Fill): void {
  const { orders, positions } = exchange
  if (orders.position(order) === none) {
    const position = positionOf(exchange, exchange.bookOf(order), exchange.playerOf(order))
    orders.setPosition(order, position)
  }
  positions.receive(orders.position(order), shares, value)
}

/** Counts a trade in the statistics of its book and market. */
export function countTrade({ now }: Exchange, book: Book, { price, shares }: PricedShares): void {
  book.lastPrice = price
  book.volume.add(now, shares)
  book.market.volume.add(shares)
  book.market.tradeCount += 1
}
