// Cursors: where the next page of a list starts. Opaque to callers; inside stands the public id of
// the last row they have seen.

import type { Ids } from '../../core/ids.ts'
import { invalidField, type Refusal } from '../errors.ts'

export function cursorOf(id: string): string {
  return Buffer.from(id, 'latin1').toString('base64url')
}

/** The serial of the row to go on after; null for the first page. */
export function afterOf(ids: Ids, cursor: string | undefined): number | null | Refusal {
  if (cursor === undefined) return null
  const id = Buffer.from(cursor, 'base64url').toString('latin1')
  const serial = ids.serialOf(id)
  if (serial === null || cursorOf(id) !== cursor) {
    return invalidField('cursor', 'is not the nextCursor of a page')
  }
  return serial
}
