// Placing an order.

import type { Reject } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import { checkOrder, isByAmount, limitOf, type NewOrder, sharesToMatch } from './checks.ts'
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
  const { book, group, position } = checked
  const player = checked.player ?? exchange.player(order.operator, order.playerId)
  book.market.addParticipant(order.operator)
  const row = exchange.orders.add({
    serial: exchange.nextSerial(),
    createdAt: exchange.now,
    side: book.sideOf(order.side === 'SELL').handle,
    player: player.handle,
    position,
    price: limitOf(order),
    shares: sharesToMatch(exchange, order),
    filled: 0,
    cost: 0,
    transactionId: order.transactionId,
    expiresAt: order.expiresAt,
    options: order.options,
    queueSerial: null,
    groupSerial: group?.serial ?? null,
  })
  if (isByAmount(order)) exchange.orders.limitSpending(row, order.amount)
  return execute(exchange, incomingOf(exchange, row, book, player))
}
