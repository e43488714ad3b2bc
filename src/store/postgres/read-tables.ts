// Reads whole tables from one snapshot of a database, for an audit.

import { inTransaction, openClient } from './connection.ts'
import { filledTables } from './fill.ts'
import { eachPart, oneState } from './load-shard.ts'
import { knownVersion, schemaVersion } from './migrate.ts'
import { cannotOpen, madeByAnotherVersion } from './start-errors.ts'

const numeric = 1_700

export type TableSink = {
  begin(table: string): void
  put(table: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): void
}

/**
 * Sums are passed on as SQLite stores them: a bigint, or a text past 2^53. Throws a
 * StoreCannotOpen.
 */
export async function readTables(url: string, sink: TableSink): Promise<void> {
  try {
    const client = await openClient(url)
    try {
      const work = async () => {
        if ((await schemaVersion(client)) !== knownVersion()) throw madeByAnotherVersion()
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
