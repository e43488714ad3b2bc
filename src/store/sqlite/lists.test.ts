// When the lists are brought up to date.

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { Statements } from './connection.ts'
import { listWhenDue } from './lists.ts'
import { migrate } from './migrate.ts'
import { metaOf } from './start.ts'

/** The serials up to which the lists were made, one after the other, over turns of that size. */
function listedBy(perTurn: number, turns: number): number[] {
  const database = new DatabaseSync(':memory:')
  assert.ok(migrate(database))
  const statements = new Statements(database)
  const seen = new Set<number>()
  for (let turn = 1; turn <= turns; turn += 1) {
    const lastSerial = turn * perTurn
    listWhenDue(statements, { serialBefore: lastSerial - perTurn, lastSerial })
    seen.add(metaOf(database, 'listed_to') ?? -1)
  }
  database.close()
  return [...seen]
}

suite('lists are brought up to date', () => {
  test('after 500 serials where the turns are small', () => {
    assert.deepEqual(listedBy(10, 150), [0, 500, 1_000, 1_500])
  })

  test('after forty turns where they are larger', () => {
    assert.deepEqual(listedBy(30, 90), [0, 1_200, 2_400])
  })

  test('after 6,000 serials where they are large, and at the end of one that gives more', () => {
    assert.deepEqual(listedBy(200, 65), [0, 6_000, 12_000])
    assert.deepEqual(listedBy(7_000, 2), [7_000, 14_000])
  })
})
