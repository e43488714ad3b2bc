// Public ids from outside become serials. An id that is not ours becomes a serial that nothing
// has, so that whoever looks for it says "not found" in its own words, at its place in the checks.

import type { Ids } from '../../core/ids.ts'

/** Serials count from 1. */
const nothing = 0

export function serialOf(ids: Ids, id: string): number {
  return ids.serialOf(id) ?? nothing
}

/** Of a filter that may be left out. */
export function serialOrNull(ids: Ids, id: string | undefined): number | null {
  return id === undefined ? null : serialOf(ids, id)
}
