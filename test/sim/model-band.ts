// Price bands in the model: how far from the prices before the command an order may match.

import type { BookSnapshot } from './model-book.ts'
import { changeStatus } from './model-markets.ts'
import type { Market, Order, State } from './model-state.ts'

/** In ticks, also between two of them; null where there is none. */
export type Reference = number | null

/** Of the book as it was before the command. */
export function referenceOf({ asks, bids, lastPrice }: BookSnapshot): Reference {
  if (lastPrice !== null) return lastPrice
  const [bid, ask] = [bids[0], asks[0]]
  return bid === undefined || ask === undefined ? null : (bid.price + ask.price) / 2
}

/** Whether the incoming order may not match at that price. */
export function isOutside({ market, side }: Order, price: number, reference: Reference): boolean {
  if (market.priceBand === null || reference === null) return false
  const { maxMove } = market.priceBand
  return side === 'BUY' ? price > reference + maxMove : price < reference - maxMove
}

export function suspendAtBand(state: State, market: Market): void {
  if (market.priceBand === null || !market.priceBand.suspendOnBand) return
  changeStatus(state, market, { status: 'SUSPENDED', reason: 'PRICE_BAND' })
}
