// Whole tables of a database, row by row, for whoever takes them elsewhere.

import type { SQLOutputValue } from 'node:sqlite'
import { numberOf } from '../sql/cells.ts'
import { openReader } from './connection.ts'
import { prepareDatabase, type StartOptions } from './start.ts'

export type TableRows = {
  count(table: string): number
  /** Each row as an array of those columns. */
  rows(table: string, columns: readonly string[]): Iterable<readonly SQLOutputValue[]>
  close(): void
}

/** Brings it up to date first. Nobody else may use the folder. Throws a StoreCannotOpen. */
export function openTables(options: StartOptions): TableRows {
  prepareDatabase(options)
  const database = openReader(options.folder)
  return {
    count: (table) => numberOf(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n),
    *rows(table, columns) {
      const text = `SELECT ${columns.join(', ')} FROM ${table}`
      const rows = database.prepare(text, { returnArrays: true }).iterate()
      // Arrays come as the type of records, and are arrays all the same.
      for (const row of rows) yield Object.values(row)
    },
    close: () => database.close(),
  }
}
