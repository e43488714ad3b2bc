// Reads whole tables from one snapshot of a database, for an audit.

import { type Client, inTransaction, oneState, openClient } from './connection.ts'
import { filledTables } from './fill.ts'
import { eachPart } from './load-shard.ts'
import { knownVersion, schemaVersion } from './migrate.ts'
import { type ShardSchema, searchPathOf, shardSchemas } from './shard-schema.ts'
import { cannotOpen, madeByAnotherVersion } from './start-errors.ts'

const numeric = 1_700

export type TableSink = {
  begin(table: string): void
  put(table: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): void
}

/** The shards of a database. Throws a StoreCannotOpen. */
export function findShards(url: string): Promise<readonly ShardSchema[]> {
  return withTables(url, (client) => shardSchemas(client))
}

/**
 * Reads the tables of a shard and of the registry. Sums are passed on as SQLite stores them: a
 * bigint, or a text past 2^53. Throws a StoreCannotOpen.
 */
export async function readTables(url: string, shard: ShardSchema, sink: TableSink): Promise<void> {
  await withTables(url, async (client) => {
    await client.query(`SET LOCAL ${searchPathOf(shard)}`)
    for (const table of [...filledTables, 'meta', 'head']) {
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
  })
}

async function withTables<Answer>(
  url: string,
  read: (client: Client) => Promise<Answer>,
): Promise<Answer> {
  try {
    const client = await openClient(url)
    try {
      const work = async () => {
        if ((await schemaVersion(client)) !== knownVersion()) throw madeByAnotherVersion()
        return read(client)
      }
      return await inTransaction(client, work, oneState)
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
