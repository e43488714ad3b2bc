// A hash of a request's body. Two bodies with the same fields have the same one, in any order.

import { createHash } from 'node:crypto'

export function fingerprintOfBody(body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(body)) ?? '')
    .digest('base64url')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  // A list of pairs: an object would order names that are numbers, and lose __proto__.
  return { pairs: entries.map(([name, part]) => [name, sorted(part)]) }
}
