// Prices as they are on the wire: JSON numbers, null where there is none.

import type { Prices } from '../book/prices.ts'
import { decimals, numberOf } from '../money.ts'

export type WirePrices = {
  readonly bestBid: number | null
  readonly bestAsk: number | null
  readonly lastPrice: number | null
  readonly midPrice: number | null
  readonly spread: number | null
}

export function wirePricesOf(prices: Prices): WirePrices {
  const { midPriceHalfTicks } = prices
  return {
    bestBid: wirePriceOf(prices.bestBid),
    bestAsk: wirePriceOf(prices.bestAsk),
    lastPrice: wirePriceOf(prices.lastPrice),
    // Five decimals show half a tick exactly.
    midPrice:
      midPriceHalfTicks === null ? null : numberOf(midPriceHalfTicks * 5, decimals.price + 1),
    spread: wirePriceOf(prices.spread),
  }
}

/** A number of ticks as a JSON number. */
export function wirePriceOf<Ticks extends number | null>(ticks: Ticks): Ticks | number {
  return ticks === null ? ticks : numberOf(ticks, decimals.price)
}
