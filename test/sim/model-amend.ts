// Amending orders in the model: what can be refused, and where the order then stands.

import { photograph, tellBooks } from './model-book.ts'
import { orderAmended, positionUpdated, tell } from './model-events.ts'
import { isPriceAllowed, match } from './model-orders.ts'
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
  const shares = step.shares ?? order.shares
  const price = step.price ?? order.price
  const keepsPlace = price === order.price && shares <= order.shares
  const before = photograph(market, book)
  order.shares = shares
  order.price = price
  if (keepsPlace) {
    tell(state, orderAmended(order))
    tellBooks(state, [before])
    return null
  }
  book.orders = book.orders.filter((other) => other !== order)
  const { matched, touched } = match(state, order)
  book.orders.push(order)
  tell(state, orderAmended(order))
  for (const news of matched) tell(state, news)
  for (const position of touched) tell(state, positionUpdated(position))
  tellBooks(state, [before])
  return null
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
