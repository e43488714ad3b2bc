// Every fault of a value that does not match its schema, and not only the first.

import type { AnySchema, ErrorObject, ValidateFunction } from 'ajv'
import type { Fault } from '../errors.ts'
import { newAjv } from './ajv.ts'
import { faultsBeyond, rulesOf } from './body-rules.ts'
import { faultOf } from './validation-message.ts'

/**
 * A larger value may have as many faults as it has parts, and looking for them would take as long
 * as hundreds of valid requests. Of those only the first fault is reported.
 */
const partsMax = 2_000

/** Compiled with the first invalid value: valid ones need only the strict validator. */
const thoroughAjv = newAjv({ allErrors: true })

export type FaultsIn = (value: unknown, first: ErrorObject) => readonly Fault[]

/**
 * `root` names a value that is in no field. The first fault that was found stays the first, and
 * each field has one. The rules are those beside the schema.
 */
export function faultFinder(schema: AnySchema, root: string, rules = rulesOf(schema)): FaultsIn {
  let validate: ValidateFunction | null = null
  return (value, first) => {
    if (!hasFewParts(value)) return [faultOf(first, root)]
    validate ??= thoroughAjv.compile(schema)
    const errors = validate(value) ? [] : (validate.errors ?? [])
    // A condition is no fault: what it requires is.
    const found = [first, ...errors].filter(({ keyword }) => keyword !== 'if')
    const plain = found.filter((error) => !isConditional(error))
    const faults = [...plain, ...found.filter(isConditional)].map((error) => faultOf(error, root))
    const all = [...faults, ...faultsBeyond(rules, value, faults)]
    return [...Map.groupBy(all, ({ field }) => field).values()].map(([fault]) => fault!)
  }
}

// The validator looks for these first.
function isConditional({ schemaPath }: ErrorObject): boolean {
  return schemaPath.includes('#/else/')
}

function hasFewParts(value: unknown): boolean {
  const waiting = [value]
  let count = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    count += 1
    if (typeof next !== 'object' || next === null) continue
    const parts = Array.isArray(next) ? next : Object.values(next)
    if (count + waiting.length + parts.length > partsMax) return false
    waiting.push(...parts)
  }
  return true
}
