// What happens to an order once it is accepted: it is rejected, or matches, and what is left of it
// rests or is cancelled.

import { writeBook } from '../book/changes.ts'
import { rest } from '../book/queue.ts'
import { noPrice } from '../money.ts'
import { type Reject, rejectedOrder } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import type { OrderAccepted } from '../state/facts.ts'
import type { OrderStatus } from '../words.ts'
import { writeClosed } from './cancel.ts'
import type { Incoming } from './incoming.ts'
import { type Match, match } from './match.ts'
import { mayBeRejected, mustBeRejected } from './plan.ts'
import { statusAfterMatch } from './status.ts'

const nothingMatched: Match = { stoppedBy: null, isBookChanged: false, areOthersChanged: false }

/** An order that an amendment has taken out of its book is moved: the book has changed already. */
export function execute(exchange: Exchange, incoming: Incoming, isMoved = false): Reject | null {
  const { journal, orders } = exchange
  const { book, order } = incoming
  const accepted: OrderAccepted = {
    kind: 'ORDER_ACCEPTED',
    order,
    status: 'PENDING',
    filled: 0,
    cost: 0,
  }
  journal.add(accepted)
  const isRejected = isIncomingRejected(exchange, incoming)
  const matched = isRejected ? nothingMatched : match(exchange, incoming)
  const status = isRejected ? 'REJECTED' : statusOfMatched(exchange, incoming, matched)
  accepted.status = status
  accepted.filled = orders.filled(order)
  accepted.cost = orders.cost(order)

  if (status === 'REJECTED') {
    orders.close(order)
    return rejectionOf(exchange, incoming)
  }
  const rests = status === 'PENDING' || status === 'PARTIAL'
  if (rests) restIncoming(exchange, incoming)
  else orders.close(order)
  if (status === 'CANCELLED') writeClosed(exchange, order, matched.stoppedBy ?? 'IMMEDIATE')
  if (rests || isMoved || matched.isBookChanged) writeBook(exchange, book)
  if (matched.areOthersChanged) for (const other of book.others) writeBook(exchange, other)
  return null
}

function isIncomingRejected(exchange: Exchange, incoming: Incoming): boolean {
  const { book, isSell, limit, options, order, player } = incoming
  if (!mayBeRejected(limit, options)) return false
  const shares = exchange.orders.remaining(order)
  return mustBeRejected(exchange, { book, isSell, limit, shares, player, options })
}

function statusOfMatched(
  { orders }: Exchange,
  { limit, options, order }: Incoming,
  { stoppedBy }: Match,
): OrderStatus {
  const mayRest = limit !== noPrice && options.timeInForce !== 'IOC' && stoppedBy === null
  return statusAfterMatch({ shares: orders.shares(order), filled: orders.filled(order) }, mayRest)
}

function restIncoming(exchange: Exchange, { isSell, order }: Incoming): void {
  const { orders, positions } = exchange
  if (isSell) positions.reserve(orders.position(order), orders.remaining(order))
  rest(exchange, order)
}

function rejectionOf({ ids, orders }: Exchange, { options, order }: Incoming): Reject {
  const orderId = ids.textOf(orders.serial(order), orders.createdAt(order))
  return rejectedOrder(orderId, options.isPostOnly)
}
