// When the deferred indexes are updated, and what is removed from them.

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { Statements } from './connection.ts'
import { indexSources, isOpen, updateIndexesWhenDue } from './deferred-indexes.ts'
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

  test('after 4,000 serials if the turns are large, by 1,500 serials at a time', () => {
    assert.deepEqual(updatedTo(200, 36), [0, 1_500, 3_000, 4_500])
  })

  test('after four turns with thousands of serials, by as many as one of them has', () => {
    assert.deepEqual(updatedTo(7_000, 6), [0, 7_000, 14_000, 21_000])
  })
})

suite('closed orders', () => {
  test('are not among the open ones, and leave the indexes 1,000 at a time from 500 on', () => {
    const database = new DatabaseSync(':memory:')
    assert.ok(migrate(database))
    const statements = new Statements(database)
    const count = 2_000
    for (let serial = 1; serial <= count; serial += 1) {
      database.exec(`INSERT INTO orders VALUES (
        ${serial}, 0, 0, ${serial}, 7, 8, 1, 'ann', 0, 1, 1, 0, 0, 0, 0, NULL, 0, 0)`)
    }
    const turn = { serialBefore: count, lastSerial: count }
    const lengthOf = (table: string) =>
      database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n
    const lengths = () => [
      ...new Set(indexSources.filter(({ condition }) => condition === isOpen).map(lengthOfIndex)),
    ]
    const lengthOfIndex = ({ index }: { index: string }) => lengthOf(index)
    updateIndexesWhenDue(statements, turn)
    updateIndexesWhenDue(statements, turn)
    assert.deepEqual(lengths(), [count])
    const close = (upTo: number) => {
      database.exec(`UPDATE orders SET status = 2 WHERE serial <= ${upTo} AND status = 0`)
      updateIndexesWhenDue(statements, turn)
      for (const view of ['open_orders', 'open_orders_of_player', 'open_orders_of_side']) {
        assert.equal(lengthOf(view), count - upTo, view)
      }
    }
    close(499)
    assert.deepEqual([lengths(), lengthOf('closed_orders')], [[count], 499])
    close(500)
    assert.deepEqual([lengths(), lengthOf('closed_orders')], [[count - 500], 0])
    close(1_900)
    assert.deepEqual([lengths(), lengthOf('closed_orders')], [[count - 1_500], 400])
    database.close()
  })
})
