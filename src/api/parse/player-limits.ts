// Limits of players become whole steps. The schema has checked their bounds.

import { stepsOf, textOf } from '../../core/money.ts'
import { type Limits, limitDecimals } from '../../core/state/limits.ts'
import { type LimitName, limitNames } from '../../core/words.ts'
import { invalidField, Refusal } from '../errors.ts'
import type { LimitsInput } from '../schemas/player-limits.ts'

/** null where they say nothing. */
export function limitsOf(field: string, input: LimitsInput | undefined): Limits | null | Refusal {
  const limits: { [Name in LimitName]?: number | null } = {}
  for (const name of limitNames) {
    const value = input?.[name]
    if (value === undefined) continue
    const steps = value === null ? null : stepsOf(value, limitDecimals[name])
    if (value !== null && steps === null) {
      const step = textOf(1, limitDecimals[name])
      return invalidField(`${field}.${name}`, `must be a multiple of ${step}, got ${value}`)
    }
    limits[name] = steps
  }
  return Object.keys(limits).length === 0 ? null : limits
}

/** What an operator leaves out is no limit. */
export function defaultsOf(field: string, input: LimitsInput | undefined): Limits | null | Refusal {
  const limits = limitsOf(field, input)
  if (limits === null || limits instanceof Refusal) return limits
  const given = limitNames.filter((name) => typeof limits[name] === 'number')
  if (given.length === 0) return null
  return Object.fromEntries(limitNames.map((name) => [name, limits[name] ?? null]))
}
