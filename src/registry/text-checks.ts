// Checks of stored texts: the same rules for every field. They return null for a valid text.

import { invalid, type RegistryReject } from './reject.ts'

export const nameLengthMax = 256
export const descriptionLengthMax = 8_192
export const addressLengthMax = 2_048

/** Counts as JSON Schema does: a character outside the BMP counts once, not twice. */
export function charactersOf(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** A name must not be blank. */
export function checkName(field: string, name: string): RegistryReject | null {
  if (!/\S/.test(name)) return invalid(field, 'must not be empty')
  return checkText(field, name, nameLengthMax)
}

export function checkText(
  field: string,
  text: string | null,
  lengthMax: number,
): RegistryReject | null {
  if (text === null) return null
  const length = charactersOf(text)
  if (length > lengthMax) {
    return invalid(field, `must have at most ${lengthMax} characters, got ${length}`)
  }
  // PostgreSQL cannot store these.
  if (text.includes('\0') || !text.isWellFormed()) {
    return invalid(field, 'must not contain U+0000 or unpaired surrogates')
  }
  return null
}
