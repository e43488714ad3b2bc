// Prepares a database before its use: migrates the tables and creates the commit functions. A
// service that is alone on its database also acquires the leases of all shards; the nodes of a
// cluster acquire them later.

import { randomBytes } from 'node:crypto'
import { assert } from '../../core/assert.ts'
import { chainStart } from '../chain.ts'
import type { TimeProblem } from '../start-errors.ts'
import type { IdKey } from '../store.ts'
import { commitFunction } from './commit-function.ts'
import type { Client } from './connection.ts'
import { setUpHistory } from './history.ts'
import { leaseEnd, leaseMsAlone } from './lease.ts'
import { createShards, hasNodes, inSchema, knownVersion, migrate, migrateShard } from './migrate.ts'
import { type ShardSchema, shardSchemas } from './shard-schema.ts'
import { type SoleUse, withSoleUse } from './sole-use.ts'

export type StartOptions = SoleUse & {
  readonly owner: string
  /** Shards are created up to this number. */
  readonly shardCount: number
}

export type PreparedDatabase = {
  readonly shards: readonly ShardSchema[]
  /** The key of the public ids. */
  readonly idKey: IdKey
}

/** Throws a StoreCannotOpen. */
export function prepareDatabase(
  options: StartOptions,
  timeProblem: TimeProblem = () => null,
): Promise<PreparedDatabase> {
  return withSoleUse(options, timeProblem, (client, version) => prepare(client, version, options))
}

async function prepare(
  client: Client,
  version: number,
  options: StartOptions,
): Promise<PreparedDatabase> {
  // Those that have ended: a service that is alone has no others.
  if (hasNodes(version) && !options.isNode) await client.query('DELETE FROM nodes')
  if (version < knownVersion()) await migrate(client, version)
  await createShards(client, options.shardCount)
  const shards = await shardSchemas(client)
  for (const shard of shards) {
    await migrateShard(client, shard)
    await inSchema(client, shard, async () => {
      await makeFunction(client, options)
      await setUpHead(client, shard, options)
    })
  }
  await setUpHistory(client)
  return { shards, idKey: await setUpIds(client) }
}

// Functions of other versions are dropped: their services have lost the shard. Nodes of another
// version may still use them.
async function makeFunction(client: Client, { isNode = false }: StartOptions): Promise<void> {
  const { rows } = await client.query<{ name: string; signature: string }>(
    `SELECT proname AS name, oid::regprocedure::text AS signature FROM pg_proc
     WHERE proname LIKE 'commit\\_turn\\_%' AND pronamespace = current_schema()::regnamespace`,
  )
  for (const { name, signature } of rows) {
    if (!isNode && name !== commitFunction.name) await client.query(`DROP FUNCTION ${signature}`)
  }
  if (!rows.some(({ name }) => name === commitFunction.name)) {
    await client.query(commitFunction.definition)
  }
}

async function setUpHead(
  client: Client,
  { shard }: ShardSchema,
  { engineVersion, isNode = false, owner }: StartOptions,
): Promise<void> {
  await client.query(
    `INSERT INTO head (shard, epoch, engine_version, command_sequence, last_serial, now, batch_id,
       hash, owner, lease_until)
     VALUES ($1, 0, $2, 0, 0, 0, '', $3, '', '-infinity') ON CONFLICT (shard) DO NOTHING`,
    [shard, engineVersion, Buffer.from(chainStart)],
  )
  if (isNode) return
  await client.query(
    `UPDATE head SET epoch = epoch + 1, engine_version = $2, owner = $3,
       lease_until = ${leaseEnd('$4')}, successor = NULL, released_at = NULL
     WHERE shard = $1`,
    [shard, engineVersion, owner, leaseMsAlone],
  )
}

// All shards make their public ids with one key.
async function setUpIds(client: Client): Promise<IdKey> {
  const words = randomBytes(8)
  await client.query(
    `INSERT INTO meta VALUES ('id_key_0', $1), ('id_key_1', $2) ON CONFLICT DO NOTHING`,
    [words.readUInt32LE(0), words.readUInt32LE(4)],
  )
  const { rows } = await client.query<{ value: number }>(
    `SELECT value FROM meta WHERE name IN ('id_key_0', 'id_key_1') ORDER BY name`,
  )
  const [first, second] = rows
  assert(first !== undefined && second !== undefined, 'the key of ids has two words')
  return [first.value, second.value]
}
