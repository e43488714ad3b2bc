// When the deferred indexes are updated.

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { Statements } from './connection.ts'
import { updateIndexesWhenDue } from './deferred-indexes.ts'
import { migrate } from './migrate.ts'
import { metaOf } from './start.ts'

/** The serials to which the indexes were updated, one after the other, over turns of that size. */
function updatedTo(perTurn: number, turns: number): number[] {
  const database = new DatabaseSync(':memory:')
  assert.ok(migrate(database))
  const statements = new Statements(database)
  const seen = new Set<number>()
  for (let turn = 1; turn <= turns; turn += 1) {
    const lastSerial = turn * perTurn
    updateIndexesWhenDue(statements, { serialBefore: lastSerial - perTurn, lastSerial })
    seen.add(metaOf(database, 'indexed_to') ?? -1)
  }
  database.close()
  return [...seen]
}

suite('deferred indexes are updated', () => {
  test('after 500 serials if the turns are small', () => {
    assert.deepEqual(updatedTo(10, 150), [0, 500, 1_000, 1_500])
  })

  test('after forty turns if the turns are larger', () => {
    assert.deepEqual(updatedTo(30, 90), [0, 1_200, 2_400])
  })

  test('after 6,000 serials if the turns are large, and at the end of a turn with more', () => {
    assert.deepEqual(updatedTo(200, 65), [0, 6_000, 12_000])
    assert.deepEqual(updatedTo(7_000, 2), [7_000, 14_000])
  })
})
