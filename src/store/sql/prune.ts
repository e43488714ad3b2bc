// Deletes old event records, turns and attempts of webhooks, a few at a time, so that nothing has
// to wait long.

import type { PruneRequest } from '../store.ts'
import { numberOf } from './cells.ts'
import { oldRows } from './old-rows.ts'
import { chunkOf } from './read-events.ts'
import { all, first, type Reading } from './reading.ts'
import { pruneAttempts } from './webhook-log.ts'

/** Returns whether there may be more to delete. Only the oldest rows go, so that no gap appears. */
export function* prune(request: PruneRequest): Reading<boolean> {
  const eventRecords = yield* pruneEventRecords(request)
  const batches = yield* pruneBatches(request)
  const attempts = yield* pruneAttempts(request)
  return eventRecords || batches || attempts
}

function* pruneEventRecords({ eventsBefore, atMost }: PruneRequest): Reading<boolean> {
  let left = atMost
  for (const cells of yield* all('SELECT operator_number FROM event_sequences')) {
    const operatorNumber = numberOf(cells.operator_number)
    const oldest = yield* all(
      `SELECT first_sequence AS at, created_at AS time FROM event_records
       WHERE operator_number = ? ORDER BY first_sequence LIMIT ?`,
      operatorNumber,
      left,
    )
    const old = oldRows(oldest, eventsBefore)
    if (old.last === null) continue
    const text = 'DELETE FROM event_records WHERE operator_number = ? AND first_sequence <= ?'
    yield* all(text, operatorNumber, old.last)
    yield* pruneChunks(operatorNumber)
    left -= old.count
    if (left === 0) return true
  }
  return false
}

// A chunk that has lost some of its rows stays, with all of its types.
function* pruneChunks(operatorNumber: number): Reading<void> {
  const kept = yield* first(
    `SELECT first_sequence FROM event_records WHERE operator_number = ?
     ORDER BY first_sequence LIMIT 1`,
    operatorNumber,
  )
  const firstChunk =
    kept === undefined ? Number.MAX_SAFE_INTEGER : chunkOf(numberOf(kept.first_sequence))
  const text = 'DELETE FROM event_chunks WHERE operator_number = ? AND chunk < ?'
  yield* all(text, operatorNumber, firstChunk)
}

function* pruneBatches({ batchesBefore, atMost }: PruneRequest): Reading<boolean> {
  const oldest = yield* all(
    'SELECT batch AS at, now AS time FROM batches ORDER BY batch LIMIT ?',
    atMost,
  )
  const old = oldRows(oldest, batchesBefore)
  if (old.last === null) return false
  yield* all('DELETE FROM batches WHERE batch <= ?', old.last)
  return old.count === atMost
}
