// Prepares a database before its use: checks the server, migrates the tables and creates the commit
// functions. A service that is alone on its database also acquires the leases of all shards; the
// nodes of a cluster acquire them later.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { assert } from '../../core/assert.ts'
import { chainStart } from '../chain.ts'
import { SetupProblem, type TimeProblem } from '../start-errors.ts'
import type { IdKey } from '../store.ts'
import { commitFunction } from './commit-function.ts'
import { type Client, inTransaction, openWriter } from './connection.ts'
import { leaseEnd, leaseMsAlone } from './lease.ts'
import {
  createShards,
  hasNodes,
  hasShardSchemas,
  inSchema,
  knownVersion,
  migrate,
  migrateShard,
  schemaVersion,
} from './migrate.ts'
import { nodeIdOf, shownOwner } from './owner.ts'
import { type ShardSchema, shardSchemas } from './shard-schema.ts'
import {
  cannotOpen,
  DatabaseInUse,
  madeByNewerVersion,
  standby,
  tooOld,
  wrongEncoding,
} from './start-errors.ts'

export type StartOptions = {
  readonly url: string
  readonly owner: string
  /** Shards are created up to this number. */
  readonly shardCount: number
  /** A previous owner from the same place has ended. */
  readonly place: string
  readonly engineVersion: number
  /** Whether the service is a node of a cluster; false by default. */
  readonly isNode?: boolean
}

export type PreparedDatabase = {
  readonly shards: readonly ShardSchema[]
  /** The key of the public ids. */
  readonly idKey: IdKey
}

const serverVersionMin = 15
/** Texts may have any character, and the server must count and compare them as characters. */
const encodingNeeded = 'UTF8'
/** An arbitrary number that other programs are unlikely to use. */
const startLock = 7_201_508_311
const checkAgainMs = 250
/** Between two statements of the start, which a busy machine may delay. */
const startMsMax = 30_000

/**
 * Waits for the end of the leases of a service with which this one cannot share the database, and
 * throws if that service renews one meanwhile. Throws a StoreCannotOpen.
 */
export async function prepareDatabase(
  options: StartOptions,
  timeProblem: TimeProblem = () => null,
): Promise<PreparedDatabase> {
  try {
    const client = await openWriter(options.url, null)
    try {
      await checkServer(client, options.url)
      await client.query(`SET idle_in_transaction_session_timeout = '${startMsMax}ms'`)
      const leases = new Map<string, string>()
      for (;;) {
        const prepared = await inTransaction(client, () => prepare(client, options, timeProblem))
        if (!('lease' in prepared)) return prepared
        const { head, lease, shown } = prepared
        if (leases.has(head) && leases.get(head) !== lease) throw new DatabaseInUse(shown)
        leases.set(head, lease)
        await new Promise((resolve) => setTimeout(resolve, checkAgainMs))
      }
    } finally {
      await client.end().catch(() => undefined)
    }
  } catch (error) {
    throw cannotOpen(error, options.url)
  }
}

type ServerFacts = {
  readonly number: string
  readonly version: string
  readonly encoding: string
  readonly is_standby: boolean
}

async function checkServer(client: Client, url: string): Promise<void> {
  const { rows } = await client.query<ServerFacts>(
    `SELECT current_setting('server_version_num') AS number,
       current_setting('server_version') AS version,
       current_setting('server_encoding') AS encoding,
       pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS is_standby`,
  )
  const [facts] = rows
  assert(facts !== undefined, 'a query without a table has a row')
  const { number, version, encoding, is_standby: isStandby } = facts
  if (Number(number) < serverVersionMin * 10_000) throw tooOld(url, version, serverVersionMin)
  if (encoding !== encodingNeeded) throw wrongEncoding(url, encoding, encodingNeeded)
  if (isStandby) throw standby(url)
}

type OtherOwner = {
  readonly head: string
  readonly lease: string
  /** For an error message. */
  readonly shown: string
}

async function prepare(
  client: Client,
  options: StartOptions,
  timeProblem: TimeProblem,
): Promise<OtherOwner | PreparedDatabase> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [startLock])
  const version = await schemaVersion(client)
  if (version > knownVersion()) throw madeByNewerVersion()
  for (const head of await headTables(client, version)) {
    const other = await otherOwner(client, head, options, timeProblem)
    if (other !== null) return other
  }
  if (hasNodes(version)) {
    const node = await otherNode(client, options)
    if (node !== null) return node
  }
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
  return { shards, idKey: await setUpIds(client) }
}

// The heads of shards before this start. Up to version 6 the only shard has its head in `shards`.
async function headTables(client: Client, version: number): Promise<string[]> {
  if (version === 0) return []
  if (!hasShardSchemas(version)) return ['shards']
  const shards = await shardSchemas(client)
  return shards.map(({ schema }) => `${pg.escapeIdentifier(schema)}.head`)
}

// A service that is alone does not share the database with nodes, even with those without a shard.
async function otherNode(
  client: Client,
  { isNode = false }: StartOptions,
): Promise<OtherOwner | null> {
  if (isNode) return null
  const { rows } = await client.query<{ node: string; address: string; until: string }>(
    `SELECT node, address, alive_until::text AS until FROM nodes
     WHERE alive_until > clock_timestamp() LIMIT 1`,
  )
  const [found] = rows
  if (found === undefined) {
    await client.query('DELETE FROM nodes')
    return null
  }
  return { head: found.node, shown: `the node at ${found.address}`, lease: found.until }
}

/**
 * Locks the head of a shard, so that no turn of a previous owner is in progress. A service that
 * must not continue from the stored time throws here, before it has changed anything. A node shares
 * the database with the services that have ever been nodes.
 */
async function otherOwner(
  client: Client,
  head: string,
  options: StartOptions,
  timeProblem: TimeProblem,
): Promise<OtherOwner | null> {
  const { rows } = await client.query<Record<string, string | number | boolean>>(
    `SELECT owner, lease_until::text AS lease, engine_version, now,
       lease_until > clock_timestamp() AS is_fresh
     FROM ${head} ${options.isNode ? '' : 'FOR UPDATE'}`,
  )
  const [found] = rows
  if (found === undefined) return null
  if (Number(found.engine_version) > options.engineVersion) throw madeByNewerVersion()
  const problem = timeProblem(Number(found.now))
  if (problem !== null) throw new SetupProblem(problem)
  if (String(found.owner).startsWith(`${options.place} `) || found.is_fresh !== true) return null
  if (options.isNode && (await isNodeAt(client, String(found.owner)))) return null
  return { head, shown: shownOwner(String(found.owner)), lease: String(found.lease) }
}

async function isNodeAt(client: Client, owner: string): Promise<boolean> {
  const known = await client.query(`SELECT to_regclass('nodes') IS NOT NULL AS is_made`)
  if (known.rows[0]?.is_made !== true) return false
  const { rowCount } = await client.query('SELECT 1 FROM nodes WHERE node = $1', [nodeIdOf(owner)])
  return rowCount === 1
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
