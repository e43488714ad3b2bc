// The open orders of an operator, of one of its players, or of all operators, over all books.

import type { Serial } from '../ids.ts'
import type { OrderRow } from '../memory/memory.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Operator } from '../state/operator.ts'
import { openOrders, ordersOf } from './queue.ts'

/** Without an operator, of all operators; without a player, of all its players. */
export type Owner = { readonly operator: Operator | null; readonly playerId: string | null }

/** The serials of the orders, or of those that buy; the newest first. */
export function openSerialsOf(
  exchange: Exchange,
  owner: Owner,
  options: { readonly onlyBids?: boolean } = {},
): Serial[] {
  const found: Serial[] = []
  for (const order of openOrdersOf(exchange, owner, options)) {
    found.push(exchange.orders.serial(order))
  }
  return found.sort((a, b) => b - a)
}

/** The orders, or those that buy; book by book. */
export function* openOrdersOf(
  exchange: Exchange,
  { operator, playerId }: Owner,
  { onlyBids = false } = {},
): Generator<OrderRow> {
  // No more are searched for than there are.
  let left = openCountOf({ operator, playerId })
  for (const book of exchange.books) {
    if (left === 0) break
    const orders = onlyBids ? ordersOf(exchange, book.bids) : openOrders(exchange, book)
    for (const order of orders) {
      exchange.visits += 1
      const player = exchange.playerOf(order)
      const isOfOperator = operator === null || player.operator === operator
      if (!isOfOperator || (playerId ?? player.id) !== player.id) continue
      yield order
      left -= 1
      if (left === 0) break
    }
  }
}

export function openCountOf({ operator, playerId }: Owner): number {
  if (operator === null) return Number.POSITIVE_INFINITY
  if (playerId === null) return operator.openOrders
  return operator.players.get(playerId)?.openOrders ?? 0
}
