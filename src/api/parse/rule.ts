// What the schema of a body cannot state: what one field requires of another, and steps. The rules
// of a body are applied all, so that a client learns of each fault, not only of the first.

import type { Reject } from '../../core/reject.ts'
import { type Fault, invalidFields, Refusal } from '../errors.ts'

export type Rule<Body> = {
  /** What it reads: it is not applied to a body in which one of these has the wrong shape. */
  readonly fields: readonly (keyof Body & string)[]
  readonly faultIn: (body: Body) => Fault | null
}

/** null if the body keeps all rules. */
export function checkRules<Body>(rules: readonly Rule<Body>[], body: Body): Refusal | null {
  const faults = rules.flatMap(({ faultIn }) => faultIn(body) ?? [])
  return faults.length === 0 ? null : invalidFields(faults)
}

/** For a rule that the core has. */
export function faultOfReject(reject: Reject | null): Fault | null {
  if (reject?.code !== 'VALIDATION_ERROR') return null
  const { field, message } = reject
  return { field, message }
}

/** For a rule that a parser has: what it finds wrong. */
export function faultOfParsed(parsed: unknown): Fault | null {
  if (!(parsed instanceof Refusal)) return null
  const { faults } = parsed.details as { readonly faults: readonly Fault[] }
  return faults[0] ?? null
}
