// An operator's own JSON on a market: kept as text, looked into only here.

import { invalidField, type Refusal } from '../errors.ts'

const bytesMax = 16 * 1_024
const depthMax = 8
// Harmless as data, and traps for whoever merges it into objects.
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** As JSON text; null where there is none. */
export function metadataOf(metadata: object | null | undefined): string | null | Refusal {
  if (metadata === null || metadata === undefined) return null
  const complaint = complaintAbout(metadata, 1)
  if (complaint !== null) return invalidField('metadata', complaint)
  const text = JSON.stringify(metadata)
  if (Buffer.byteLength(text) > bytesMax)
    return invalidField('metadata', 'must be at most 16 KiB of JSON')
  return text
}

function complaintAbout(value: unknown, depth: number): string | null {
  // JSON has no word for it: it would come back as null.
  if (value === Infinity || value === -Infinity) return 'contains a number that is too large'
  if (typeof value !== 'object' || value === null) return null
  if (depth > depthMax) return `must be at most ${depthMax} levels deep`
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && refusedKeys.has(key)) return `must not contain the key "${key}"`
    const complaint = complaintAbout(inner, depth + 1)
    if (complaint !== null) return complaint
  }
  return null
}
