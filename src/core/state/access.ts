// Which operator may do what with a market.

import { marketNotFound, type Reject } from '../reject.ts'
import type { Market } from './market.ts'
import type { Operator } from './operator.ts'

/** Whether an operator sees the market, and so may trade in it. */
export function isVisibleTo(market: Market, operator: Operator): boolean {
  if (operator === market.owner) return true
  if (!market.isShared || market.status === 'DRAFT') return false
  // A plain loop: this runs with every order of a participant, over a list of a few.
  const { supportedCurrencies } = operator
  for (let at = 0; at < supportedCurrencies.length; at += 1) {
    if (supportedCurrencies[at] === market.currency) return true
  }
  return false
}

/** Managing is the owner's: a stranger does not know of the market, a participant is forbidden. */
export function checkManages(market: Market, operator: Operator): Reject | null {
  if (market.owner === operator) return null
  if (!isVisibleTo(market, operator)) return marketNotFound
  return { code: 'FORBIDDEN', message: 'Only the operator that owns the market may manage it.' }
}
