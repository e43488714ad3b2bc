// The contents of the order ticket, and the order made from it.

import { signal } from '@preact/signals'
import { grouped, isoOf, price as priceText } from '../figures.ts'
import { readNumber } from '../typed-number.ts'
import type { Market, OrderType, Outcome, Side } from '../wire.ts'

export type TimeInForce = 'GTC' | 'IOC' | 'FOK'
export type SelfTrade = 'NONE' | 'CANCEL_NEWEST' | 'CANCEL_OLDEST'

/** What a BUY order that does not rest says: how many shares, or how much it may spend. */
export type OrderBy = 'SHARES' | 'AMOUNT'

export type Ticket = {
  readonly side: Side
  readonly type: OrderType
  /** As typed. */
  readonly price: string
  readonly shares: string
  readonly by: OrderBy
  readonly amount: string
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
  by: 'SHARES',
  amount: '',
  timeInForce: 'GTC',
  isPostOnly: false,
  selfTrade: 'NONE',
  expires: '',
}

/** The step of a price, and of a number of shares. */
export const tick = 0.0001
const sharesStep = 0.01
const amountMin = 0.01
const amountDecimals = 6

/** The player of orders and complete sets; kept across markets. */
export const playerId = signal('')

/** Why the ticket is not a valid order yet; null if it is. The exchange may still reject it. */
export function ticketFault(ticket: Ticket): string | null {
  const { type, price } = ticket
  if (playerId.value.trim() === '') return 'Enter a player.'
  const fault = isByAmount(ticket) ? amountFault(ticket) : sharesFault(ticket)
  if (fault !== null) return fault
  if (type === 'MARKET') return null
  const typedPrice = readNumber(price, { max: 1 })
  if (typedPrice.fault !== null) return 'Correct the price.'
  if (typedPrice.value === null) return 'Enter a price.'
  if (!isInSteps(typedPrice.value, tick)) return 'A price has at most four decimals.'
  return typedPrice.value > 0 && typedPrice.value < 1 ? null : 'A price is between 0 and 1.'
}

function sharesFault({ shares }: Ticket): string | null {
  const { value, fault } = readNumber(shares)
  if (fault !== null) return 'Correct the number of shares.'
  if (value === null) return 'Enter a number of shares.'
  if (!isInSteps(value, sharesStep)) return 'Shares have at most two decimals.'
  return value === 0 ? 'Enter more than 0 shares.' : null
}

function amountFault({ amount }: Ticket): string | null {
  const { value, fault } = readNumber(amount)
  if (fault !== null) return 'Correct the amount.'
  if (value === null) return 'Enter an amount.'
  if (Number(value.toFixed(amountDecimals)) !== value) {
    return `An amount has at most ${amountDecimals} decimals.`
  }
  return value < amountMin ? `An amount is at least ${amountMin}.` : null
}

/** Orders that may rest, and SELL orders, are always by shares. */
export function canBeByAmount({ side, type, timeInForce }: Ticket): boolean {
  return side === 'BUY' && (type === 'MARKET' || timeInForce !== 'GTC')
}

export function isByAmount(ticket: Ticket): boolean {
  return ticket.by === 'AMOUNT' && canBeByAmount(ticket)
}

/** "Buy 1,000 at 0.50": the numbers as they were read; "Buy Yes" while they are missing. */
export function ticketVerb(ticket: Ticket, outcome: Outcome): string {
  const { side, type, price } = ticket
  const hasAmount = isByAmount(ticket)
  const verb = `${side === 'BUY' ? 'Buy' : 'Sell'}${hasAmount ? ' for' : ''}`
  const count = readNumber(hasAmount ? ticket.amount : ticket.shares).value
  const limit = readNumber(price, { max: 1 }).value
  if (count === null || (type === 'LIMIT' && limit === null)) {
    return `${side === 'BUY' ? 'Buy' : 'Sell'} ${outcome.name}`
  }
  const many = grouped(String(count))
  return type === 'MARKET' || limit === null
    ? `${verb} ${many} at the best price`
    : `${verb} ${many} at ${hasAmount ? 'up to ' : ''}${priceText(limit)}`
}

function isInSteps(value: number, step: number): boolean {
  const steps = value / step
  return Math.abs(steps - Math.round(steps)) < 1e-6
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
    ...(isByAmount(ticket)
      ? { amount: readNumber(ticket.amount).value ?? 0 }
      : { shares: readNumber(ticket.shares).value ?? 0 }),
    ...(isLimit ? { price: readNumber(ticket.price, { max: 1 }).value ?? 0 } : {}),
    ...(isLimit && timeInForce !== 'GTC' ? { timeInForce } : {}),
    ...(rests && isPostOnly ? { postOnly: true } : {}),
    ...(rests && expiresAt !== null ? { expiresAt } : {}),
    ...(selfTrade === 'NONE' ? {} : { selfTradePrevention: selfTrade }),
  }
}
