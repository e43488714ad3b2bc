// Connections to the server with their settings.

import { createHash } from 'node:crypto'
import pg from 'pg'
import { serversOf } from './servers.ts'
import { type ShardSchema, searchPathOf } from './shard-schema.ts'

export type Client = pg.Client
/** A single client, or a client of a pool. */
export type Queryable = Pick<pg.Client, 'query'>

const connectMsMax = 3_000
const keepAliveMs = 5_000
/** Of a statement, on the server; a server that does not even report it is not waited for. */
const statementMsMax = 20_000
const queryMsMax = 25_000
const int8 = 20

// Every count, serial and time fits into a number; sums are NUMERIC and arrive as texts.
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format),
}

function optionsFor(url: string, connectMs: number) {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: 'outcry',
    types,
  }
}

/** Settings of a session that writes, independent of the server's configuration. */
const writerSettings = `
  SET synchronous_commit = on;
  SET lock_timeout = '5s';
  SET idle_in_transaction_session_timeout = '3s';
  SET statement_timeout = 0;
`

/** To the primary, if the setting names several servers. */
export function openClient(setting: string, connectMs = connectMsMax): Promise<Client> {
  return serversOf(setting).open((url) => connectTo(url, connectMs))
}

/** Finds out which of several servers is the primary. Throws SetupProblem. */
export function findPrimary(setting: string): Promise<void> {
  return serversOf(setting).survey((url) => connectTo(url, connectMsMax))
}

/**
 * The error listener keeps an error between two calls from ending the process. The next call fails.
 */
async function connectTo(url: string, connectMs: number): Promise<Client> {
  const client = new pg.Client(optionsFor(url, connectMs))
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
}

/** With the tables of a shard, or without any. */
export async function openWriter(url: string, shard: ShardSchema | null): Promise<Client> {
  const client = await openClient(url)
  try {
    const path = shard === null ? '' : `SET ${searchPathOf(shard)}`
    await client.query(writerSettings + path)
    return client
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
}

export const oneState = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

/**
 * A list is read along an index in its order and ends with the page. With old statistics about a
 * growing table, PostgreSQL would read and sort all rows that match. And because pages that follow
 * one another are cheap, it would read the rows of all operators instead of the index of one, even
 * if that operator has no rows in the newer part of the table: so a plan costs what its rows cost.
 */
const readPlans =
  'SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off; ' +
  'SET LOCAL seq_page_cost = 0; SET LOCAL random_page_cost = 0;'

/**
 * Begins to read one snapshot of a shard, or of the registry alone. The settings are no parameters
 * of the connection, which a proxy may refuse.
 */
export function readBegin(shard: ShardSchema | null): string {
  const path = shard === null ? '' : `SET LOCAL ${searchPathOf(shard)};`
  return `${oneState}; SET LOCAL statement_timeout = ${statementMsMax}; ${readPlans} ${path}`
}

/** Its connections are to the server that was last found to be the primary. */
export function openPool(setting: string, connectionsMax: number): pg.Pool {
  const servers = serversOf(setting)
  class PooledClient extends pg.Client {
    readonly url: string

    constructor(config: pg.ClientConfig = {}) {
      const url = servers.current
      super({ ...config, connectionString: url })
      this.url = url
    }
  }
  const pool = new pg.Pool({
    ...optionsFor(servers.current, connectMsMax),
    max: connectionsMax,
    query_timeout: queryMsMax,
    Client: PooledClient,
    onConnect: async (client) => {
      if (client instanceof PooledClient) await servers.admit(client, client.url)
    },
  })
  pool.on('error', () => undefined)
  return pool
}

const digests = new Map<string, string>()

/**
 * The server keeps the plan of a named statement, and would make a new one for each shard that
 * shares the name. A name has at most 63 characters.
 */
export function named(
  text: string,
  shard: ShardSchema | null,
): { readonly name: string; readonly text: string } {
  let digest = digests.get(text)
  if (digest === undefined) {
    digest = createHash('sha256').update(text).digest('hex').slice(0, 32)
    digests.set(text, digest)
  }
  return { name: shard === null ? digest : `${digest}_${shard.shard}`, text }
}

/** Commits the work, or rolls it back and rethrows its error. */
export async function inTransaction<Answer>(
  client: Queryable,
  work: () => Promise<Answer>,
  begin = 'BEGIN',
): Promise<Answer> {
  await client.query(begin)
  try {
    const answer = await work()
    await client.query('COMMIT')
    return answer
  } catch (error) {
    // If the connection is lost, the server rolls back.
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}
