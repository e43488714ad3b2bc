// Work on a market that is too large for one command: a cancelled or settling market removes its
// open orders in slices, between which other markets trade on. The run is stored with each slice,
// so that a restart goes on where it stopped.

import { bestOrder, writeBook } from '../book/book.ts'
import { Sum } from '../memory/sum.ts'
import { closeOrder } from '../orders/cancel.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Job, Market } from '../state/market.ts'
import { BY_MARKET_CANCEL, BY_SETTLEMENT } from '../words.ts'
import { writeMarket } from './status.ts'

/** To be called within a command. */
export function startJob(exchange: Exchange, market: Market, kind: Job['kind']): void {
  market.job = {
    kind,
    phase: 'CANCELLING',
    cancelledOrders: 0,
    lastPosition: 0,
    settled: 0,
    payout: new Sum(),
  }
  market.nextToSettle = market.firstPosition
  writeJob(exchange, market, market.job)
}

export function writeJob(exchange: Exchange, market: Market, job: Job): void {
  writeMarket(exchange, market, { change: 'JOB', job: { ...job, payout: job.payout.exact } })
}

/** Cancels at most that many orders: outcome by outcome, bids first, each as it would match. */
export function cancelOrders(exchange: Exchange, market: Market, atMost: number): number {
  const reason = market.status === 'CANCELLED' ? BY_MARKET_CANCEL : BY_SETTLEMENT
  let cancelled = 0
  for (const book of market.books) {
    const cancelledBefore = cancelled
    for (const side of [book.bids, book.asks]) {
      for (; cancelled < atMost && side.length > 0; cancelled += 1) {
        exchange.journal.reserve()
        closeOrder(exchange, bestOrder(exchange, side), reason)
      }
    }
    if (cancelled > cancelledBefore) writeBook(exchange, book)
  }
  return cancelled
}

export function hasOpenOrders(market: Market): boolean {
  return market.books.some((book) => book.bids.length + book.asks.length > 0)
}
