// Migrates the tables to the version of this code, one step per file, inside the transaction of a
// start. The steps in migrations/ are for the home schema, those in shard-migrations/ for every
// shard.

import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import type { Client } from './connection.ts'
import { homeSchema, type ShardSchema, schemaName, searchPathOf } from './shard-schema.ts'

const homeSteps = new URL('./migrations/', import.meta.url)
const shardSteps = new URL('./shard-migrations/', import.meta.url)

/** The step that has moved the tables of the only shard to a schema of their own. */
const shardSchemasSince = 7
const nodesSince = 8

/** 0 for an empty database. */
export async function schemaVersion(client: Client): Promise<number> {
  const { rows } = await client.query(`SELECT to_regclass('schema_version') IS NOT NULL AS is_made`)
  if (rows[0]?.is_made !== true) return 0
  const found = await client.query('SELECT version FROM schema_version')
  return Number(found.rows[0]?.version ?? 0)
}

export function knownVersion(): number {
  return filesIn(homeSteps).length
}

/** Whether a database of that version has a schema per shard. */
export function hasShardSchemas(version: number): boolean {
  return version >= shardSchemasSince
}

/** Whether a database of that version has a table of nodes. */
export function hasNodes(version: number): boolean {
  return version >= nodesSince
}

export async function migrate(client: Client, version: number): Promise<void> {
  if (version === 0) {
    await client.query('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)')
    await client.query('INSERT INTO schema_version VALUES (0)')
  }
  const first = schemaName(await homeSchema(client), 0)
  await client.query(`SELECT set_config('outcry.schema_of_shard', $1, true)`, [first])
  for (const file of filesIn(homeSteps).slice(version)) {
    await client.query(readFileSync(new URL(file, homeSteps), 'utf8'))
  }
  await client.query('UPDATE schema_version SET version = $1', [knownVersion()])
}

/** Creates the schemas of shards that do not exist, up to the number of shards. */
export async function createShards(client: Client, count: number): Promise<void> {
  const home = await homeSchema(client)
  for (let shard = 0; shard < count; shard += 1) {
    const schema = schemaName(home, shard)
    const { rowCount } = await client.query(
      'INSERT INTO shards (shard, schema, version) VALUES ($1, $2, 0) ON CONFLICT DO NOTHING',
      [shard, schema],
    )
    if (rowCount === 1) await client.query(`CREATE SCHEMA ${pg.escapeIdentifier(schema)}`)
  }
}

/** Leaves the search path of the transaction as it was. */
export async function migrateShard(client: Client, shard: ShardSchema): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    'SELECT version FROM shards WHERE shard = $1',
    [shard.shard],
  )
  const steps = filesIn(shardSteps)
  const version = rows[0]?.version ?? 0
  if (version === steps.length) return
  await inSchema(client, shard, async () => {
    // A turn changes the head first, so none is in progress now: one that had written some of the
    // tables would deadlock with the steps. The lock of the row alone would not do, because a step
    // may change the table, which a turn that waits for the row already uses.
    if (version > 0) await client.query('LOCK TABLE head IN EXCLUSIVE MODE')
    for (const file of steps.slice(version)) {
      await client.query(readFileSync(new URL(file, shardSteps), 'utf8'))
    }
  })
  await client.query('UPDATE shards SET version = $2 WHERE shard = $1', [shard.shard, steps.length])
}

/** Inside a transaction; if the work fails, the transaction does. */
export async function inSchema<Answer>(
  client: Client,
  shard: ShardSchema,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { rows } = await client.query<{ path: string }>(
    `SELECT current_setting('search_path') AS path`,
  )
  await client.query(`SET LOCAL ${searchPathOf(shard)}`)
  const answer = await work()
  await client.query(`SELECT set_config('search_path', $1, true)`, [rows[0]?.path])
  return answer
}

function filesIn(folder: URL): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
}
