// Whether a turn is stored, and how far the stored turns are.

import type { TurnQuery } from '../record-store.ts'
import { numberOf } from './cells.ts'
import { first, type Reading } from './reading.ts'

export function* hasTurn({ batchId, from }: TurnQuery): Reading<boolean> {
  const found = yield* first(
    'SELECT 1 AS found FROM batches WHERE command_sequence_from = ? AND batch_id = ?',
    from,
    batchId,
  )
  return found !== undefined
}

export function* readLastSerial(): Reading<number> {
  const head = yield* first('SELECT max(last_serial) AS last FROM head')
  return numberOf(head?.last)
}
