// The metadata of a market: an operator's own JSON, validated here and stored as text.

import { invalidField, type Refusal } from '../errors.ts'

const bytesMax = 16 * 1_024
/** More than that many bytes can have: each value takes two with its comma. */
const valuesMax = bytesMax / 2
const depthMax = 8
const tooLong = 'must be at most 16 KiB of JSON'
// Harmless as data, but dangerous to a program that merges them into its objects.
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** As JSON text; null if there is none. */
export function metadataOf(metadata: object | null | undefined): string | null | Refusal {
  if (metadata === null || metadata === undefined) return null
  const fault = faultIn(metadata, 1, { values: 0 })
  if (fault !== null) return invalidField('metadata', fault)
  const text = JSON.stringify(metadata)
  return Buffer.byteLength(text) > bytesMax ? invalidField('metadata', tooLong) : text
}

function faultIn(value: unknown, depth: number, seen: { values: number }): string | null {
  seen.values += 1
  if (seen.values > valuesMax) return tooLong
  // JSON cannot express it: it would be returned as null.
  if (value === Infinity || value === -Infinity) return 'contains a number that is too large'
  if (typeof value !== 'object' || value === null) return null
  if (depth > depthMax) return `must be at most ${depthMax} levels deep`
  if (Array.isArray(value)) {
    for (const inner of value) {
      const fault = faultIn(inner, depth + 1, seen)
      if (fault !== null) return fault
    }
    return null
  }
  for (const key of Object.keys(value)) {
    if (refusedKeys.has(key)) return `must not contain the key "${key}"`
    const fault = faultIn(value[key as keyof typeof value], depth + 1, seen)
    if (fault !== null) return fault
  }
  return null
}
