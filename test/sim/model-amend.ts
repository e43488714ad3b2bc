// Amending orders in the model: what can be refused, and where the order then stands.

import { recordBooks } from './model-book.ts'
import { orderAmended, publish } from './model-events.ts'
import { isRejected } from './model-match.ts'
import { execute, isPriceAllowed, photographAll } from './model-orders.ts'
import { freeShares } from './model-positions.ts'
import {
  isOpen,
  isTrading,
  isVisible,
  type Order,
  type Refusal,
  type State,
  type StepOf,
} from './model-state.ts'

export function amend(state: State, step: StepOf<'amend'>): Refusal {
  const refusal = refusalOf(state, step)
  if (refusal !== null) return refusal

  const order = state.orders[step.order]!
  const { book, market } = order
  const terms = { shares: order.shares, price: order.price }
  const before = photographAll(market, book)
  const keepsPlace = keepsItsPlace(order, step)
  Object.assign(order, { shares: step.shares ?? terms.shares, price: step.price ?? terms.price })
  if (keepsPlace) {
    publish(state, orderAmended(order))
    recordBooks(state, before)
    return null
  }
  if (order.isPostOnly && isRejected(order)) {
    Object.assign(order, terms)
    return 'ORDER_WOULD_MATCH'
  }
  book.orders = book.orders.filter((other) => other !== order)
  book.orders.push(order)
  order.place = state.queued
  state.queued += 1
  execute(state, order, { before, tellOf: orderAmended })
  return null
}

function keepsItsPlace(order: Order, { shares, price }: StepOf<'amend'>): boolean {
  const isSamePrice = price === null || price === order.price
  return isSamePrice && (shares === null || shares <= order.shares)
}

/** The checks stand in the order in which their refusals win. */
function refusalOf(state: State, step: StepOf<'amend'>): Refusal {
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
  if (order.side === 'SELL' && total > order.filled + offerable(order)) {
    return 'POSITION_INSUFFICIENT_SHARES'
  }
  return null
}

/** What is free, and what the order itself offers. */
function offerable(order: Order): number {
  return freeShares(order) + order.shares - order.filled
}
