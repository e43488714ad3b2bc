// Cancelling many orders of an operator at once. The orders of each market are a command of their
// own, because the events of one command are about one market.

import { writeBook } from '../book/changes.ts'
import type { Serial } from '../ids.ts'
import { none, type OrderRow } from '../memory/memory.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book, Market } from '../state/market.ts'
import type { Operator } from '../state/operator.ts'
import { closeOrder, openOrderOf } from './cancel.ts'

/** Skips orders that are closed, unknown or another operator's; returns how many it cancelled. */
export function cancelMany(
  exchange: Exchange,
  operator: Operator,
  serials: readonly Serial[],
): number {
  const byMarket = new Map<Market, Set<OrderRow>>()
  for (const serial of serials) {
    const order = openOrderOf(exchange, operator, serial)
    if (order === none) continue
    const { market } = exchange.bookOf(order)
    const orders = byMarket.get(market)
    if (orders === undefined) byMarket.set(market, new Set([order]))
    else orders.add(order)
  }
  let cancelled = 0
  for (const orders of byMarket.values()) {
    cancelAll(exchange, orders)
    cancelled += orders.size
  }
  return cancelled
}

function cancelAll(exchange: Exchange, orders: ReadonlySet<OrderRow>): void {
  const books = new Set<Book>()
  exchange.begin()
  for (const order of orders) books.add(closeOrder(exchange, order, 'REQUESTED'))
  for (const book of books) writeBook(exchange, book)
}
