// Placing an order.

import { none } from '../memory/memory.ts'
import type { OrderRow } from '../memory/orders.ts'
import type { Reject } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book } from '../state/market.ts'
import type { Player } from '../state/operator.ts'
import { checkOrder, limitOf, type NewOrder } from './checks.ts'
import { execute } from './execute.ts'
import { incomingOf } from './incoming.ts'

export type { NewOrder } from './checks.ts'

/**
 * Matches the order and lets the rest of it wait in the book, if it may. A rejection with an order
 * id is that of an order that was accepted and stored as REJECTED.
 */
export function place(exchange: Exchange, order: NewOrder): Reject | null {
  const checked = checkOrder(exchange, order)
  if ('code' in checked) return checked

  // Past this line the order is accepted: it is stored whatever happens to it.
  exchange.begin()
  const { book } = checked
  book.market.addParticipant(order.operator)
  const player = checked.player ?? exchange.player(order.operator, order.playerId)
  const row = addOrder(exchange, order, book, player)
  return execute(exchange, incomingOf(exchange, row))
}

function addOrder(exchange: Exchange, order: NewOrder, book: Book, player: Player): OrderRow {
  const isSell = order.side === 'SELL'
  return exchange.orders.add({
    serial: exchange.nextSerial(),
    createdAt: exchange.now,
    side: book.sideOf(isSell).handle,
    player: player.handle,
    // A buyer may have no position yet; the first trade finds it or makes one.
    position: isSell ? exchange.positions.find(book.handle, player.handle) : none,
    price: limitOf(order),
    shares: order.shares,
    filled: 0,
    cost: 0,
    transactionId: order.transactionId,
    expiresAt: order.expiresAt,
    options: order.options,
    queueSerial: null,
  })
}
