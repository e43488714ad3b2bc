// Public ids become serials. An unknown id becomes a serial that no record has, so that it is
// refused as not found at the usual place among the checks.

import type { Ids } from '../../core/ids.ts'

/** Serials count from 1. */
const unknownSerial = 0

export function serialOf(ids: Ids, id: string): number {
  return ids.serialOf(id) ?? unknownSerial
}

/** For an optional filter. */
export function serialOrNull(ids: Ids, id: string | undefined): number | null {
  return id === undefined ? null : serialOf(ids, id)
}
