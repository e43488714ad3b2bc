// Price-time priority: an incoming order matches the best price first and there the earliest order
// first. The best price is that of a resting order, or what complete sets offer; at equal prices
// resting orders go first. Both sides share this code.

import { writePosition } from '../book/holdings.ts'
import { bestOrder } from '../book/queue.ts'
import { noPrice } from '../money.ts'
import type { Exchange } from '../state/exchange.ts'
import { closeOrder } from './cancel.ts'
import type { Incoming } from './incoming.ts'
import { beats, suits } from './price-rules.ts'
import { matchSets, syntheticPrice } from './synthetic.ts'
import { trade } from './trade.ts'

export type Match = {
  /** It met an order of its own player and must go no further. */
  readonly isStopped: boolean
  /** Whether its own book has changed, and those of all other outcomes. */
  readonly isBookChanged: boolean
  readonly areOthersChanged: boolean
}

/** Matches the incoming order as far as prices allow; the caller rests or cancels what is left. */
export function match(exchange: Exchange, incoming: Incoming): Match {
  const { orders } = exchange
  const { book, isSell, limit, order } = incoming
  const opposite = book.oppositeOf(isSell)
  const filledBefore = orders.filled(order)
  let isStopped = false
  let isBookChanged = false
  let areOthersChanged = false
  while (orders.remaining(order) > 0) {
    const direct = opposite.bestPrice
    const synthetic = syntheticPrice(book, isSell)
    const isBySets =
      synthetic !== noPrice && (direct === noPrice || beats(isSell, synthetic, direct))
    if (!suits(isSell, limit, isBySets ? synthetic : direct)) break
    if (isBySets) {
      matchSets(exchange, incoming)
      areOthersChanged = true
    } else if (!matchFirst(exchange, incoming)) {
      isStopped = true
      break
    }
    isBookChanged = true
  }
  if (orders.filled(order) > filledBefore) writePosition(exchange, orders.position(order))
  return { isStopped, isBookChanged, areOthersChanged }
}

// The first resting order trades or, if it is of the same player, is handled as the incoming order
// wants; returns false where that means to stop.
function matchFirst(exchange: Exchange, incoming: Incoming): boolean {
  const { book, isSell, options, player } = incoming
  const resting = bestOrder(exchange, book.oppositeOf(isSell))
  const isOwn = exchange.orders.player(resting) === player.handle
  if (!isOwn || options.selfTradePrevention === 'NONE') trade(exchange, incoming, resting)
  else if (options.selfTradePrevention === 'CANCEL_NEWEST') return false
  else closeOrder(exchange, resting, 'SELF_TRADE')
  return true
}
