// Whole tables of a database, all from one state of it, for whoever takes them elsewhere.

import { inTransaction, openClient } from './connection.ts'
import { filledTables } from './fill.ts'
import { eachPart, oneState } from './load-shard.ts'
import { cannotOpen } from './start-errors.ts'

const numeric = 1_700

export type TableSink = {
  begin(table: string): void
  put(table: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): void
}

/** Sums are whole numbers of the kind that SQLite has: a bigint, or a text past 2^53. */
export async function readTables(url: string, sink: TableSink): Promise<void> {
  try {
    const client = await openClient(url)
    try {
      const work = async () => {
        for (const table of [...filledTables, 'meta', 'shards']) {
          sink.begin(table)
          await eachPart(client, `SELECT * FROM ${table}`, [], ({ fields, rows }) => {
            const isSum = fields.map(({ dataTypeID }) => dataTypeID === numeric)
            const cells = rows.map((row) =>
              row.map((cell, index) => (isSum[index] === true ? sumOf(String(cell)) : cell)),
            )
            const names = fields.map(({ name }) => name)
            sink.put(table, names, cells)
          })
        }
      }
      await inTransaction(client, work, oneState)
    } finally {
      void client.end().catch(() => undefined)
    }
  } catch (error) {
    throw cannotOpen(error, url)
  }
}

function sumOf(text: string): bigint | string {
  return Number.isSafeInteger(Number(text)) ? BigInt(text) : text
}
