// Matching where more than price and time counts: an order that asks for something beside its
// terms, or a market whose orders also match by complete sets.

import { type Book, bestOrder } from './book.ts'
import { closeOrder } from './cancel.ts'
import type { Exchange } from './exchange.ts'
import { tradeOnce } from './match.ts'
import { type OrderOptions, unpackOptions } from './options.ts'
import { beats, planOf, suits } from './plan.ts'
import { matchSets, syntheticPrice } from './synthetic.ts'
import {
  BY_IMMEDIACY,
  BY_SELF_TRADE,
  CANCELLED,
  FILLED,
  NO_REASON,
  PARTIAL,
  PENDING,
  REJECTED,
} from './words.ts'

export type Outcome = {
  /** Of its player in that outcome; -1 where there is none yet. */
  readonly position: number
  readonly filled: number
  readonly cost: number
  readonly status: number
  /** Why its rest is cancelled, where it is. */
  readonly reason: number
  /** The books that have changed. */
  readonly touched: readonly Book[]
}

/** Matches an order; what is left of it is the caller's to rest or close, as the status says. */
export function matchWithOptions(exchange: Exchange, order: number, book: Book): Outcome {
  const { incoming, orders } = exchange
  const options = unpackOptions(orders.options(order))
  if (isRefused(exchange, order, book, options)) {
    const position = orders.position(order)
    return { position, filled: 0, cost: 0, status: REJECTED, reason: NO_REASON, touched: [] }
  }
  incoming.prepare(exchange, order)
  const limit = orders.price(order)
  const touched = new Set<Book>()
  const isStopped = matchAll(exchange, book, options, touched)
  const { position, remaining, cost } = incoming
  const filled = incoming.shares - remaining
  if (incoming.tradeCount > 0) incoming.finish(exchange, book)
  const status = statusOf({ options, limit, filled, remaining, isStopped })
  const reason = isStopped ? BY_SELF_TRADE : BY_IMMEDIACY
  return { position, filled, cost, status, reason, touched: [...touched] }
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

// Real orders go first at equal prices. Says whether it met an order of its own and stopped.
function matchAll(
  exchange: Exchange,
  book: Book,
  { selfTradePrevention }: OrderOptions,
  touched: Set<Book>,
): boolean {
  const { incoming, orders } = exchange
  const { isSell, order } = incoming
  const opposite = isSell ? book.bids : book.asks
  const taker = { isSell, limit: orders.price(order) }
  const player = orders.player(order)
  while (incoming.remaining > 0) {
    const real = opposite.bestPrice
    const synthetic = syntheticPrice(book, isSell)
    if (synthetic !== 0 && (real === 0 || beats(isSell, synthetic, real))) {
      if (!suits(taker, synthetic)) return false
      touched.add(book)
      for (const other of matchSets(exchange, book)) touched.add(other)
      continue
    }
    if (!suits(taker, real)) return false
    const resting = selfTradePrevention === 'NONE' ? -1 : bestOrder(exchange, opposite)
    if (resting >= 0 && orders.player(resting) === player) {
      if (selfTradePrevention === 'CANCEL_NEWEST') return true
      exchange.journal.makeRoom()
      closeOrder(exchange, resting, BY_SELF_TRADE)
    } else tradeOnce(exchange, book, opposite)
    touched.add(book)
  }
  return false
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
