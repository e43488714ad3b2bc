// Prices, shares and money: whole numbers of fixed steps, from the API to the store. Fractions
// appear only where a JSON number is read or written.

import { assert } from './assert.ts'
import type { Brand } from './brand.ts'

/** Price of one share in ticks; 10,000 ticks make 1. */
export type Price = Brand<'price'>
/** A number of shares, in hundredths of a share. */
export type Shares = Brand<'shares'>
/** A fee in hundredths of a percent: 200 is 2 %. */
export type FeeRate = Brand<'fee rate'>

/** How many decimals each quantity has: its step is 10 to the minus that. */
export const decimals = { price: 4, shares: 2, feeRate: 2, money: 6, fee: 10, average: 8 } as const

/** "No price": of an empty side of a book, and of a MARKET order. */
export const noPrice = 0 as Price
/** What one share is worth if its outcome wins, in ticks. */
export const ticksPerUnit = 10_000
/** What a complete set of one hundredth of a share of each outcome is worth, in micro-units. */
export const microsPerSet = ticksPerUnit
/** The largest order the arithmetic is exact for: its fee at 100 % still fits a safe integer. */
export const sharesCeiling = 90_000_000 as Shares
/** A fee is counted in ten thousandths of a micro-unit. */
export const feeUnitsPerMicro = 10_000
/** 100 %, as a FeeRate. */
export const feeRateMax = 10_000 as FeeRate

/** How far a JSON number may be from a step, as it was a float: 0.1 + 0.2 is meant to be 0.3. */
export const tolerance = 1e-9

/** The number of steps that a JSON number stands for, or null if it is off the step. */
export function stepsOf(value: number, places: number): number | null {
  const perUnit = 10 ** places
  const steps = Math.round(value * perUnit)
  if (!Number.isSafeInteger(steps)) return null
  return Math.abs(value - steps / perUnit) <= tolerance ? steps + 0 : null
}

const decimalForm = /^(-?)(\d+)(?:\.(\d+))?$/

/** The number of steps that a decimal string stands for, exactly, or null if it is not one. */
export function stepsOfText(text: string, places: number): number | null {
  const parts = decimalForm.exec(text)
  if (parts === null) return null
  const [, sign = '', whole = '', fraction = ''] = parts
  if (/[1-9]/.test(fraction.slice(places))) return null
  const steps = Number(whole + fraction.slice(0, places).padEnd(places, '0'))
  if (!Number.isSafeInteger(steps)) return null
  return sign === '' || steps === 0 ? steps : -steps
}

const powersOfTen = Array.from({ length: 11 }, (_, places) => 10 ** places)

/** The JSON number nearest to that many steps: exact decimals print as they were meant. */
export function numberOf(steps: number | bigint, places: number): number {
  return Number(steps) / powersOfTen[places]!
}

/** Canonical decimal text: no exponent, no trailing zeros, "0" for zero. */
export function textOf(steps: number | bigint, places: number): string {
  const isNegative = steps < 0
  const digits = String(isNegative ? -steps : steps).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  let end = digits.length
  while (end > whole.length && digits[end - 1] === '0') end -= 1
  const fraction = digits.slice(whole.length, end)
  return `${isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** Average price with eight decimals, rounded half up; 0 where there are no shares. */
export function averageOf(costMicros: number | bigint, shares: number): number {
  if (shares === 0) return 0
  if (typeof costMicros === 'number') return timesOverHalfUp(costMicros, ticksPerUnit, shares)
  return Number(overHalfUp(costMicros * BigInt(ticksPerUnit), BigInt(shares)))
}

/** value * part / whole, rounded half up, exact for all safe integers that are not negative. */
export function timesOverHalfUp(value: number, part: number, whole: number): number {
  const quotient = Math.floor(value / whole)
  const rest = value - quotient * whole
  // Both products stay exact in nearly every case; the rare others go through BigInt.
  if (quotient * part < 2 ** 51 && rest * part < 2 ** 51 && whole < 2 ** 51) {
    return quotient * part + Math.floor((2 * rest * part + whole) / (2 * whole))
  }
  const exact = Number(overHalfUp(BigInt(value) * BigInt(part), BigInt(whole)))
  assert(Number.isSafeInteger(exact), 'a share of a sum fits the sum')
  return exact
}

/** numerator / denominator, rounded half up; neither may be negative. */
export function overHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}
