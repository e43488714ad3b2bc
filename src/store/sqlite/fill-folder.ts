// Fills a new database in a folder with the tables of another store. Nothing is synced, because the
// database is temporary.

import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { assert } from '../../core/assert.ts'
import { textOf } from '../sql/cells.ts'
import { openWriter, Statements } from './connection.ts'
import { updateIndexes } from './deferred-indexes.ts'
import { inTransaction } from './migrate.ts'
import { prepareDatabase, type StartOptions } from './start.ts'

export class FolderFiller {
  readonly #database: DatabaseSync

  constructor(options: StartOptions) {
    prepareDatabase(options)
    this.#database = openWriter(options.folder)
    this.#database.exec('PRAGMA synchronous = OFF')
  }

  /** Deletes the rows that the start has inserted. */
  begin(table: string): void {
    this.#database.exec(`DELETE FROM ${table}`)
  }

  /** Columns that the tables of SQLite do not have are left out. */
  put(table: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): void {
    const known = new Set(
      this.#database
        .prepare(`PRAGMA table_info(${table})`)
        .all()
        .map(({ name }) => textOf(name)),
    )
    const places = columns.flatMap((name, place) => (known.has(name) ? [place] : []))
    const names = places.map((place) => columns[place])
    const insert = this.#database.prepare(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    )
    inTransaction(this.#database, () => {
      for (const row of rows) insert.run(...places.map((place) => bound(row[place])))
    })
  }

  close(): void {
    inTransaction(this.#database, () => updateIndexes(new Statements(this.#database)))
    this.#database.close()
  }
}

function bound(cell: unknown): SQLInputValue {
  if (cell === null || cell instanceof Uint8Array) return cell
  const isPlain = typeof cell === 'number' || typeof cell === 'string' || typeof cell === 'bigint'
  assert(isPlain, 'a cell has a type that both databases support')
  return cell
}
