// Public ids become serials. An unknown id becomes a serial that no record has, so that it is
// refused as not found at the usual place among the checks.

import type { Ids, Serial } from '../../core/ids.ts'

/** Serials count from 1. */
const unknownSerial = 0 as Serial

export function serialOf(ids: Ids, id: string): Serial {
  return ids.serialOf(id) ?? unknownSerial
}

/** For an optional filter. */
export function serialOrNull(ids: Ids, id: string | undefined): Serial | null {
  return id === undefined ? null : serialOf(ids, id)
}
