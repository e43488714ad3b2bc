// What happens to an order once it is accepted: it is rejected, or matches, and what is left of it
// rests or is cancelled.

import { writeBook } from '../book/changes.ts'
import { rest } from '../book/queue.ts'
import { noPrice } from '../money.ts'
import type { Reject } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import type { OrderAccepted } from '../state/facts.ts'
import type { OrderStatus } from '../words.ts'
import { writeClosed } from './cancel.ts'
import type { Incoming } from './incoming.ts'
import { type Match, match } from './match.ts'
import { mayBeRejected, type Rejection, rejectionOf } from './plan.ts'
import { suspendAtBand } from './price-band.ts'
import { statusAfterMatch } from './status.ts'

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
    isOutsideBand: false,
  }
  journal.add(accepted)
  const rejection = rejectionOfIncoming(exchange, incoming)
  if (rejection !== null) {
    accepted.status = 'REJECTED'
    accepted.isOutsideBand = rejection.code === 'ORDER_OUTSIDE_BAND'
    return reject(exchange, incoming, rejection)
  }
  const matched = match(exchange, incoming)
  const status = statusOfMatched(exchange, incoming, matched)
  if (incoming.budget !== null) orders.setSharesToFilled(order)
  accepted.status = status
  accepted.filled = orders.filled(order)
  accepted.cost = orders.cost(order)

  const rests = status === 'PENDING' || status === 'PARTIAL'
  if (rests) restIncoming(exchange, incoming)
  else orders.close(order)
  if (status === 'CANCELLED') writeClosed(exchange, order, matched.stoppedBy ?? 'IMMEDIATE')
  const changed = incoming.groupEffects?.changed
  if (rests || isMoved || matched.isBookChanged || changed?.has(book)) writeBook(exchange, book)
  if (matched.areOthersChanged || changed !== undefined) {
    for (const other of book.others) {
      if (matched.areOthersChanged || changed?.has(other)) writeBook(exchange, other)
    }
  }
  if (matched.stoppedBy === 'PRICE_BAND') suspendAtBand(exchange, book.market)
  return null
}

function rejectionOfIncoming(exchange: Exchange, incoming: Incoming): Rejection | null {
  if (!mayBeRejected(incoming)) return null
  const { bandLimit, book, budget, isSell, limit, options, order, player } = incoming
  const shares = exchange.orders.remaining(order)
  const group = exchange.groupOf(order)
  const planned = { bandLimit, book, budget, isSell, limit, options, player, shares, group }
  return rejectionOf(exchange, planned)
}

function statusOfMatched(
  { orders }: Exchange,
  { budget, limit, options, order }: Incoming,
  { stoppedBy }: Match,
): OrderStatus {
  if (budget !== null) return budget.isUsedUp ? 'FILLED' : 'CANCELLED'
  const mayRest = limit !== noPrice && options.timeInForce !== 'IOC' && stoppedBy === null
  return statusAfterMatch({ shares: orders.shares(order), filled: orders.filled(order) }, mayRest)
}

function restIncoming(exchange: Exchange, { isSell, order }: Incoming): void {
  const { orders, positions } = exchange
  if (isSell) positions.reserve(orders.position(order), orders.remaining(order))
  rest(exchange, order)
}

function reject(exchange: Exchange, incoming: Incoming, rejection: Rejection): Reject {
  const { ids, orders } = exchange
  const { book, budget, order } = incoming
  if (budget !== null) orders.setSharesToFilled(order)
  orders.close(order)
  if (rejection.meetsBand) suspendAtBand(exchange, book.market)
  const orderId = ids.textOf(orders.serial(order), orders.createdAt(order))
  return { code: rejection.code, orderId }
}
