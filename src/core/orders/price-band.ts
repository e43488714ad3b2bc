// The price band of a market: how far from the reference price of an outcome one command may trade.
// The band is that of the prices before the command, so an order that sweeps levels does not move
// it.

import { noPrice } from '../money.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book, Market } from '../state/market.ts'
import { changeStatus } from '../state/market-status.ts'

/** The reason of the market's suspension, and of cancelling what is left of an order. */
const bandReason = 'PRICE_BAND'

/**
 * The last price at which an incoming order may match, directly or by complete sets; noPrice where
 * nothing limits it. To be asked before the command changes anything.
 */
export function bandLimitOf(book: Book, isSell: boolean): number {
  const { priceBand } = book.market
  if (priceBand === null) return noPrice
  const reference = referenceHalfTicks(book)
  if (reference === noPrice) return noPrice
  const { maxMove } = priceBand
  // The middle of two prices may be between two ticks: no price is there, so the whole ticks within
  // the band are the same as if it was compared unrounded.
  if (isSell) return Math.max(Math.ceil(reference / 2) - maxMove, noPrice)
  return Math.floor(reference / 2) + maxMove
}

/** Suspends the market if its band says so; its event is the last of the command. */
export function suspendAtBand(exchange: Exchange, market: Market): void {
  if (market.priceBand?.suspendOnBand !== true) return
  changeStatus(exchange, market, 'SUSPENDED', { reason: bandReason, isLast: true })
}

// The last price, or else the middle of the best bid and ask; noPrice where there is neither.
function referenceHalfTicks({ asks, bids, lastPrice }: Book): number {
  if (lastPrice !== noPrice) return lastPrice * 2
  if (bids.bestPrice === noPrice || asks.bestPrice === noPrice) return noPrice
  return bids.bestPrice + asks.bestPrice
}
