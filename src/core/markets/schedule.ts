// What happens when its time comes: a dead-man switch is triggered, a brake is released, an
// UPCOMING market opens, an open order expires. Each is a command of its own, before the first
// command of a client at or after that time.

import { writeBook } from '../book/changes.ts'
import { releaseDue } from '../controls/change-controls.ts'
import { closeOrder } from '../orders/cancel.ts'
import { triggerDue } from '../orders/dead-man.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Market } from '../state/market.ts'
import { changeStatus } from '../state/market-status.ts'

/**
 * Moves logical time forward and does what is due by then, at most that many things, and all
 * dead-man switches. Returns whether nothing due is left; otherwise no command about the late
 * markets may follow.
 */
export function advance(exchange: Exchange, now: number, atMost: number): boolean {
  exchange.now = Math.max(exchange.now, now)
  triggerDue(exchange)
  let left = atMost - releaseDue(exchange, atMost)
  for (; left > 0 && exchange.openings.isDue(exchange.now); left -= 1) {
    openDue(exchange, exchange.markets.at(exchange.openings.first()))
  }
  for (; left > 0 && exchange.expiries.isDue(exchange.now); left -= 1) {
    exchange.begin()
    writeBook(exchange, closeOrder(exchange, exchange.expiries.first(), 'EXPIRED'))
  }
  return !isAnythingDue(exchange, exchange.now)
}

/** Whether something is due by then. */
export function isAnythingDue(exchange: Exchange, now: number): boolean {
  const { deadlines, expiries, openings, releases } = exchange
  return [openings, expiries, deadlines, releases].some((times) => times.isDue(now))
}

/** Markets in which something is due that has not been done yet. */
export function lateMarkets(exchange: Exchange): ReadonlySet<Market> {
  const { expiries, markets, now, openings } = exchange
  const late = new Set<Market>()
  openings.eachDue(now, (market) => late.add(markets.at(market)))
  expiries.eachDue(now, (order) => late.add(exchange.bookOf(order).market))
  return late
}

/** Keeps the time at which an UPCOMING market opens, and only that, on the schedule. */
export function scheduleOpening(exchange: Exchange, market: Market): void {
  exchange.openings.remove(market.handle)
  if (market.status !== 'UPCOMING') return
  exchange.openings.add(market.handle, market.tradingStartsAt ?? 0, market.serial)
}

function openDue(exchange: Exchange, market: Market): void {
  exchange.begin()
  changeStatus(exchange, market, 'OPEN')
  scheduleOpening(exchange, market)
}
