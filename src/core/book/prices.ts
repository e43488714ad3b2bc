// The prices of an outcome, in ticks.

import { noPrice } from '../money.ts'

/** null where there is none. */
export type Prices = {
  readonly bestBid: number | null
  readonly bestAsk: number | null
  readonly lastPrice: number | null
  /** In half ticks, since the middle of two prices may be between two ticks. */
  readonly midPriceHalfTicks: number | null
  readonly spread: number | null
}

/** From ticks, with noPrice where there is none. */
export function pricesOf(bestBid: number, bestAsk: number, lastPrice: number): Prices {
  const hasBoth = bestBid !== noPrice && bestAsk !== noPrice
  return {
    bestBid: priceOrNull(bestBid),
    bestAsk: priceOrNull(bestAsk),
    lastPrice: priceOrNull(lastPrice),
    midPriceHalfTicks: hasBoth ? bestBid + bestAsk : null,
    spread: hasBoth ? bestAsk - bestBid : null,
  }
}

/** A price, or null where it is noPrice. */
export function priceOrNull(price: number): number | null {
  return price === noPrice ? null : price
}
