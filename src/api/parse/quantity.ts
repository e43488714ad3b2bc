// Shares, prices and fees come as JSON numbers and go in as whole steps. Their bounds are settings,
// so they are checked here and not by the schema.

import type { Rules } from '../../core/exchange.ts'
import {
  decimals,
  type FeeRate,
  type Price,
  type Shares,
  stepsOf,
  textOf,
} from '../../core/money.ts'
import { invalidField, Refusal } from '../errors.ts'

type Kind = {
  readonly code: 'ORDER_INVALID_SHARES' | 'ORDER_INVALID_PRICE'
  readonly subject: (value: number) => string
  readonly places: number
  readonly step: string
}

const shares: Kind = {
  code: 'ORDER_INVALID_SHARES',
  subject: (value) => `Shares ${value} are`,
  places: decimals.shares,
  step: '0.01',
}

const price: Kind = {
  code: 'ORDER_INVALID_PRICE',
  subject: (value) => `Price ${value} is`,
  places: decimals.price,
  step: '0.0001',
}

export function sharesOf(value: number, { sharesMin, sharesMax }: Rules): Shares | Refusal {
  const steps = stepsWithin(shares, value, { min: sharesMin, max: sharesMax })
  return steps instanceof Refusal ? steps : (steps as Shares)
}

export function priceOf(value: number, { priceMin, priceMax }: Rules): Price | Refusal {
  const steps = stepsWithin(price, value, { min: priceMin, max: priceMax })
  return steps instanceof Refusal ? steps : (steps as Price)
}

function stepsWithin(kind: Kind, value: number, bounds: { min: number; max: number }) {
  const { min, max } = bounds
  const steps = stepsOf(value, kind.places)
  if (steps !== null && steps >= min && steps <= max) return steps
  const range = `${textOf(min, kind.places)} to ${textOf(max, kind.places)}`
  const complaint =
    steps === null && Math.abs(value) <= max
      ? `not a multiple of ${kind.step}.`
      : `outside ${range}, in steps of ${kind.step}.`
  return new Refusal(kind.code, `${kind.subject(value)} ${complaint}`)
}

/** A percentage with two decimals. The schema has checked its bounds. */
export function feeRateOf(percent: number | null | undefined): FeeRate | null | Refusal {
  if (percent === null || percent === undefined) return null
  const steps = stepsOf(percent, decimals.feeRate)
  if (steps === null) return invalidField('feePercent', 'must be a multiple of 0.01')
  return steps as FeeRate
}
