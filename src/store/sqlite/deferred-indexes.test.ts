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

/** A database with open orders, which are in the indexes after `update`. */
class OpenOrders {
  readonly database = new DatabaseSync(':memory:')
  readonly #statements = new Statements(this.database)
  readonly #count: number

  constructor(count: number) {
    this.#count = count
    assert.ok(migrate(this.database))
    for (let serial = 1; serial <= count; serial += 1) {
      this.database.exec(`INSERT INTO orders VALUES (
        ${serial}, 0, 0, ${serial}, 7, 8, 1, 'ann', 0, 1, 1, 0, 0, 0, 0, NULL, 0, 0)`)
    }
  }

  /** Ends a turn that has used so many serials. */
  update(used = 0): void {
    const lastSerial = this.#count
    updateIndexesWhenDue(this.#statements, { serialBefore: lastSerial - used, lastSerial })
  }

  close(upTo: number): void {
    this.database.exec(`UPDATE orders SET status = 2 WHERE serial <= ${upTo} AND status = 0`)
    for (const view of ['open_orders', 'open_orders_of_player', 'open_orders_of_side']) {
      assert.equal(this.lengthOf(view), this.#count - upTo, view)
    }
  }

  /** The lengths of the indexes of open orders, and of the list of closed ones. */
  get lengths() {
    const open = indexSources.filter(({ condition }) => condition === isOpen)
    const indexed = new Set(open.map(({ index }) => this.lengthOf(index)))
    return { indexed: [...indexed], closed: this.lengthOf('closed_orders') }
  }

  lengthOf(table: string): unknown {
    return this.database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n
  }
}

suite('closed orders', () => {
  test('are not among the open ones, and leave the indexes 1,000 at a time from 500 on', () => {
    const count = 2_000
    const orders = new OpenOrders(count)
    orders.update()
    orders.update()
    assert.deepEqual(orders.lengths, { indexed: [count], closed: 0 })
    const closed = (upTo: number) => {
      orders.close(upTo)
      orders.update()
      return orders.lengths
    }
    assert.deepEqual(closed(499), { indexed: [count], closed: 499 })
    assert.deepEqual(closed(500), { indexed: [count - 500], closed: 0 })
    assert.deepEqual(closed(1_900), { indexed: [count - 1_500], closed: 400 })
    orders.database.close()
  })

  test('leave the indexes later in large turns, and as many as the turn has serials', () => {
    const [count, used] = [5_000, 1_200]
    const orders = new OpenOrders(count)
    // Until all are in the indexes.
    for (let added = 0; added < count; added += used) orders.update()
    orders.close(4 * used - 1)
    orders.update(used)
    assert.deepEqual(orders.lengths, { indexed: [count], closed: 4 * used - 1 })
    orders.close(4 * used)
    orders.update(used)
    assert.deepEqual(orders.lengths, { indexed: [count - used], closed: 3 * used })
    orders.database.close()
  })

  test('are not listed if they never were in the indexes', () => {
    const orders = new OpenOrders(600)
    orders.close(100)
    orders.update()
    assert.deepEqual(orders.lengths, { indexed: [500], closed: 0 })
    orders.database.close()
  })
})
