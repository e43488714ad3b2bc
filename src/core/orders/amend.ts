// Changing the shares or the price of an open order. With fewer shares at the same price it keeps
// its place in the queue. With anything else it goes to the back and may match, like a new order.

import { writeBook } from '../book/changes.ts'
import { leave, replace } from '../book/queue.ts'
import type { Serial } from '../ids.ts'
import { none, type OrderRow } from '../memory/memory.ts'
import { never } from '../memory/orders.ts'
import type { Price, Shares } from '../money.ts'
import type { Reject } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Operator } from '../state/operator.ts'
import { checkMode } from '../state/trading-mode.ts'
import { openOrderOf } from './cancel.ts'
import { checkAvailable, checkPrice, checkShares, checkTrading } from './checks.ts'
import { checkDeadMan } from './dead-man.ts'
import { execute } from './execute.ts'
import { incomingOf } from './incoming.ts'
import { checkGroupOf } from './order-groups.ts'
import { type Planned, rejectionOf } from './plan.ts'
import { checkOrderLimits } from './player-limits.ts'
import { bandLimitOf, suspendAtBand } from './price-band.ts'
import { statusOf } from './status.ts'

export type Amendment = {
  readonly operator: Operator
  readonly orderSerial: Serial
  /** The new total, filled shares included; null leaves it as it is. */
  readonly shares: Shares | null
  readonly price: Price | null
}

/** An open order and what it becomes. */
type Change = {
  readonly old: OrderRow
  readonly shares: number
  readonly price: number
  readonly keepsPlace: boolean
  /** From the prices before the order leaves its place. */
  readonly bandLimit: number
}

/**
 * Amends an open order. The core does not know closed orders: the engine looks them up in the
 * store and answers ORDER_CANNOT_AMEND instead.
 */
export function amend(exchange: Exchange, amendment: Amendment): Reject | null {
  const { orders, rules } = exchange
  const { operator } = amendment
  const malformed =
    (amendment.shares === null ? null : checkShares(rules, amendment.shares)) ??
    (amendment.price === null ? null : checkPrice(rules, amendment.price))
  if (malformed !== null) return malformed
  const old = openOrderOf(exchange, operator, amendment.orderSerial)
  if (old === none) return { code: 'ORDER_NOT_FOUND' }
  const shares = amendment.shares ?? orders.shares(old)
  const price = amendment.price ?? orders.price(old)
  const keepsPlace = price === orders.price(old) && shares <= orders.shares(old)
  const bandLimit = bandLimitOf(exchange.bookOf(old), orders.isSell(old))
  const change = { old, shares, price, keepsPlace, bandLimit }
  const rejection = checkChange(exchange, operator, change)
  if (rejection !== null) return rejection

  exchange.begin()
  if (keepsPlace) shrink(exchange, change)
  else move(exchange, change)
  return null
}

function checkChange(exchange: Exchange, operator: Operator, change: Change): Reject | null {
  const { orders, positions, rules } = exchange
  const { old, shares, price, keepsPlace } = change
  const book = exchange.bookOf(old)
  const filled = orders.filled(old)
  if (shares <= filled) {
    const min = Math.max(filled + 1, rules.sharesMin)
    return { code: 'ORDER_INVALID_SHARES', shares, min, max: rules.sharesMax }
  }
  const isReducing =
    orders.isSell(old) || (shares <= orders.shares(old) && price <= orders.price(old))
  const owner = exchange.playerOf(old)
  const rejection =
    checkTrading(exchange, book.market, operator) ??
    checkMode(exchange, { operator, player: owner }, isReducing) ??
    checkDeadMan(operator, owner.id) ??
    checkGroupOf(exchange, old)
  if (rejection !== null) return rejection
  if (orders.isSell(old)) {
    // The shares that the order itself has reserved are available to it.
    const available = positions.available(orders.position(old)) + orders.remaining(old)
    const short = checkAvailable(shares - filled, available)
    if (short !== null) return short
  }
  const moved = movedBy(exchange, change)
  const exceeded = moved.isSell ? null : checkOrderLimits(exchange, operator, moved, old)
  if (exceeded !== null) return exceeded
  return keepsPlace ? null : checkMove(exchange, moved)
}

function movedBy(exchange: Exchange, { old, shares, price, bandLimit }: Change): Planned {
  const { book, isSell, options, player } = incomingOf(exchange, old)
  const left = shares - exchange.orders.filled(old)
  const group = exchange.groupOf(old)
  return { book, isSell, limit: price, bandLimit, shares: left, player, options, group }
}

// An order whose amendment is refused because of what it would match stays as it is. The refusal
// may still suspend the market.
function checkMove(exchange: Exchange, moved: Planned): Reject | null {
  const { book } = moved
  const rejection = rejectionOf(exchange, moved)
  if (rejection === null) return null
  if (rejection.meetsBand && book.market.priceBand?.suspendOnBand === true) {
    exchange.begin()
    suspendAtBand(exchange, book.market)
  }
  return { code: rejection.code, orderId: null }
}

// The order keeps its place; only its level has fewer shares.
function shrink(exchange: Exchange, change: Change): void {
  const { journal, orders, positions } = exchange
  const { old, shares } = change
  const fewer = orders.shares(old) - shares
  const order = addReplacement(exchange, change, orders.queueSerial(old))
  const filled = orders.filled(order)
  const status = statusOf({ shares, filled })
  journal.add({
    kind: 'ORDER_ACCEPTED',
    order,
    status,
    filled,
    cost: orders.cost(order),
    isOutsideBand: false,
  })
  if (orders.isSell(order)) positions.release(orders.position(order), fewer)
  replace(exchange, old, order)
  if (fewer > 0) writeBook(exchange, exchange.bookOf(order))
}

// The order leaves the book and enters it again as if it were new.
function move(exchange: Exchange, change: Change): void {
  const { orders, positions } = exchange
  const { old } = change
  if (orders.isSell(old)) positions.release(orders.position(old), orders.remaining(old))
  leave(exchange, old)
  const order = addReplacement(exchange, change, exchange.nextSerial())
  execute(exchange, { ...incomingOf(exchange, order), bandLimit: change.bandLimit }, true)
}

// The amended order gets a row of its own, so that earlier facts of the turn about the old row
// remain true. The old row is freed when the turn ends.
function addReplacement(exchange: Exchange, change: Change, queueSerial: Serial): OrderRow {
  const { journal, orders } = exchange
  const { old, shares, price } = change
  journal.add({ kind: 'ORDER_REPLACED', old })
  const serial = orders.serial(old)
  const expiresAt = orders.expiresAt(old)
  return orders.add({
    serial,
    createdAt: orders.createdAt(old),
    side: exchange.bookOf(old).sideOf(orders.isSell(old)).handle,
    player: orders.player(old),
    position: orders.position(old),
    price,
    shares,
    filled: orders.filled(old),
    cost: orders.cost(old),
    transactionId: orders.transactionId(old),
    expiresAt: expiresAt === never ? null : expiresAt,
    options: orders.options(old),
    queueSerial: queueSerial === serial ? null : queueSerial,
    groupSerial: orders.groupSerial(old),
  })
}
