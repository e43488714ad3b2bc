// Cancelling many orders of an operator at once: those of each market in a command of its own, for
// what a command tells is of one market.

import { type Book, writeBook } from '../book/book.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Market } from '../state/market.ts'
import type { Operator } from '../state/operator.ts'
import { BY_REQUEST } from '../words.ts'
import { closeOrder } from './cancel.ts'

/** Says how many it cancelled; orders that are closed, unknown or another's are passed over. */
export function cancelMany(
  exchange: Exchange,
  operator: Operator,
  serials: readonly number[],
): number {
  const byMarket = new Map<Market, Set<number>>()
  for (const serial of serials) {
    const order = openOrder(exchange, operator, serial)
    if (order < 0) continue
    const { market } = exchange.books.at(exchange.orders.book(order))
    const group = byMarket.get(market)
    if (group === undefined) byMarket.set(market, new Set([order]))
    else group.add(order)
  }
  let cancelled = 0
  for (const group of byMarket.values()) {
    cancelAll(exchange, group)
    cancelled += group.size
  }
  return cancelled
}

function openOrder({ orders, players }: Exchange, operator: Operator, serial: number): number {
  const order = orders.find(serial)
  return order >= 0 && players.at(orders.player(order)).operator === operator ? order : -1
}

function cancelAll(exchange: Exchange, group: ReadonlySet<number>): void {
  const books = new Set<Book>()
  exchange.begin()
  for (const order of group) {
    exchange.journal.reserve()
    books.add(closeOrder(exchange, order, BY_REQUEST))
  }
  for (const book of books) {
    exchange.journal.reserve()
    writeBook(exchange, book)
  }
}
