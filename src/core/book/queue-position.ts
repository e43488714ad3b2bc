// How many orders match before one that rests. Orders at better prices are not counted: they may
// come and go, but nothing passes an order at its own price.

import { none, type OrderRow } from '../memory/memory.ts'
import type { Exchange } from '../state/exchange.ts'

export type QueuePosition = {
  readonly order: OrderRow
  /** At the same price. */
  readonly ordersAhead: number
  /** What remains of them. */
  readonly sharesAhead: number
}

/** Those of open orders. Visits each level once, from its front to the last of the orders. */
export function queuePositions(exchange: Exchange, open: readonly OrderRow[]): QueuePosition[] {
  const { levels, orders } = exchange
  const byOrder = new Map<OrderRow, QueuePosition>()
  for (const [level, wanted] of Map.groupBy(open, (order) => orders.level(order))) {
    for (const position of positionsAt(exchange, levels.first(level), new Set(wanted))) {
      byOrder.set(position.order, position)
    }
  }
  return open.map((order) => byOrder.get(order)!)
}

function* positionsAt(
  exchange: Exchange,
  first: OrderRow,
  wanted: Set<OrderRow>,
): Generator<QueuePosition> {
  const { orders } = exchange
  let ordersAhead = 0
  let sharesAhead = 0
  for (let order = first; order !== none && wanted.size > 0; order = orders.next(order)) {
    exchange.visits += 1
    if (wanted.delete(order)) yield { order, ordersAhead, sharesAhead }
    ordersAhead += 1
    sharesAhead += orders.remaining(order)
  }
}
