// Parses a list of ids, such as "a,b".

import { invalidField, type Refusal } from '../errors.ts'
import { isUuid } from './text.ts'

/** The ids, each once; a malformed one, or more than the limit, is refused. */
export function idsOf(field: string, text: string, max: number): readonly string[] | Refusal {
  const ids = new Set(text.split(',').map((part) => part.trim().toLowerCase()))
  for (const id of ids) {
    if (!isUuid(id)) return invalidField(field, `must be UUIDs, separated by commas, got "${id}"`)
  }
  if (ids.size > max) return invalidField(field, `must be at most ${max} ids, got ${ids.size}`)
  return [...ids]
}
