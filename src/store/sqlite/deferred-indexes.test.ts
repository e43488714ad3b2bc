// When the deferred indexes are updated, what is removed from them, and that a read finds every row
// once, whichever of the indexes have it.

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { Ids } from '../../core/ids.ts'
import { indexChecks } from './audit/deferred-indexes.ts'
import { Statements } from './connection.ts'
import { indexNames, indexSources, isOpen, updateIndexesWhenDue } from './deferred-indexes.ts'
import { migrate } from './migrate.ts'

const viewOf: Readonly<Record<string, string>> = {
  order_index_by_operator: 'orders_of_operator',
  order_index_by_market: 'orders_of_market',
  order_index_by_player: 'orders_of_player',
  order_index_by_transaction: 'orders_of_transaction',
  open_order_index_by_operator: 'open_orders',
  open_order_index_by_player: 'open_orders_of_player',
  open_order_index_by_side: 'open_orders_of_side',
  trade_index_by_operator: 'trades_of_operator',
  trade_index_by_market: 'trades_of_market',
  trade_index_by_outcome: 'trades_of_outcome',
  trade_index_by_order: 'trades_of_order',
  trade_index_by_player: 'trades_of_player',
}

/** Orders and trades of a few operators, markets and players, and the indexes of them. */
class Rows {
  readonly database = new DatabaseSync(':memory:')
  readonly #statements = new Statements(this.database)
  #last = 0

  constructor() {
    assert.ok(migrate(this.database))
    this.database.exec("INSERT INTO head VALUES (0, 1, 1, 0, 0, 0, '', zeroblob(32))")
  }

  /** Every third serial is a trade; some trades are of one operator, or with the issuer. */
  add(count: number): void {
    const serials = `WITH RECURSIVE serials (n) AS (
      SELECT ${this.#last + 1} UNION ALL SELECT n + 1 FROM serials WHERE n < ${this.#last + count}
    )`
    this.#last += count
    this.database.exec(`
      ${serials} INSERT INTO orders SELECT n, 0, 0, n, n % 5, n % 10, 1 + n % 4,
        'player-' || n % 97, n % 2, 1, 1, 0, 0, n % 2, 0, iif(n % 11 = 0, NULL, n * 7 % 1000), 0, 0
      FROM serials WHERE n % 3 > 0;
      ${serials} INSERT INTO trades SELECT n, 0, n % 5, n % 10, n - 1, 0, n - 2, 0,
        n % 4, n % 5, 1, 1, 0, 0, 1, 0
      FROM serials WHERE n % 3 = 0;
      UPDATE head SET last_serial = ${this.#last}`)
  }

  /** Closes so many open orders, old and new ones. */
  close(count: number): void {
    this.database.exec(`UPDATE orders SET status = 2 WHERE serial IN (
      SELECT serial FROM orders WHERE ${isOpen} ORDER BY serial * 7919 % 10007 LIMIT ${count})`)
  }

  /** Returns the index that was updated, 'closed' after a removal, or null if nothing was due. */
  update(): string | null {
    const before = this.marks
    if (!updateIndexesWhenDue(this.#statements)) return null
    const { marks } = this
    const updated = indexNames.filter((index) => marks[index] !== before[index])
    assert.ok(updated.length <= 1, 'one index is updated at a time')
    return updated[0] ?? 'closed'
  }

  get marks(): Readonly<Record<string, number>> {
    const marks = this.database.prepare('SELECT index_name, indexed_to FROM index_marks').all()
    return Object.fromEntries(marks.map((cells) => [cells.index_name, cells.indexed_to]))
  }

  /** The indexes whose view does not have every row of its table exactly once. */
  get wrongViews(): string[] {
    return indexNames.filter((index) => {
      const sources = indexSources.filter((source) => source.index === index)
      const keys = sources[0]!.columns.length
      const expected = sources
        .map(({ columns, table, condition }) => {
          return `SELECT ${columns.join(', ')} FROM ${table} WHERE ${condition}`
        })
        .join(' UNION ALL ')
      const found = `SELECT ${this.#columnsOf(viewOf[index]!).slice(0, keys)} FROM ${viewOf[index]}`
      const isComplete = this.#count(`${expected} EXCEPT ${found}`) === 0
      return !isComplete || this.#count(expected) !== this.#count(found)
    })
  }

  /** What the audit finds. */
  get findings(): string[] {
    const { database } = this
    const ids = new Ids({ shard: 0, key: [1, 2] })
    const snapshot = { database, statements: this.#statements, ids, shard: 0, onPart() {} }
    return indexChecks.flatMap(({ run }) => [...run(snapshot)])
  }

  /** The lengths of the indexes of open orders, and of the list of closed ones. */
  get lengths() {
    const open = indexSources.filter(({ condition }) => condition === isOpen)
    const indexed = new Set(open.map(({ index }) => this.#count(`SELECT 1 FROM ${index}`)))
    return { indexed: [...indexed], closed: this.#count('SELECT 1 FROM closed_orders') }
  }

  get openOrders(): number {
    return this.#count(`SELECT 1 FROM orders WHERE ${isOpen}`)
  }

  #columnsOf(view: string): unknown[] {
    const columns = this.database.prepare(`PRAGMA table_info(${view})`).all()
    return columns.map(({ name }) => name)
  }

  #count(text: string): number {
    return Number(this.database.prepare(`SELECT count(*) AS n FROM (${text})`).get()?.n)
  }
}

/** Updates until nothing is due; returns what was updated. */
function updateAll(rows: Rows): string[] {
  const updated: string[] = []
  for (let name = rows.update(); name !== null; name = rows.update()) updated.push(name)
  return updated
}

suite('deferred indexes are updated', () => {
  test('one at a time, after 4,000 serials', () => {
    const rows = new Rows()
    rows.add(3_999)
    assert.equal(rows.update(), null)
    rows.add(1)
    assert.deepEqual(updateAll(rows), indexNames.toSorted())
    assert.deepEqual(new Set(Object.values(rows.marks)), new Set([4_000]))
    rows.database.close()
  })

  test('to the last serial, and first the one that is furthest behind', () => {
    const rows = new Rows()
    rows.add(7_000)
    const first = rows.update()!
    assert.equal(rows.marks[first], 7_000)
    rows.add(4_000)
    assert.equal(updateAll(rows).at(-1), first)
    assert.deepEqual(new Set(Object.values(rows.marks)), new Set([11_000]))
    rows.database.close()
  })

  test('each has a mark', () => {
    const rows = new Rows()
    assert.deepEqual(Object.keys(rows.marks).sort(), indexNames.toSorted())
    rows.database.close()
  })
})

suite('between two updates', () => {
  test('the last row that is in an index is found once, and leaves it when it is closed', () => {
    const rows = new Rows()
    // An order, then a trade.
    for (const count of [4_001, 4_000]) {
      rows.add(count)
      updateAll(rows)
      assert.deepEqual(rows.wrongViews, [])
      rows.close(rows.openOrders)
      assert.deepEqual([rows.wrongViews, rows.findings], [[], []])
      updateAll(rows)
      assert.deepEqual(rows.lengths, { indexed: [0], closed: 0 })
    }
    rows.database.close()
  })

  test('a read finds every row once, while orders are placed and closed', () => {
    const rows = new Rows()
    const updated = new Map<string, number>()
    for (let step = 0; step < 40; step += 1) {
      rows.add(step % 20 === 0 ? 4_500 : 90)
      rows.close(60)
      const name = rows.update()
      if (name !== null) updated.set(name, (updated.get(name) ?? 0) + 1)
      assert.deepEqual(rows.wrongViews, [], `step ${step}, ${name}`)
      assert.deepEqual(rows.findings, [], `step ${step}, ${name}`)
    }
    assert.deepEqual([...updated.keys()].sort(), [...indexNames, 'closed'].sort())
    assert.ok([...updated.values()].every((times) => times >= 2))
    rows.database.close()
  })
})

suite('closed orders', () => {
  test('leave the indexes of open orders together, from 500 on', () => {
    const rows = new Rows()
    rows.add(4_000)
    updateAll(rows)
    const count = rows.openOrders
    assert.deepEqual(rows.lengths, { indexed: [count], closed: 0 })
    rows.close(499)
    assert.equal(rows.update(), null)
    assert.deepEqual(rows.lengths, { indexed: [count], closed: 499 })
    rows.close(1)
    assert.equal(rows.update(), 'closed')
    assert.deepEqual(rows.lengths, { indexed: [count - 500], closed: 0 })
    assert.deepEqual(rows.wrongViews, [])
    rows.database.close()
  })

  test('leave in parts if they are very many', () => {
    const rows = new Rows()
    rows.add(18_000)
    updateAll(rows)
    rows.close(11_000)
    assert.equal(rows.update(), 'closed')
    assert.deepEqual(rows.lengths, { indexed: [rows.openOrders + 1_000], closed: 1_000 })
    assert.deepEqual(rows.findings, [])
    assert.equal(rows.update(), 'closed')
    assert.deepEqual(rows.lengths, { indexed: [rows.openOrders], closed: 0 })
    rows.database.close()
  })

  test('are not listed if no index ever had them', () => {
    const rows = new Rows()
    rows.add(4_000)
    rows.close(100)
    updateAll(rows)
    assert.deepEqual(rows.lengths, { indexed: [rows.openOrders], closed: 0 })
    rows.database.close()
  })

  test('leave the index that had them, and are never added to the others', () => {
    const rows = new Rows()
    rows.add(4_000)
    const index = 'open_order_index_by_operator'
    assert.equal(rows.update(), index)
    rows.close(600)
    assert.equal(rows.lengths.closed, 600)
    const updated = updateAll(rows)
    assert.ok(updated.includes('closed') && !updated.includes(index))
    assert.deepEqual(rows.lengths, { indexed: [rows.openOrders], closed: 0 })
    rows.database.close()
  })

  test('do not wait while indexes are behind', () => {
    const rows = new Rows()
    rows.add(8_000)
    updateAll(rows)
    rows.add(4_000)
    rows.close(1_200)
    assert.equal(rows.update(), 'closed')
    rows.database.close()
  })
})
