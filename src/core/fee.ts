// The fee of an operator's side of a trade: the value of the trade times the operator's rate. Each
// side pays its own fee. A change of the fee rule belongs here and nowhere else.

import type { FeeRate } from './money.ts'

/** The operator's own rate, or the default rate of the exchange where it has none. */
export function feeRateOf(ownRate: FeeRate | null, defaultRate: FeeRate): FeeRate {
  return ownRate ?? defaultRate
}

/** The fee of one side of a trade, exact, in units of 1e-10. */
export function feeOf(valueMicros: number, rate: FeeRate): number {
  return valueMicros * rate
}

/** The same for a value that may pass 2^53, such as that of all open orders of a player. */
export function largeFeeOf(valueMicros: bigint, rate: FeeRate): bigint {
  return valueMicros * BigInt(rate)
}
