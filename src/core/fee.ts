// The fee of an operator's side of a trade, by its role there. Each side pays its own fee. A change
// of the fee rule belongs here and nowhere else.

import { type FeeRate, feeRateMax, feeUnitsPerMicro, ticksPerUnit } from './money.ts'
import type { TradeRole } from './words.ts'

/** LINEAR: a part of the value of a trade. QUADRATIC: a part of shares x price x (1 - price). */
export const feeModels = ['LINEAR', 'QUADRATIC'] as const
export type FeeModel = (typeof feeModels)[number]

export type FeeSchedule = {
  readonly model: FeeModel
  readonly takerRate: FeeRate
  readonly makerRate: FeeRate
}

/** What an operator has of its own; null where it has not. */
export type OwnFees = {
  readonly feeRate: FeeRate | null
  readonly feeSchedule?: FeeSchedule | null | undefined
}

/** Shares at one price: a trade, or what is left of an order at its limit. */
export type PricedShares = { readonly price: number; readonly shares: number }

/** What an operator pays where a market does not say otherwise. */
export function feesOf({ feeRate, feeSchedule = null }: OwnFees, defaultRate: FeeRate) {
  return feeSchedule ?? linearFees(feeRate ?? defaultRate)
}

/** One part of the value for both roles. */
export function linearFees(rate: FeeRate): FeeSchedule {
  return { model: 'LINEAR', takerRate: rate, makerRate: rate }
}

/** The fee of one side of a trade, in units of 1e-10: exact, or floored to one if QUADRATIC. */
export function feeOf({ price, shares }: PricedShares, fees: FeeSchedule, role: TradeRole): number {
  const rate = role === 'TAKER' ? fees.takerRate : fees.makerRate
  if (fees.model === 'LINEAR') return price * shares * rate
  // The product of all four may pass 2^53, but neither part of it does.
  const perShare = price * (ticksPerUnit - price) * rate
  const rest = perShare % feeRateMax
  const whole = (perShare - rest) / feeRateMax
  return shares * whole + Math.floor((shares * rest) / feeRateMax)
}

/** What a buyer who is the taker pays in one trade, its fee included, in units of 1e-10. */
export function costWithFee(fill: PricedShares, fees: FeeSchedule): number {
  // Past 2^53 it is rounded, to a number that is larger than any sum that an order may spend.
  return fill.price * fill.shares * feeUnitsPerMicro + feeOf(fill, fees, 'TAKER')
}

/** How many of those shares a buyer gets for such a sum in one trade, in units of 1e-10. */
export function payableShares(
  sum: number,
  { price, shares }: PricedShares,
  fees: FeeSchedule,
): number {
  const costOf = (some: number) => costWithFee({ price, shares: some }, fees)
  if (costOf(shares) <= sum) return shares
  // The cost of so many shares is exact, so the quotient is wrong by one at most.
  let payable = Math.min(shares, Math.floor((sum / costOf(feeRateMax)) * feeRateMax))
  while (costOf(payable) > sum) payable -= 1
  while (costOf(payable + 1) <= sum) payable += 1
  return payable
}

/** Whether a side may have paid that fee at some rate: 0 to 100 %, LINEAR or QUADRATIC. */
export function mayBeFee(fee: number, fill: PricedShares): boolean {
  if (fee === 0) return true
  return feeModels.some((model) => {
    const feeAt = (rate: number) => {
      const takerRate = rate as FeeRate
      return feeOf(fill, { model, takerRate, makerRate: takerRate }, 'TAKER')
    }
    const about = Math.round((fee / feeAt(feeRateMax)) * feeRateMax)
    return [about - 1, about, about + 1].some((rate) => isFeeRate(rate) && feeAt(rate) === fee)
  })
}

/** Sums over open orders, which may pass 2^53. */
export type OpenValue = {
  /** Of shares x limit, in micro-units. */
  readonly value: bigint
  /** Of shares x limit x (1 - limit), in units of 1e-10. */
  readonly spread: bigint
  /** What the spread of each of them leaves, divided by `spreadDivisor`: of all the same. */
  readonly spreadRest: number
  readonly orders: number
}

/** By what the spread of an order is divided for its fee. */
export const spreadDivisor = feeRateMax

/** The most that orders which rest pay in fees: each of them is filled by one trade. */
export function feeLimitOf(
  { value, spread, spreadRest, orders }: OpenValue,
  fees: FeeSchedule,
): bigint {
  const rate = BigInt(fees.makerRate)
  if (fees.model === 'LINEAR') return value * rate
  const divisor = BigInt(spreadDivisor)
  const roundedOff = (BigInt(spreadRest) * rate) % divisor
  return (spread * rate - BigInt(orders) * roundedOff) / divisor
}

/** Whether the rates are from 0 to 100 %. */
export function isFeeSchedule({ makerRate, takerRate }: FeeSchedule): boolean {
  return [makerRate, takerRate].every(isFeeRate)
}

export function isFeeRate(rate: number): boolean {
  return Number.isInteger(rate) && rate >= 0 && rate <= feeRateMax
}
