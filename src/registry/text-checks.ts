// What is wrong with a text that is to be kept: the same few rules for every field.

import { invalid, type RegistryReject } from './reject.ts'

export const nameLengthMax = 256
export const descriptionLengthMax = 8_192
export const addressLengthMax = 2_048

/** As schemas count them: one that needs two places in a string of JavaScript is one. */
export function charactersOf(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** For a name: it must say something. null where nothing is wrong. */
export function nameFault(field: string, name: string): RegistryReject | null {
  if (!/\S/.test(name)) return invalid(field, 'it may not be empty.')
  return textFault(field, name, nameLengthMax)
}

export function textFault(
  field: string,
  text: string | null,
  lengthMax: number,
): RegistryReject | null {
  if (text === null) return null
  const length = charactersOf(text)
  if (length > lengthMax) {
    return invalid(field, `${length} characters are more than ${lengthMax}.`)
  }
  // Not every database can keep these.
  if (text.includes('\0') || !text.isWellFormed()) {
    return invalid(field, 'it has characters that are none (U+0000 or half of a pair).')
  }
  return null
}
