// The fee of an operator's side of a trade: the value of the trade times the operator's rate. Each
// side pays its own fee. A change of the fee rule belongs here and nowhere else.

import type { FeeRate } from './money.ts'

/** Shares at one price: a trade, or what is left of an order at its limit. */
export type PricedShares = { readonly price: number; readonly shares: number }

/** The operator's own rate, or the default rate of the exchange where it has none. */
export function feeRateOf(ownRate: FeeRate | null, defaultRate: FeeRate): FeeRate {
  return ownRate ?? defaultRate
}

/** The fee of one side of a trade, exact, in units of 1e-10. */
export function feeOf({ price, shares }: PricedShares, rate: FeeRate): number {
  return price * shares * rate
}

/** The most that open orders pay in fees, from the sum of their values, which may pass 2^53. */
export function feeLimitOf(valueMicros: bigint, rate: FeeRate): bigint {
  return valueMicros * BigInt(rate)
}
