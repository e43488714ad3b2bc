// Price-time priority: an incoming order matches the best price first and there the earliest order
// first. The best price is that of a resting order, or what complete sets offer; at equal prices
// resting orders go first. Both sides share this code.

import { writePosition } from '../book/holdings.ts'
import { finishLevel } from '../book/queue.ts'
import type { BookSide } from '../memory/ladders.ts'
import { none, type OrderRow } from '../memory/memory.ts'
import { noPrice } from '../money.ts'
import type { Exchange } from '../state/exchange.ts'
import { isUsedUp } from './budget.ts'
import { closeOrder } from './cancel.ts'
import { fitsFillLimit } from './fill-limit.ts'
import { cancelPending, hasExceeded, triggerExceeded } from './group-fills.ts'
import type { Incoming } from './incoming.ts'
import { isToBeCancelled } from './order-groups.ts'
import { beats, suits } from './price-rules.ts'
import { legsOf, matchSets, syntheticPrice } from './synthetic.ts'
import { trade } from './trade.ts'

/**
 * Why an order goes no further although it could match: it has met an order of its own player, has
 * made as many trades as one order may, meets only prices outside of the price band, or has
 * triggered its order group. What is left of it is cancelled.
 */
export type StopReason = 'SELF_TRADE' | 'FILL_LIMIT' | 'PRICE_BAND' | 'ORDER_GROUP'

export type Match = {
  readonly stoppedBy: StopReason | null
  /** Whether its own book has changed, and those of all other outcomes. */
  readonly isBookChanged: boolean
  readonly areOthersChanged: boolean
}

/** Matches the incoming order as far as prices allow; the caller rests or cancels what is left. */
export function match(exchange: Exchange, incoming: Incoming): Match {
  const { orders } = exchange
  const { bandLimit, book, budget, fillLimit, isSell, limit, order } = incoming
  const opposite = book.oppositeOf(isSell)
  const filledBefore = orders.filled(order)
  let stoppedBy: StopReason | null = null
  let isBookChanged = false
  let areOthersChanged = false
  while (orders.remaining(order) > 0 && !isUsedUp(budget)) {
    cancelPending(exchange, incoming)
    const direct = opposite.bestPrice
    const synthetic = syntheticPrice(book, isSell)
    const isBySets =
      synthetic !== noPrice && (direct === noPrice || beats(isSell, synthetic, direct))
    const price = isBySets ? synthetic : direct
    if (!suits(isSell, limit, price)) break
    if (budget !== null && !budget.pays(price)) break
    if (!suits(isSell, bandLimit, price)) {
      stoppedBy = 'PRICE_BAND'
      break
    }
    if (!fitsFillLimit(fillLimit, incoming.tradeCount, isBySets ? legsOf(book) : 1)) {
      stoppedBy = 'FILL_LIMIT'
      break
    }
    if (isBySets) {
      matchSets(exchange, incoming)
      areOthersChanged = true
    } else if (!matchLevel(exchange, incoming, opposite)) {
      stoppedBy = 'SELF_TRADE'
      break
    }
    isBookChanged = true
    if (!hasExceeded(incoming) || !triggerExceeded(exchange, incoming)) continue
    if (orders.remaining(order) > 0) stoppedBy = 'ORDER_GROUP'
    break
  }
  if (orders.filled(order) > filledBefore) writePosition(exchange, orders.position(order))
  return { stoppedBy, isBookChanged, areOthersChanged }
}

// Trades with the orders at the best price, first come first, as far as the incoming order goes. An
// order of the same player is handled as the incoming order wants; returns false where that means
// to stop.
function matchLevel(exchange: Exchange, incoming: Incoming, opposite: BookSide): boolean {
  const { ladders, levels, orders } = exchange
  const { budget, fillLimit, options, order } = incoming
  const level = ladders.best(opposite)
  let resting = levels.first(level)
  if (isSelfTrade(exchange, incoming, resting)) {
    if (options.selfTradePrevention === 'CANCEL_NEWEST') return false
    closeOrder(exchange, resting, 'SELF_TRADE')
    return true
  }
  do {
    trade(exchange, incoming, resting)
    resting = levels.first(level)
  } while (
    resting !== none &&
    orders.remaining(order) > 0 &&
    !isUsedUp(budget) &&
    fitsFillLimit(fillLimit, incoming.tradeCount, 1) &&
    !hasExceeded(incoming) &&
    !isToBeCancelled(exchange, resting) &&
    !isSelfTrade(exchange, incoming, resting)
  )
  finishLevel(exchange, opposite, level)
  return true
}

function isSelfTrade({ orders }: Exchange, incoming: Incoming, resting: OrderRow): boolean {
  const { options, player } = incoming
  return options.selfTradePrevention !== 'NONE' && orders.player(resting) === player.handle
}
