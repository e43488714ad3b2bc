// Shares, prices and fees arrive as JSON numbers or, over gRPC, as decimal texts, and become whole
// steps. Their bounds are settings, so they are checked here and not by the schema.

import {
  decimals,
  type FeeRate,
  type Price,
  type Shares,
  stepsOf,
  stepsOfText,
  textOf,
} from '../../core/money.ts'
import type { Rules } from '../../core/state/exchange.ts'
import { invalidField, Refusal } from '../errors.ts'

/** A text is read exactly; a number comes from a float and may be off by its rounding error. */
type Quantity = number | string

/** How much of a text a message repeats; numbers are shorter. */
const quotedMax = 40

type Kind = {
  readonly field: string
  readonly code: 'ORDER_INVALID_SHARES' | 'ORDER_INVALID_PRICE'
  readonly places: number
  readonly step: string
}

const shares: Kind = {
  field: 'shares',
  code: 'ORDER_INVALID_SHARES',
  places: decimals.shares,
  step: '0.01',
}

const price: Kind = {
  field: 'price',
  code: 'ORDER_INVALID_PRICE',
  places: decimals.price,
  step: '0.0001',
}

export function sharesOf(value: Quantity, { sharesMin, sharesMax }: Rules): Shares | Refusal {
  const steps = stepsWithin(shares, value, { min: sharesMin, max: sharesMax })
  return steps instanceof Refusal ? steps : (steps as Shares)
}

export function priceOf(value: Quantity, { priceMin, priceMax }: Rules): Price | Refusal {
  const steps = stepsWithin(price, value, { min: priceMin, max: priceMax })
  return steps instanceof Refusal ? steps : (steps as Price)
}

function stepsWithin(kind: Kind, value: Quantity, { min, max }: { min: number; max: number }) {
  const { field, places, step } = kind
  const steps = typeof value === 'string' ? stepsOfText(value, places) : stepsOf(value, places)
  if (steps !== null && steps >= min && steps <= max) return steps
  const isOffStep = steps === null && Math.abs(Number(value)) <= max
  const range = `between ${textOf(min, places)} and ${textOf(max, places)}`
  const rule = isOffStep ? `a multiple of ${step}` : `${range} in steps of ${step}`
  return new Refusal(kind.code, `${field} must be ${rule}, got ${quote(value)}`)
}

function quote(value: Quantity): string {
  const text = String(value)
  return text.length > quotedMax ? `${text.slice(0, quotedMax)}...` : text
}

/** A percentage with two decimals. The schema has checked its bounds. */
export function feeRateOf(percent: number | null | undefined): FeeRate | null | Refusal {
  if (percent === null || percent === undefined) return null
  const steps = stepsOf(percent, decimals.feeRate)
  if (steps === null)
    return invalidField('feePercent', `must be a multiple of 0.01, got ${percent}`)
  return steps as FeeRate
}
