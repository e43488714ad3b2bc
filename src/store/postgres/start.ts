// Prepares a database before its use: checks the server, acquires the lease of the shard, migrates
// the tables and creates the commit function.

import { randomBytes } from 'node:crypto'
import { assert } from '../../core/assert.ts'
import { chainStart } from '../chain.ts'
import { SetupProblem, type TimeProblem } from '../start-errors.ts'
import { commitFunction } from './commit-function.ts'
import { type Client, inTransaction, openWriter } from './connection.ts'
import { type Hold, leaseText } from './lease.ts'
import { knownVersion, migrate, schemaVersion } from './migrate.ts'
import {
  cannotOpen,
  DatabaseInUse,
  madeByNewerVersion,
  standby,
  tooOld,
  wrongEncoding,
} from './start-errors.ts'

export type StartOptions = Hold & {
  readonly url: string
  /** A previous owner from the same place has ended. */
  readonly place: string
  readonly engineVersion: number
}

const serverVersionMin = 15
/** Texts may have any character, and the server must count and compare them as characters. */
const encodingNeeded = 'UTF8'
/** An arbitrary number that other programs are unlikely to use. */
const startLock = 7_201_508_311
const checkAgainMs = 250

/**
 * Acquires the lease. Waits for the end of another owner's lease, and throws if that owner renews
 * it meanwhile. Throws a StoreCannotOpen.
 */
export async function prepareDatabase(
  options: StartOptions,
  timeProblem: TimeProblem = () => null,
): Promise<void> {
  try {
    const client = await openWriter(options.url)
    try {
      await checkServer(client, options.url)
      let lease: string | null = null
      for (;;) {
        const other = await inTransaction(client, () => prepare(client, options, timeProblem))
        if (other === null) return
        if (lease !== null && other.lease !== lease) throw new DatabaseInUse(other.owner)
        lease = other.lease
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

type OtherOwner = { readonly owner: string; readonly lease: string }

async function prepare(
  client: Client,
  options: StartOptions,
  timeProblem: TimeProblem,
): Promise<OtherOwner | null> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [startLock])
  const version = await schemaVersion(client)
  if (version > knownVersion()) throw madeByNewerVersion()
  if (version > 0) {
    const other = await otherOwner(client, options, timeProblem)
    if (other !== null) return other
  }
  if (version < knownVersion()) await migrate(client, version)
  await makeFunction(client)
  await setUp(client, options)
  return null
}

/**
 * Locks the shard's row, so that no turn of a previous owner is in progress. A service that must
 * not continue from the stored time throws here, before it has changed anything.
 */
async function otherOwner(
  client: Client,
  options: StartOptions,
  timeProblem: TimeProblem,
): Promise<OtherOwner | null> {
  const { rows } = await client.query<Record<string, string | number | boolean>>(
    `SELECT owner, lease_until::text AS lease, engine_version, now,
       lease_until > clock_timestamp() AS is_fresh
     FROM shards WHERE shard = $1 FOR UPDATE`,
    [options.shard],
  )
  const [head] = rows
  if (head === undefined) return null
  if (Number(head.engine_version) > options.engineVersion) throw madeByNewerVersion()
  const problem = timeProblem(Number(head.now))
  if (problem !== null) throw new SetupProblem(problem)
  if (String(head.owner).startsWith(`${options.place} `) || head.is_fresh !== true) return null
  return { owner: String(head.owner), lease: String(head.lease) }
}

// Functions of other versions are dropped: their services have lost the shard.
async function makeFunction(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string; signature: string }>(
    `SELECT proname AS name, oid::regprocedure::text AS signature FROM pg_proc
     WHERE proname LIKE 'commit\\_turn\\_%' AND pronamespace = current_schema()::regnamespace`,
  )
  for (const { name, signature } of rows) {
    if (name !== commitFunction.name) await client.query(`DROP FUNCTION ${signature}`)
  }
  if (!rows.some(({ name }) => name === commitFunction.name)) {
    await client.query(commitFunction.definition)
  }
}

async function setUp(client: Client, options: StartOptions): Promise<void> {
  const { engineVersion, owner, shard } = options
  await client.query(
    `INSERT INTO shards (shard, epoch, engine_version, command_sequence, last_serial, now, batch_id,
       hash, owner, lease_until)
     VALUES ($1, 0, $2, 0, 0, 0, '', $3, $4, ${leaseText})
     ON CONFLICT (shard) DO UPDATE SET epoch = shards.epoch + 1,
       engine_version = excluded.engine_version, owner = excluded.owner,
       lease_until = excluded.lease_until`,
    [shard, engineVersion, Buffer.from(chainStart), owner],
  )
  const words = randomBytes(8)
  await client.query(
    `INSERT INTO meta VALUES ('id_key_0', $1), ('id_key_1', $2) ON CONFLICT DO NOTHING`,
    [words.readUInt32LE(0), words.readUInt32LE(4)],
  )
}
