// Whether a turn is stored.

import type { TurnQuery } from '../record-store.ts'
import { first, type Reading } from './reading.ts'

export function* hasTurn({ batchId, from }: TurnQuery): Reading<boolean> {
  const found = yield* first(
    'SELECT 1 AS found FROM batches WHERE command_sequence_from = ? AND batch_id = ?',
    from,
    batchId,
  )
  return found !== undefined
}
