// A migration keeps the data of earlier versions, and fills the tables that have been added since.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { Statements } from './connection.ts'
import { indexNames, updateIndexes } from './deferred-indexes.ts'
import { migrate } from './migrate.ts'

const steps = new URL('./migrations/', import.meta.url)

/** The tables after so many steps. */
function databaseOf(version: number): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  const files = readdirSync(steps).sort().slice(0, version)
  for (const file of files) database.exec(readFileSync(new URL(file, steps), 'utf8'))
  database.exec(`PRAGMA user_version = ${version}`)
  return database
}

function all(database: DatabaseSync, text: string): unknown[][] {
  return database
    .prepare(text)
    .all()
    .map((cells) => Object.values(cells))
}

suite('migrations', () => {
  test('candles of a minute become candles of every width', () => {
    const database = databaseOf(3)
    const day = 1_440 * 20_000
    database.exec(`INSERT INTO candles (outcome, minute, open, high, low, close, shares, trades)
      VALUES (7, ${day + 1}, 50, 60, 40, 45, 10, 1), (7, ${day + 3}, 46, 80, 46, 70, 20, 2),
        (7, ${day + 59}, 70, 70, 30, 30, 30, 3), (7, ${day + 1_440}, 20, 20, 20, 20, 40, 4),
        (8, ${day}, 11, 11, 11, 11, 50, 5)`)
    assert.ok(migrate(database))
    const found = all(
      database,
      `SELECT width, minute - ${day}, open, high, low, close, shares, trades
       FROM candles WHERE outcome_serial = 7 AND width > 1 ORDER BY width, minute`,
    )
    assert.deepEqual(found, [
      [5, 0, 50, 80, 40, 70, 30, 3],
      [5, 55, 70, 70, 30, 30, 30, 3],
      [5, 1_440, 20, 20, 20, 20, 40, 4],
      [60, 0, 50, 80, 30, 30, 60, 6],
      [60, 1_440, 20, 20, 20, 20, 40, 4],
      [1_440, 0, 50, 80, 30, 30, 60, 6],
      [1_440, 1_440, 20, 20, 20, 20, 40, 4],
    ])
    const counts =
      'SELECT outcome_serial, width, count(*) FROM candles GROUP BY 1, 2 HAVING width = 1'
    assert.deepEqual(all(database, counts), [
      [7, 1, 4],
      [8, 1, 1],
    ])
    database.close()
  })

  test('orders and trades of an earlier version are indexed, however many there are', () => {
    const database = databaseOf(6)
    const serials = [5, 99_999, 100_000, 250_000]
    for (const serial of serials) {
      database.exec(`
        INSERT INTO orders VALUES (${serial}, 0, 0, ${serial}, 7, 8, 1, 'ann', 0, 1, 1, 0, 0,
          ${serial % 2}, 0, 'tx', 0, 0);
        INSERT INTO trades VALUES (${serial + 1}, 0, 7, 8, 1, 0, 2, 0, 1, 2, 1, 1, 0, 0, 1, 0)`)
    }
    database.exec("INSERT INTO shards VALUES (0, 1, 1, 9, 250001, 0, '', zeroblob(32))")
    assert.ok(migrate(database))
    for (let time = 0; time < 2; time += 1) {
      updateIndexes(new Statements(database))
      const orders = serials.map((serial) => [serial])
      const trades = serials.map((serial) => [serial + 1])
      const indexed = (name: string) => all(database, `SELECT serial FROM ${name} ORDER BY 1`)
      for (const name of ['operator', 'market', 'player', 'transaction']) {
        assert.deepEqual(indexed(`order_index_by_${name}`), orders)
      }
      assert.deepEqual(indexed('open_order_index_by_operator'), orders)
      assert.deepEqual(indexed('open_order_index_by_side'), orders)
      assert.deepEqual(indexed('trade_index_by_market'), trades)
      assert.deepEqual(indexed('trade_index_by_outcome'), trades)
      assert.equal(indexed('trade_index_by_operator').length, 2 * trades.length)
      assert.equal(indexed('trade_index_by_order').length, 2 * trades.length)
      assert.deepEqual(all(database, 'SELECT DISTINCT indexed_to FROM index_marks'), [[250_001]])
    }
    database.close()
  })

  test('open orders that were indexed before are added to the index by side', () => {
    const database = databaseOf(11)
    database.exec(`
      INSERT INTO orders VALUES (5, 0, 0, 5, 7, 8, 1, 'ann', 1, 1, 1, 0, 0, 0, 0, 'tx', 0, 0),
        (6, 0, 0, 6, 7, 8, 1, 'ann', 0, 1, 1, 0, 0, 3, 0, 'tx', 0, 0);
      INSERT INTO open_order_index_by_operator VALUES (1, 5);
      UPDATE meta SET value = 6 WHERE name = 'indexed_to'`)
    assert.ok(migrate(database))
    const index = 'SELECT * FROM open_order_index_by_side'
    assert.deepEqual(all(database, index), [[1, 1, 7, 8, 5]])
    database.exec('UPDATE orders SET status = 3 WHERE serial = 5')
    assert.deepEqual(all(database, 'SELECT key_serial FROM open_orders_of_side'), [])
    database.close()
  })

  test('every index goes on from the mark that all of them shared', () => {
    const database = databaseOf(15)
    database.exec("UPDATE meta SET value = 6 WHERE name = 'indexed_to'")
    assert.ok(migrate(database))
    const later = 'trade_index_by_player'
    const marks = indexNames.toSorted().map((index) => [index, index === later ? 0 : 6])
    assert.deepEqual(all(database, 'SELECT * FROM index_marks ORDER BY index_name'), marks)
    assert.deepEqual(all(database, "SELECT * FROM meta WHERE name = 'indexed_to'"), [])
    database.close()
  })

  test('event records of an earlier version are added to their chunks', () => {
    const database = databaseOf(3)
    database.exec(`INSERT INTO tellings VALUES
      (1, 1000, 1023, 0, 5, 0, 1, ''), (1, 1024, 1024, 0, 5, 0, 2, ''),
      (1, 1025, 2050, 0, 5, 0, 4, ''), (2, 1, 1, 0, 5, 0, 8, '')`)
    assert.ok(migrate(database))
    const chunks = 'SELECT operator_number, chunk, types FROM event_chunks ORDER BY 1, 2'
    assert.deepEqual(all(database, chunks), [
      [1, 0, 1],
      [1, 1, 6],
      [2, 0, 8],
    ])
    database.close()
  })
})
