// Closing an open order before it is filled: on request, by expiry, or with its market.

import { writeBook } from '../book/changes.ts'
import { leave } from '../book/queue.ts'
import type { Serial } from '../ids.ts'
import { none, type OrderRow } from '../memory/memory.ts'
import type { Reject } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book } from '../state/market.ts'
import type { Operator } from '../state/operator.ts'
import type { CancelReason } from '../words.ts'

/**
 * Cancels an open order. The core does not know closed orders: the engine looks them up in the
 * store and answers ORDER_CANNOT_CANCEL instead.
 */
export function cancel(exchange: Exchange, operator: Operator, serial: Serial): Reject | null {
  const order = openOrderOf(exchange, operator, serial)
  if (order === none) return { code: 'ORDER_NOT_FOUND' }

  exchange.begin()
  writeBook(exchange, closeOrder(exchange, order, 'REQUESTED'))
  return null
}

/** The open order with that serial if it is the operator's, or none. */
export function openOrderOf(exchange: Exchange, operator: Operator, serial: Serial): OrderRow {
  const order = exchange.orders.find(serial)
  return order !== none && exchange.playerOf(order).operator === operator ? order : none
}

/** Takes an open order out of its book and releases what it had reserved; returns the book. */
export function closeOrder(exchange: Exchange, order: OrderRow, reason: CancelReason): Book {
  const { orders, positions } = exchange
  writeClosed(exchange, order, reason)
  if (orders.isSell(order)) positions.release(orders.position(order), orders.remaining(order))
  leave(exchange, order)
  return exchange.bookOf(order)
}

/** Writes the fact of an order that is closed before it is filled. */
export function writeClosed({ journal }: Exchange, order: OrderRow, reason: CancelReason): void {
  const status = reason === 'EXPIRED' ? 'EXPIRED' : 'CANCELLED'
  journal.add({ kind: 'ORDER_CLOSED', order, status, reason })
}
