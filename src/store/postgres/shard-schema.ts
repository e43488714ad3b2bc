// The schemas of a database. The registry is in the home schema, which is the first one in the
// search path of DATABASE_URL. Every shard has a schema of its own, because serials are counted per
// shard.

import pg from 'pg'
import { assert } from '../../core/assert.ts'

/** A single client, or a client of a pool. */
type Queryable = Pick<pg.Client, 'query'>

export type ShardSchema = {
  readonly shard: number
  /** The names of the two schemas. */
  readonly schema: string
  readonly home: string
}

/** Several installations can share a database, each with a home schema of its own. */
export function schemaName(home: string, shard: number): string {
  return home === 'public' ? `outcry_shard_${shard}` : `outcry_${home}_shard_${shard}`
}

/**
 * Unqualified names mean the tables of the shard, and then those of the registry, but never those
 * of another shard.
 */
export function searchPathOf({ schema, home }: ShardSchema): string {
  return `search_path = ${pg.escapeIdentifier(schema)}, ${pg.escapeIdentifier(home)}`
}

export async function homeSchema(client: Queryable): Promise<string> {
  const { rows } = await client.query<{ home: string | null }>('SELECT current_schema() AS home')
  const home = rows[0]?.home ?? null
  assert(home !== null, 'the search path of DATABASE_URL names a schema that exists')
  return home
}

/** In order of their numbers. */
export async function shardSchemas(client: Queryable): Promise<ShardSchema[]> {
  const home = await homeSchema(client)
  const { rows } = await client.query<{ shard: number; schema: string }>(
    'SELECT shard, schema FROM shards ORDER BY shard',
  )
  return rows.map(({ shard, schema }) => ({ shard, schema, home }))
}
