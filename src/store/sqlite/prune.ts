// Lets go of what is too old, a little at a time, so that no turn waits long for it.

import type { PruneAsk } from '../store.ts'
import { numberOf } from './cells.ts'
import type { Statements } from './connection.ts'
import { chunkOf } from './read-events.ts'

/** Says whether there may be more. What is kept stays without gaps: only a beginning is let go. */
export function prune(statements: Statements, ask: PruneAsk): boolean {
  const tellings = pruneTellings(statements, ask)
  const batches = pruneBatches(statements, ask)
  return tellings || batches
}

function pruneTellings(statements: Statements, { eventsBefore, atMost }: PruneAsk): boolean {
  let left = atMost
  for (const { operator } of statements.get('SELECT operator FROM sequences').all()) {
    const number = numberOf(operator)
    const old = oldOnes(
      statements
        .get(
          `SELECT first_sequence AS at, created_at AS time FROM tellings
           WHERE operator = ? ORDER BY first_sequence LIMIT ?`,
        )
        .iterate(number, left),
      eventsBefore,
    )
    if (old.last === null) continue
    statements
      .get('DELETE FROM tellings WHERE operator = ? AND first_sequence <= ?')
      .run(number, old.last)
    pruneChunks(statements, number)
    left -= old.count
    if (left === 0) return true
  }
  return false
}

// One that has lost some of its rows stays, with all of its types.
function pruneChunks(statements: Statements, operator: number): void {
  const kept = statements
    .get('SELECT first_sequence FROM tellings WHERE operator = ? ORDER BY first_sequence LIMIT 1')
    .get(operator)
  const firstChunk =
    kept === undefined ? Number.MAX_SAFE_INTEGER : chunkOf(numberOf(kept.first_sequence))
  statements
    .get('DELETE FROM telling_chunks WHERE operator = ? AND chunk < ?')
    .run(operator, firstChunk)
}

function pruneBatches(statements: Statements, { batchesBefore, atMost }: PruneAsk): boolean {
  const old = oldOnes(
    statements
      .get('SELECT batch AS at, now AS time FROM batches ORDER BY batch LIMIT ?')
      .iterate(atMost),
    batchesBefore,
  )
  if (old.last === null) return false
  statements.get('DELETE FROM batches WHERE batch <= ?').run(old.last)
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
