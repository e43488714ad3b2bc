// The metadata of a market: an operator's own JSON, validated here and stored as text.

import { invalidField, type Refusal } from '../errors.ts'

const bytesMax = 16 * 1_024
const depthMax = 8
// Harmless as data, but dangerous to a program that merges them into its objects.
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** As JSON text; null if there is none. */
export function metadataOf(metadata: object | null | undefined): string | null | Refusal {
  if (metadata === null || metadata === undefined) return null
  const fault = faultIn(metadata, 1)
  if (fault !== null) return invalidField('metadata', fault)
  const text = JSON.stringify(metadata)
  if (Buffer.byteLength(text) > bytesMax)
    return invalidField('metadata', 'must be at most 16 KiB of JSON')
  return text
}

function faultIn(value: unknown, depth: number): string | null {
  // JSON cannot express it: it would be returned as null.
  if (value === Infinity || value === -Infinity) return 'contains a number that is too large'
  if (typeof value !== 'object' || value === null) return null
  if (depth > depthMax) return `must be at most ${depthMax} levels deep`
  for (const [key, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && refusedKeys.has(key)) return `must not contain the key "${key}"`
    const fault = faultIn(inner, depth + 1)
    if (fault !== null) return fault
  }
  return null
}
