// Waits until no other service uses a database: for the start of a service, and for programs that
// change what a service reads only once.

import pg from 'pg'
import { assert } from '../../core/assert.ts'
import { SetupProblem, type TimeProblem } from '../start-errors.ts'
import { type Client, inTransaction, openWriter } from './connection.ts'
import { hasNodes, hasShardSchemas, knownVersion, schemaVersion } from './migrate.ts'
import { nodeIdOf, shownOwner } from './owner.ts'
import { shardSchemas } from './shard-schema.ts'
import {
  cannotOpen,
  DatabaseInUse,
  madeByNewerVersion,
  standby,
  tooOld,
  wrongEncoding,
} from './start-errors.ts'

export type SoleUse = {
  readonly url: string
  /** A previous owner from the same place has ended; null for a program. */
  readonly place: string | null
  readonly engineVersion: number
  /** Whether the service is a node of a cluster; false by default. */
  readonly isNode?: boolean
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
 * Does the work in a transaction in which no service starts. Before that, it waits for the end of
 * the leases of services with which this one cannot share the database, and throws if one of them
 * renews its lease meanwhile. The work gets the version of the tables. Throws a StoreCannotOpen.
 */
export async function withSoleUse<Answer>(
  options: SoleUse,
  timeProblem: TimeProblem,
  work: (client: Client, version: number) => Promise<Answer>,
): Promise<Answer> {
  try {
    const client = await openWriter(options.url, null)
    try {
      await checkServer(client, options.url)
      await client.query(`SET idle_in_transaction_session_timeout = '${startMsMax}ms'`)
      const leases = new Map<string, string>()
      for (;;) {
        const attempt = await inTransaction(client, async () => {
          await client.query('SELECT pg_advisory_xact_lock($1)', [startLock])
          const version = await schemaVersion(client)
          const other = await otherUser(client, version, { options, timeProblem })
          return other === null ? { answer: await work(client, version) } : { other }
        })
        if ('answer' in attempt) return attempt.answer
        const { head, lease, shown } = attempt.other
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

type OtherUser = {
  readonly head: string
  readonly lease: string
  /** For an error message. */
  readonly shown: string
}

async function otherUser(
  client: Client,
  version: number,
  { options, timeProblem }: { options: SoleUse; timeProblem: TimeProblem },
): Promise<OtherUser | null> {
  if (version > knownVersion()) throw madeByNewerVersion()
  for (const head of await headTables(client, version)) {
    const owner = await otherOwner(client, head, { options, timeProblem })
    if (owner !== null) return owner
  }
  return hasNodes(version) && !options.isNode ? otherNode(client) : null
}

// The heads of shards before this start. Up to version 6 the only shard has its head in `shards`.
async function headTables(client: Client, version: number): Promise<string[]> {
  if (version === 0) return []
  if (!hasShardSchemas(version)) return ['shards']
  const shards = await shardSchemas(client)
  return shards.map(({ schema }) => `${pg.escapeIdentifier(schema)}.head`)
}

// A service that is alone does not share the database with nodes, even with those without a shard.
async function otherNode(client: Client): Promise<OtherUser | null> {
  const { rows } = await client.query<{ node: string; address: string; until: string }>(
    `SELECT node, address, alive_until::text AS until FROM nodes
     WHERE alive_until > clock_timestamp() LIMIT 1`,
  )
  const [found] = rows
  if (found === undefined) return null
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
  { options, timeProblem }: { options: SoleUse; timeProblem: TimeProblem },
): Promise<OtherUser | null> {
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
  const owner = String(found.owner)
  const isOwn = options.place !== null && owner.startsWith(`${options.place} `)
  if (isOwn || found.is_fresh !== true) return null
  if (options.isNode && (await isNodeAt(client, owner))) return null
  return { head, shown: shownOwner(owner), lease: String(found.lease) }
}

async function isNodeAt(client: Client, owner: string): Promise<boolean> {
  const known = await client.query(`SELECT to_regclass('nodes') IS NOT NULL AS is_made`)
  if (known.rows[0]?.is_made !== true) return false
  const { rowCount } = await client.query('SELECT 1 FROM nodes WHERE node = $1', [nodeIdOf(owner)])
  return rowCount === 1
}
