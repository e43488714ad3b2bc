// Cancelling many orders at once. The orders of each market are a command of their own, because the
// events of one command are about one market.

import { writeBook } from '../book/changes.ts'
import type { Serial } from '../ids.ts'
import { none, type OrderRow } from '../memory/memory.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book, Market } from '../state/market.ts'
import type { Operator } from '../state/operator.ts'
import type { CancelReason } from '../words.ts'
import { closeOrder, openOrderOf } from './cancel.ts'

/** Skips orders that are closed, unknown or another operator's; returns how many it cancelled. */
export function cancelMany(
  exchange: Exchange,
  operator: Operator,
  serials: readonly Serial[],
): number {
  const open = serials
    .map((serial) => openOrderOf(exchange, operator, serial))
    .filter((order) => order !== none)
  return closeOrders(exchange, open, 'REQUESTED')
}

/** Closes open orders, each once; returns how many they were. */
export function closeOrders(
  exchange: Exchange,
  open: readonly OrderRow[],
  reason: CancelReason,
): number {
  const byMarket = new Map<Market, Set<OrderRow>>()
  for (const order of open) {
    const { market } = exchange.bookOf(order)
    const orders = byMarket.get(market)
    if (orders === undefined) byMarket.set(market, new Set([order]))
    else orders.add(order)
  }
  let closed = 0
  for (const orders of byMarket.values()) {
    closeAll(exchange, orders, reason)
    closed += orders.size
  }
  return closed
}

function closeAll(exchange: Exchange, orders: ReadonlySet<OrderRow>, reason: CancelReason): void {
  const books = new Set<Book>()
  exchange.begin()
  for (const order of orders) books.add(closeOrder(exchange, order, reason))
  for (const book of books) writeBook(exchange, book)
}
