// How the fields of packed rows become parameters of a statement.

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { kindNames, rowKinds } from '../rows.ts'
import { migrate } from './migrate.ts'
import { rowsAtOnce, statementFor } from './row-statements.ts'

suite('statements for packed rows', () => {
  test('have as many parameters as the rows have fields', () => {
    const database = new DatabaseSync(':memory:')
    assert.ok(migrate(database))
    database.function('fold', (text) => text)
    for (const kind of kindNames) {
      for (const rows of new Set([1, rowsAtOnce(kind)])) {
        const values = rows * Object.keys(rowKinds[kind]).length
        const explained = database.prepare(`EXPLAIN ${statementFor(kind, rows)}`)
        explained.all(...new Array<number>(values).fill(1))
        assert.throws(() => explained.all(...new Array<number>(values + 1).fill(1)), kind)
      }
    }
    database.close()
  })

  test('use plain marks for fields that are used once, in the order of packing', () => {
    for (const kind of ['newOrder', 'trade', 'eventRecord', 'settlement'] as const) {
      assert.doesNotMatch(statementFor(kind, rowsAtOnce(kind)), /\?\d/, kind)
    }
  })

  test('use numbered marks for fields that are used again or in another order', () => {
    assert.match(statementFor('order', 1), /filled = \?2, cost = \?, .* WHERE serial = \?1/s)
    assert.match(statementFor('position', 8), /typeof\(\?\) = 'text', \?87, CAST\(\?87 AS/)
  })
})
