// Quantities as people write them, in the steps that the core counts in.

import assert from 'node:assert/strict'
import type { Serial } from '../../../src/core/ids.ts'
import {
  decimals,
  type FeeRate,
  type Price,
  type Shares,
  stepsOf,
} from '../../../src/core/money.ts'
import type { Rules } from '../../../src/core/state/exchange.ts'

export function sharesOf(shares: number): Shares {
  return exactSteps(shares, 'shares') as Shares
}

export function priceOf(price: number): Price {
  return exactSteps(price, 'price') as Price
}

export function feeRateOf(percent: number): FeeRate {
  return exactSteps(percent, 'feeRate') as FeeRate
}

export function serial(count: number): Serial {
  return count as Serial
}

/** Those of an installation that changes nothing. */
export const usualRules: Rules = {
  sharesMin: sharesOf(1),
  sharesMax: sharesOf(100_000),
  priceMin: priceOf(0.01),
  priceMax: priceOf(0.99),
  feeRate: feeRateOf(2),
}

function exactSteps(value: number, quantity: keyof typeof decimals): number {
  const steps = stepsOf(value, decimals[quantity])
  assert(steps !== null, `${value} is off the step of ${quantity}`)
  return steps
}

/** In micro-units. */
export function amountOf(value: number): number {
  return Math.round(value * 1_000_000)
}
