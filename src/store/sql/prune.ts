// Lets go of what is too old, a little at a time, so that no turn waits long for it.

import type { PruneRequest } from '../store.ts'
import { numberOf } from './cells.ts'
import { chunkOf } from './read-events.ts'
import { all, first, type Reading } from './reading.ts'

/** Says whether there may be more. What is kept stays without gaps: only a beginning is let go. */
export function* prune(ask: PruneRequest): Reading<boolean> {
  const eventRecords = yield* pruneEventRecords(ask)
  const batches = yield* pruneBatches(ask)
  return eventRecords || batches
}

function* pruneEventRecords({ eventsBefore, atMost }: PruneRequest): Reading<boolean> {
  let left = atMost
  for (const { operator } of yield* all('SELECT operator FROM sequences')) {
    const number = numberOf(operator)
    const oldest = yield* all(
      `SELECT first_sequence AS at, created_at AS time FROM tellings
       WHERE operator = ? ORDER BY first_sequence LIMIT ?`,
      number,
      left,
    )
    const old = oldOnes(oldest, eventsBefore)
    if (old.last === null) continue
    const text = 'DELETE FROM tellings WHERE operator = ? AND first_sequence <= ?'
    yield* all(text, number, old.last)
    yield* pruneChunks(number)
    left -= old.count
    if (left === 0) return true
  }
  return false
}

// One that has lost some of its rows stays, with all of its types.
function* pruneChunks(operator: number): Reading<void> {
  const kept = yield* first(
    'SELECT first_sequence FROM tellings WHERE operator = ? ORDER BY first_sequence LIMIT 1',
    operator,
  )
  const firstChunk =
    kept === undefined ? Number.MAX_SAFE_INTEGER : chunkOf(numberOf(kept.first_sequence))
  yield* all('DELETE FROM telling_chunks WHERE operator = ? AND chunk < ?', operator, firstChunk)
}

function* pruneBatches({ batchesBefore, atMost }: PruneRequest): Reading<boolean> {
  const oldest = yield* all(
    'SELECT batch AS at, now AS time FROM batches ORDER BY batch LIMIT ?',
    atMost,
  )
  const old = oldOnes(oldest, batchesBefore)
  if (old.last === null) return false
  yield* all('DELETE FROM batches WHERE batch <= ?', old.last)
  return old.count === atMost
}

// The rows at the beginning that are from before a time.
function oldOnes(
  rows: Iterable<Readonly<Record<string, unknown>>>,
  before: number,
): { last: number | null; count: number } {
  let last: number | null = null
  let count = 0
  for (const { at, time } of rows) {
    if (typeof at !== 'number' || typeof time !== 'number' || time >= before) break
    last = at
    count += 1
  }
  return { last, count }
}
