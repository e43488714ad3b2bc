// Matching where more than price and time counts: an order that asks for something beside its
// terms, or a market whose orders also match by complete sets.

import { type Book, bestOrder } from '../book/book.ts'
import type { Exchange } from '../state/exchange.ts'
import {
  BY_IMMEDIACY,
  BY_SELF_TRADE,
  CANCELLED,
  FILLED,
  NO_REASON,
  PARTIAL,
  PENDING,
  REJECTED,
} from '../words.ts'
import { closeOrder } from './cancel.ts'
import { tradeOnce } from './match.ts'
import { type OrderOptions, unpackOptions, usualOptions } from './options.ts'
import { beats, planOf, suits } from './plan.ts'
import { matchSets, syntheticPrice } from './synthetic.ts'

export type Outcome = {
  readonly status: number
  /** Why its rest is cancelled, where it is. */
  readonly reason: number
  /** Whether its own book has changed, and those of all other outcomes. */
  readonly isBookTouched: boolean
  readonly areOthersTouched: boolean
}

/** Whether complete sets serve an order at its limit; then not only its own book counts. */
export function isMetBySets(book: Book, isSell: boolean, limit: number): boolean {
  return suits(isSell, limit, syntheticPrice(book, isSell))
}

/**
 * Matches the incoming order; what is left of it is the caller's to rest or close, as the status
 * says.
 */
export function matchWithOptions(exchange: Exchange, book: Book): Outcome {
  const { incoming } = exchange
  const { limit, options: packed } = incoming
  const options = packed === 0 ? usualOptions : unpackOptions(packed)
  if (isRefused(exchange, incoming.order, book, options)) {
    return {
      status: REJECTED,
      reason: NO_REASON,
      isBookTouched: false,
      areOthersTouched: false,
    }
  }
  incoming.begin(exchange)
  const { isStopped, isBookTouched, areOthersTouched } = matchAll(exchange, book, options)
  const { remaining } = incoming
  const filled = incoming.shares - remaining
  if (incoming.tradeCount > 0) incoming.finish(exchange, book)
  const status = statusOf({ options, limit, filled, remaining, isStopped })
  const reason = isStopped ? BY_SELF_TRADE : BY_IMMEDIACY
  return { status, reason, isBookTouched, areOthersTouched }
}

// Decided before anything moves: whoever is refused changes nothing. That goes for a MARKET order
// too that would only cancel orders of its own player.
function isRefused(
  exchange: Exchange,
  order: number,
  book: Book,
  { timeInForce, isPostOnly, selfTradePrevention }: OrderOptions,
): boolean {
  const { orders } = exchange
  const limit = orders.price(order)
  const isMarket = limit === 0
  const mayOnlyCancel = isMarket && selfTradePrevention === 'CANCEL_OLDEST'
  if (timeInForce !== 'FOK' && !isPostOnly && !mayOnlyCancel) return false
  const shares = orders.shares(order)
  const { filled } = planOf(exchange, {
    book,
    isSell: orders.isSell(order),
    limit,
    shares,
    player: orders.player(order),
    prevention: selfTradePrevention,
  })
  if (isPostOnly) return filled > 0
  return timeInForce === 'FOK' ? filled < shares : filled === 0
}

type Walked = Pick<Outcome, 'isBookTouched' | 'areOthersTouched'> & {
  /** It met an order of its own player and went no further. */
  readonly isStopped: boolean
}

// Real orders go first at equal prices.
function matchAll(exchange: Exchange, book: Book, { selfTradePrevention }: OrderOptions): Walked {
  const { incoming, orders } = exchange
  const { isSell, order } = incoming
  const opposite = isSell ? book.bids : book.asks
  const limit = orders.price(order)
  const player = orders.player(order)
  let isBookTouched = false
  let areOthersTouched = false
  let isStopped = false
  while (incoming.remaining > 0) {
    const real = opposite.bestPrice
    const synthetic = syntheticPrice(book, isSell)
    const isBySets = synthetic !== 0 && (real === 0 || beats(isSell, synthetic, real))
    if (!suits(isSell, limit, isBySets ? synthetic : real)) break
    if (isBySets) {
      matchSets(exchange, book)
      areOthersTouched = true
    } else {
      const resting = selfTradePrevention === 'NONE' ? -1 : bestOrder(exchange, opposite)
      const isOwn = resting >= 0 && orders.player(resting) === player
      isStopped = isOwn && selfTradePrevention === 'CANCEL_NEWEST'
      if (isStopped) break
      exchange.journal.reserve()
      if (isOwn) closeOrder(exchange, resting, BY_SELF_TRADE)
      else tradeOnce(exchange, book, opposite)
    }
    isBookTouched = true
  }
  return { isStopped, isBookTouched, areOthersTouched }
}

type Fate = {
  readonly options: OrderOptions
  readonly limit: number
  readonly filled: number
  readonly remaining: number
  readonly isStopped: boolean
}

function statusOf({ options, limit, filled, remaining, isStopped }: Fate): number {
  if (remaining === 0) return FILLED
  if (isStopped || options.timeInForce === 'IOC') return CANCELLED
  if (limit === 0) return filled > 0 ? CANCELLED : REJECTED
  return filled > 0 ? PARTIAL : PENDING
}
