// Fills an empty database with the tables of another store, in one transaction.

import pg from 'pg'
import { assert } from '../../core/assert.ts'
import { StoreCannotOpen } from '../start-errors.ts'
import { type Client, inTransaction, openWriter } from './connection.ts'
import { releaseLease } from './lease.ts'
import { shownOwner } from './owner.ts'
import type { ShardSchema } from './shard-schema.ts'
import { prepareDatabase, type StartOptions } from './start.ts'
import { DatabaseInUse } from './start-errors.ts'

export type Source = {
  count(table: string): number
  rows(table: string, columns: readonly string[]): Iterable<readonly unknown[]>
}

type Progress = (done: number, table: string) => void

/** A table that refers to another one comes after it. */
export const filledTables = [
  ...['operators', 'keys', 'categories', 'webhooks', 'webhook_cursors', 'kept_answers'],
  ...['webhook_attempts', 'webhook_minutes', 'audit_entries', 'key_uses'],
  ...['markets', 'market_counters', 'outcomes', 'books', 'candles', 'participants', 'jobs'],
  ...['orders', 'order_amounts', 'sets', 'trades', 'positions', 'settlements'],
  ...['dead_men', 'controls', 'brakes', 'order_groups', 'order_group_fills', 'order_group_orders'],
  ...['event_records', 'event_chunks', 'event_sequences', 'tallies', 'batches'],
]
const rowsAtOnce = 2_000

/**
 * Fills the first shard and the registry, and returns that shard. Throws a StoreCannotOpen, also if
 * the database is not empty.
 */
export async function fillDatabase(
  start: StartOptions,
  source: Source,
  onProgress: Progress,
): Promise<ShardSchema> {
  const { shards } = await prepareDatabase(start)
  const [shard] = shards
  assert(shard !== undefined, 'a database has a shard')
  const client = await openWriter(start.url, shard)
  try {
    await inTransaction(client, async () => {
      await keepOthersOut(client, shards, start.owner)
      await fill(client, source, onProgress)
    })
    await client.query('ANALYZE')
    return shard
  } finally {
    await client.end()
    for (const each of shards) await release(start, each)
  }
}

/** No other service starts before the end of the transaction, which may outlast a lease. */
async function keepOthersOut(
  client: Client,
  shards: readonly ShardSchema[],
  owner: string,
): Promise<void> {
  await client.query('LOCK TABLE nodes IN SHARE ROW EXCLUSIVE MODE')
  const { rows } = await client.query<{ address: string }>('SELECT address FROM nodes')
  if (rows[0] !== undefined) throw new DatabaseInUse(`the node at ${rows[0].address}`)
  for (const { schema } of shards) {
    const head = `${pg.escapeIdentifier(schema)}.head`
    const found = await client.query<{ owner: string }>(`SELECT owner FROM ${head} FOR UPDATE`)
    const [other] = found.rows.filter((row) => row.owner !== owner)
    if (other !== undefined) throw new DatabaseInUse(shownOwner(other.owner))
  }
}

async function release({ url, owner }: StartOptions, shard: ShardSchema): Promise<void> {
  const client = await openWriter(url, shard)
  try {
    await releaseLease(client, { shard, owner })
  } finally {
    await client.end()
  }
}

/** The number of rows of each table of a shard and of the registry. */
export async function countRows(url: string, shard: ShardSchema): Promise<Map<string, number>> {
  const client = await openWriter(url, shard)
  try {
    const counts = new Map<string, number>()
    for (const table of filledTables) {
      const { rows } = await client.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)
      counts.set(table, rows[0]!.n)
    }
    return counts
  } finally {
    await client.end()
  }
}

async function fill(client: Client, source: Source, onProgress: Progress): Promise<void> {
  await client.query('SET LOCAL idle_in_transaction_session_timeout = 0')
  for (const table of filledTables) {
    const { rows } = await client.query(`SELECT 1 FROM ${table} LIMIT 1`)
    if (rows.length > 0) throw new StoreCannotOpen('The database of DATABASE_URL is not empty.')
  }
  let done = 0
  for (const table of filledTables) {
    const columns = await columnsOf(client, table)
    const names = columns.map(({ name }) => name)
    for (const part of partsOf(source.rows(table, names))) {
      await insert(client, table, columns, part)
      done += part.length
      onProgress(done, table)
    }
  }
  await moveHead(client, source)
  for (const [table, column] of [
    ['batches', 'batch'],
    ['participants', 'participant'],
  ]) {
    const sequence = `pg_get_serial_sequence('${table}', '${column}')`
    await client.query(`SELECT setval(${sequence}, max(${column})) FROM ${table}`)
  }
}

type Column = { readonly name: string; readonly type: string }

async function columnsOf(client: Client, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  )
  return rows
}

async function insert(
  client: Client,
  table: string,
  columns: readonly Column[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const names = columns.map(({ name }) => name).join(', ')
  const values = columns.map(({ name, type }) => `row.${name}::${type}`).join(', ')
  const lists = columns.map((_, index) => `$${index + 1}::text[]`).join(', ')
  await client.query(
    `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
     SELECT ${values} FROM unnest(${lists}) AS row (${names})`,
    columns.map((_, index) => rows.map((row) => asText(row[index]))),
  )
}

// Copies the key of the public ids, the head of the shard and, since its events go on, the id of
// the history.
async function moveHead(client: Client, source: Source): Promise<void> {
  for (const [name, value] of source.rows('meta', ['name', 'value'])) {
    if (!String(name).startsWith('id_key_')) continue
    await client.query('UPDATE meta SET value = $2 WHERE name = $1', [name, value])
  }
  for (const [id] of source.rows('history', ['id'])) {
    await client.query('UPDATE history SET id = $1', [id])
  }
  const columns = ['epoch', 'command_sequence', 'last_serial', 'now', 'batch_id', 'hash', 'shard']
  for (const row of source.rows('head', columns)) {
    await client.query(
      `UPDATE head SET epoch = epoch + $1::bigint, command_sequence = $2::bigint,
         last_serial = $3::bigint, now = $4::bigint, batch_id = $5, hash = $6::bytea
       WHERE shard = $7::bigint`,
      row.map(asText),
    )
  }
}

function asText(value: unknown): string | null {
  if (value === null) return null
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return String(value)
}

function* partsOf<Item>(items: Iterable<Item>): Iterable<Item[]> {
  let part: Item[] = []
  for (const item of items) {
    part.push(item)
    if (part.length < rowsAtOnce) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}
