// The contents of the order ticket, and the order made from it.

import { signal } from '@preact/signals'
import { isoOf } from '../figures.ts'
import type { Market, OrderType, Outcome, Side } from '../wire.ts'

export type TimeInForce = 'GTC' | 'IOC' | 'FOK'
export type SelfTrade = 'NONE' | 'CANCEL_NEWEST' | 'CANCEL_OLDEST'

export type Ticket = {
  readonly side: Side
  readonly type: OrderType
  /** As typed. */
  readonly price: string
  readonly shares: string
  readonly timeInForce: TimeInForce
  readonly isPostOnly: boolean
  /** What happens when the order matches another order of the player. */
  readonly selfTrade: SelfTrade
  /** As typed; empty if the order does not expire. */
  readonly expires: string
}

/** A price the trader clicked. The count tells two clicks on the same price apart. */
export type PickedPrice = { readonly price: number; readonly count: number }

export const blankTicket: Ticket = {
  side: 'BUY',
  type: 'LIMIT',
  price: '',
  shares: '',
  timeInForce: 'GTC',
  isPostOnly: false,
  selfTrade: 'NONE',
  expires: '',
}

/** The player of orders and complete sets; kept across markets. */
export const playerId = signal('')

/** Why the ticket is not a valid order yet; null if it is. */
export function ticketFault(ticket: Ticket): string | null {
  if (playerId.value.trim() === '') return 'Enter a player.'
  if (numberOf(ticket.shares) === null) return 'Enter a number of shares.'
  if (ticket.type === 'LIMIT' && numberOf(ticket.price) === null) return 'Enter a price.'
  return null
}

/** Contains only options that differ from the defaults. */
export function ticketBody(ticket: Ticket, market: Market, outcome: Outcome) {
  const { side, type, timeInForce, isPostOnly, selfTrade } = ticket
  const isLimit = type === 'LIMIT'
  const rests = isLimit && timeInForce === 'GTC'
  const expiresAt = isoOf(ticket.expires)
  return {
    marketId: market.id,
    outcomeId: outcome.id,
    playerId: playerId.value.trim(),
    side,
    type,
    shares: numberOf(ticket.shares) ?? 0,
    ...(isLimit ? { price: numberOf(ticket.price) ?? 0 } : {}),
    ...(isLimit && timeInForce !== 'GTC' ? { timeInForce } : {}),
    ...(rests && isPostOnly ? { postOnly: true } : {}),
    ...(rests && expiresAt !== null ? { expiresAt } : {}),
    ...(selfTrade === 'NONE' ? {} : { selfTradePrevention: selfTrade }),
  }
}

/** Accepts a decimal comma as well as a point. */
export function numberOf(typed: string): number | null {
  const text = typed.trim().replace(',', '.')
  return /^\d*\.?\d+$|^\d+\.$/.test(text) ? Number(text) : null
}
