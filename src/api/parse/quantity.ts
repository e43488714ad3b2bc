// Shares, prices and fees come as JSON numbers or, over gRPC, as decimal texts, and go in as whole
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

/** A text is taken exactly; a number within a small error, for it comes from a float. */
type Quantity = number | string

/** How much of a text is said again; numbers are shorter. */
const quotedMax = 40

type Kind = {
  readonly code: 'ORDER_INVALID_SHARES' | 'ORDER_INVALID_PRICE'
  readonly subject: (quoted: string) => string
  readonly places: number
  readonly step: string
}

const shares: Kind = {
  code: 'ORDER_INVALID_SHARES',
  subject: (quoted) => `Shares ${quoted} are`,
  places: decimals.shares,
  step: '0.01',
}

const price: Kind = {
  code: 'ORDER_INVALID_PRICE',
  subject: (quoted) => `Price ${quoted} is`,
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

function stepsWithin(kind: Kind, value: Quantity, bounds: { min: number; max: number }) {
  const { min, max } = bounds
  const { places } = kind
  const steps = typeof value === 'string' ? stepsOfText(value, places) : stepsOf(value, places)
  if (steps !== null && steps >= min && steps <= max) return steps
  const range = `${textOf(min, places)} to ${textOf(max, places)}`
  const complaint =
    steps === null && Math.abs(Number(value)) <= max
      ? `not a multiple of ${kind.step}.`
      : `outside ${range}, in steps of ${kind.step}.`
  return new Refusal(kind.code, `${kind.subject(quote(value))} ${complaint}`)
}

function quote(value: Quantity): string {
  const text = String(value)
  return text.length > quotedMax ? `${text.slice(0, quotedMax)}...` : text
}

/** A percentage with two decimals. The schema has checked its bounds. */
export function feeRateOf(percent: number | null | undefined): FeeRate | null | Refusal {
  if (percent === null || percent === undefined) return null
  const steps = stepsOf(percent, decimals.feeRate)
  if (steps === null) return invalidField('feePercent', 'must be a multiple of 0.01')
  return steps as FeeRate
}
