// Amending orders in the model: the checks, and the new time priority of the order.

import { referenceOf, suspendAtBand } from './model-band.ts'
import { publishBookChanges } from './model-book.ts'
import { orderAmended, publish } from './model-events.ts'
import { isFrozen } from './model-groups.ts'
import { rejectedFor } from './model-match.ts'
import { execute, isPriceAllowed, isStopped, snapshotAll } from './model-orders.ts'
import { exceededLimit } from './model-player-limits.ts'
import { freeShares } from './model-positions.ts'
import { isRestricted } from './model-restrictions.ts'
import {
  isOpen,
  isTrading,
  isVisible,
  type Order,
  type Rejection,
  type State,
  type StepOf,
} from './model-state.ts'

export function amend(state: State, step: StepOf<'amend'>): Rejection {
  const rejection = rejectionOf(state, step)
  if (rejection !== null) return rejection

  const order = state.orders[step.order]!
  const { book, market } = order
  const terms = { shares: order.shares, price: order.price }
  const before = snapshotAll(market, book)
  const keepsPlace = keepsItsPlace(order, step)
  Object.assign(order, { shares: step.shares ?? terms.shares, price: step.price ?? terms.price })
  if (keepsPlace) {
    publish(state, orderAmended(order))
    publishBookChanges(state, before)
    return null
  }
  const rejected = rejectedFor(state, order, referenceOf(before[0]!))
  if (rejected !== null) {
    Object.assign(order, terms)
    if (rejected.isAtBand) suspendAtBand(state, market)
    return rejected.code
  }
  book.orders = book.orders.filter((other) => other !== order)
  book.orders.push(order)
  order.place = state.queued
  state.queued += 1
  execute(state, order, { before, eventOf: orderAmended })
  return null
}

function keepsItsPlace(order: Order, { shares, price }: StepOf<'amend'>): boolean {
  const isSamePrice = price === null || price === order.price
  return isSamePrice && (shares === null || shares <= order.shares)
}

/** In the order in which the rejections take precedence. */
function rejectionOf(state: State, step: StepOf<'amend'>): Rejection {
  const { sharesMin, sharesMax } = state.rules
  const { operator, price, shares } = step
  if (shares !== null && (shares < sharesMin || shares > sharesMax)) return 'ORDER_INVALID_SHARES'
  if (price !== null && !isPriceAllowed(state, price)) return 'ORDER_INVALID_PRICE'

  const order = state.orders[step.order]
  if (order === undefined || order.operator !== operator) return 'ORDER_NOT_FOUND'
  if (!isOpen(order)) return 'ORDER_CANNOT_AMEND'
  const total = shares ?? order.shares
  if (total <= order.filled) return 'ORDER_INVALID_SHARES'
  if (!isVisible(state, order.market, operator)) return 'MARKET_NOT_FOUND'
  if (!isTrading(order.market, state.now)) return 'MARKET_NOT_OPEN'
  const isLess = total <= order.shares && (price ?? order.price!) <= order.price!
  if (isRestricted(state, order, order.side === 'SELL' || isLess)) return 'TRADING_RESTRICTED'
  if (isStopped(state, order)) return 'DEAD_MAN_TRIGGERED'
  if (isFrozen(order)) return 'ORDER_GROUP_TRIGGERED'
  if (order.side === 'SELL' && total > order.filled + offerable(order)) {
    return 'POSITION_INSUFFICIENT_SHARES'
  }
  if (order.side === 'SELL') return null
  const remaining = total - order.filled
  const cost = remaining * (price ?? order.price!)
  const { player, market, book } = order
  const purchase = { operator, player, market, books: [book], shares: remaining, cost }
  return exceededLimit(state, purchase, order)
}

/** The free shares, and those that the order itself reserves. */
function offerable(order: Order): number {
  return freeShares(order) + order.shares - order.filled
}
