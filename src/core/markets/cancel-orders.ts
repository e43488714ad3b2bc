// Work on a market that is too large for one command: a cancelled or settling market removes its
// open orders in slices, between which other markets trade. The job is stored with each slice, so
// that a restart continues where it stopped.

import { writeBook } from '../book/changes.ts'
import { bestOrder } from '../book/queue.ts'
import { Sum } from '../memory/sum.ts'
import { closeOrder } from '../orders/cancel.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Job, Market } from '../state/market.ts'

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

export function writeJob({ journal }: Exchange, market: Market, job: Job): void {
  const progress = { ...job, payout: job.payout.exact }
  journal.add({ kind: 'MARKET', market, change: 'JOB', job: progress })
}

/** Cancels at most that many orders: outcome by outcome, bids first, each as it would match. */
export function cancelOrders(exchange: Exchange, market: Market, atMost: number): number {
  const reason = market.status === 'CANCELLED' ? 'MARKET_CANCELLED' : 'SETTLEMENT'
  let cancelled = 0
  for (const book of market.books) {
    const cancelledBefore = cancelled
    for (const side of [book.bids, book.asks]) {
      for (; cancelled < atMost && !side.isEmpty; cancelled += 1) {
        closeOrder(exchange, bestOrder(exchange, side), reason)
      }
    }
    if (cancelled > cancelledBefore) writeBook(exchange, book)
  }
  return cancelled
}
