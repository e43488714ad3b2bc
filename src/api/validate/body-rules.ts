// The rules of bodies that have more than a schema, by the name of the schema.

import type { AnySchema } from 'ajv'
import type { Fault } from '../errors.ts'
import { brakingRules } from '../parse/controls.ts'
import { createMarketRules, editMarketRules } from '../parse/market.ts'
import { orderRules } from '../parse/order.ts'
import { resolutionRules } from '../parse/resolution.ts'
import type { Rule } from '../parse/rule.ts'

/** A rule reads only fields that have the right shape, whatever the body is. */
type AnyRule = Rule<Record<string, never>>

export const orderBodyRules = orderRules as readonly unknown[] as readonly AnyRule[]

const rulesByName: Readonly<Record<string, readonly unknown[]>> = {
  PlaceOrder: orderRules,
  CreateMarket: createMarketRules,
  EditMarket: editMarketRules,
  ResolveMarket: resolutionRules,
  PutPlayerControls: brakingRules,
  PutOperatorControls: brakingRules,
  PutOperatorBrake: brakingRules,
  PutControls: brakingRules,
}

/** Of a schema that is named, or refers to one. */
export function rulesOf(schema: AnySchema): readonly AnyRule[] {
  if (typeof schema !== 'object') return []
  const name: unknown = schema.$id ?? schema.$ref
  const rules = typeof name === 'string' ? rulesByName[name.replace(/#$/, '')] : undefined
  return (rules ?? []) as readonly AnyRule[]
}

/** Beside the faults of its shape: those of the fields that have none. */
export function faultsBeyond(
  rules: readonly AnyRule[],
  body: unknown,
  faults: readonly Fault[],
): readonly Fault[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const wrong = new Set(faults.map(({ field }) => field.replace(/[.[].*$/s, '')))
  return rules.flatMap(({ fields, faultIn }) => {
    if (fields.some((field) => wrong.has(field))) return []
    return faultIn(body as Record<string, never>) ?? []
  })
}
