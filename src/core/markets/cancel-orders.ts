// Work on a market that is too large for one command: a cancelled or settling market removes its
// open orders in slices, between which other markets trade on. The run is stored with each slice,
// so that a restart goes on where it stopped.

import { bestOrder, writeBook } from '../book/book.ts'
import { Sum } from '../memory/sum.ts'
import { closeOrder } from '../orders/cancel.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Market, Run } from '../state/market.ts'
import { BY_MARKET_CANCEL, BY_SETTLEMENT } from '../words.ts'
import { writeMarket } from './status.ts'

/** To be called within a command. */
export function startRun(exchange: Exchange, market: Market, kind: Run['kind']): void {
  market.run = {
    kind,
    phase: 'CANCELLING',
    cancelledOrders: 0,
    lastPosition: 0,
    settled: 0,
    payout: new Sum(),
  }
  market.nextToSettle = market.firstPosition
  writeRun(exchange, market, market.run)
}

export function writeRun(exchange: Exchange, market: Market, run: Run): void {
  writeMarket(exchange, market, { change: 'RUN', run: { ...run, payout: run.payout.exact } })
}

/** Cancels at most that many orders: outcome by outcome, bids first, each as it would match. */
export function sweepOrders(exchange: Exchange, market: Market, atMost: number): number {
  const reason = market.status === 'CANCELLED' ? BY_MARKET_CANCEL : BY_SETTLEMENT
  let swept = 0
  for (const book of market.books) {
    const sweptBefore = swept
    for (const side of [book.bids, book.asks]) {
      for (; swept < atMost && side.length > 0; swept += 1) {
        exchange.journal.makeRoom()
        closeOrder(exchange, bestOrder(exchange, side), reason)
      }
    }
    if (swept > sweptBefore) writeBook(exchange, book)
  }
  return swept
}

export function hasOpenOrders(market: Market): boolean {
  return market.books.some((book) => book.bids.length + book.asks.length > 0)
}
