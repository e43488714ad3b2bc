// Shares and prices arrive as JSON numbers or, over gRPC, as decimal texts, and become whole
// steps. Their bounds are settings, so they are checked here and not by the schema.

import {
  decimals,
  type Price,
  type Shares,
  stepsOf,
  stepsOfText,
  textOf,
} from '../../core/money.ts'
import { amountBounds, checkPrice, checkShares } from '../../core/orders/checks.ts'
import type { Rules } from '../../core/state/exchange.ts'
import { invalidField, Refusal } from '../errors.ts'

/** A text is read exactly; a number comes from a float and may be off by its rounding error. */
type Quantity = number | string

/** How much of a text a message repeats; numbers are shorter. */
const quotedMax = 40

type Bounds = { readonly min: number; readonly max: number }

export function sharesOf(value: Quantity, rules: Rules): Shares | Refusal {
  const steps = stepsIn(value, decimals.shares)
  const refused = checkShares(rules, steps ?? Number.NaN)
  if (refused === null) return steps as Shares
  const rule = ruleOf(value, refused, decimals.shares)
  return new Refusal(refused.code, `shares must be ${rule}, got ${quote(value)}`)
}

export function priceOf(value: Quantity, rules: Rules): Price | Refusal {
  const steps = stepsIn(value, decimals.price)
  const refused = checkPrice(rules, steps ?? Number.NaN)
  if (refused === null) return steps as Price
  const rule = ruleOf(value, refused, decimals.price)
  return new Refusal(refused.code, `price must be ${rule}, got ${quote(value)}`)
}

/** In micro-units. */
export function amountOf(value: Quantity, rules: Rules): number | Refusal {
  const steps = stepsIn(value, decimals.money)
  const bounds = amountBounds(rules)
  if (steps !== null && steps >= bounds.min && steps <= bounds.max) return steps
  const rule = ruleOf(value, bounds, decimals.money)
  return invalidField('amount', `must be ${rule}, got ${quote(value)}`)
}

function stepsIn(value: Quantity, places: number): number | null {
  return typeof value === 'string' ? stepsOfText(value, places) : stepsOf(value, places)
}

// The rule that the value breaks: the step alone, or the bounds too.
function ruleOf(value: Quantity, { min, max }: Bounds, places: number): string {
  const step = textOf(1, places)
  const isOffStep = stepsIn(value, places) === null && Math.abs(Number(value)) <= max
  if (isOffStep) return `a multiple of ${step}`
  return `between ${textOf(min, places)} and ${textOf(max, places)} in steps of ${step}`
}

function quote(value: Quantity): string {
  const text = String(value)
  return text.length > quotedMax ? `${text.slice(0, quotedMax)}...` : text
}
