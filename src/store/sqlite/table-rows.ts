// Reads whole tables row by row, for a migration to another database.

import type { SQLOutputValue } from 'node:sqlite'
import { numberOf } from '../sql/cells.ts'
import { openReader } from './connection.ts'

export type TableRows = {
  count(table: string): number
  /** Each row as an array of those columns. */
  rows(table: string, columns: readonly string[]): Iterable<readonly SQLOutputValue[]>
  close(): void
}

/** Of a folder in which nothing is pending. */
export function openTables(folder: string): TableRows {
  const database = openReader(folder)
  return {
    count: (table) => numberOf(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n),
    *rows(table, columns) {
      const text = `SELECT ${columns.join(', ')} FROM ${table}`
      const rows = database.prepare(text, { returnArrays: true }).iterate()
      // The rows are arrays, although they have the type of records.
      for (const row of rows) yield Object.values(row)
    },
    close: () => database.close(),
  }
}
