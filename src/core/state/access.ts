// Which operator may see and manage a market. The same rule holds for trading in memory and for
// reading stored markets, so it takes plain data.

import { marketNotFound, type Reject } from '../reject.ts'
import type { MarketStatus } from '../words.ts'
import type { Market } from './market.ts'
import type { Operator } from './operator.ts'

/** What decides who sees a market. */
export type Visibility = {
  /** Whether the operator that wants to see it owns it. */
  readonly isOwner: boolean
  readonly isShared: boolean
  readonly status: MarketStatus
  readonly currency: string
}

/** Whether an operator with those currencies sees the market, and so may trade in it. */
export function isVisibleTo(market: Visibility, supportedCurrencies: readonly string[]): boolean {
  if (market.isOwner) return true
  return market.isShared && isPublic(market) && supportedCurrencies.includes(market.currency)
}

/** Whether its book and prices may be read without a key. */
export function isPublic({ status }: { readonly status: MarketStatus }): boolean {
  return status !== 'DRAFT'
}

/** Whether an operator sees a market in memory. */
export function canSee(operator: Operator, market: Market): boolean {
  const { owner, isShared, status, currency } = market
  const isOwner = owner === operator
  return isVisibleTo({ isOwner, isShared, status, currency }, operator.supportedCurrencies)
}

/** Only the owner manages a market. Others are forbidden to, or do not even see it. */
export function checkManages(market: Market, operator: Operator): Reject | null {
  if (market.owner === operator) return null
  if (!canSee(operator, market)) return marketNotFound
  return { code: 'FORBIDDEN', message: 'Only the operator that owns the market may manage it.' }
}
