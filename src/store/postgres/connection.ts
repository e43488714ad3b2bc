// Connections to the server, with the settings that each must have.

import { createHash } from 'node:crypto'
import pg from 'pg'

export type Client = pg.Client
/** A client of its own, or one of a pool. */
export type Queryable = Pick<pg.Client, 'query'>

const connectMs = 3_000
const keepAliveMs = 5_000
const readMsMax = 20_000
const readersMax = 4
const int8 = 20

// Every count, serial and time fits into a number; sums are NUMERIC and arrive as texts.
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format),
}

function optionsFor(url: string) {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    application_name: 'outcry',
    types,
  }
}

/** What a session that writes must have, whatever the server's own settings are. */
const writerSettings = `
  SET synchronous_commit = on;
  SET lock_timeout = '5s';
  SET idle_in_transaction_session_timeout = '3s';
  SET statement_timeout = 0;
`

/** A fault that nobody waits for is heard by the next call; unheard it would end the process. */
export async function openClient(url: string): Promise<Client> {
  const client = new pg.Client(optionsFor(url))
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
}

export async function openWriter(url: string): Promise<Client> {
  const client = await openClient(url)
  try {
    await client.query(writerSettings)
    return client
  } catch (error) {
    void client.end().catch(() => undefined)
    throw error
  }
}

export function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ ...optionsFor(url), max: readersMax, query_timeout: readMsMax })
  pool.on('error', () => undefined)
  return pool
}

const names = new Map<string, string>()

/** Under a name the server keeps its plan; a name has 63 characters at most. */
export function named(text: string): { readonly name: string; readonly text: string } {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('hex').slice(0, 32)
    names.set(text, name)
  }
  return { name, text }
}

/** All of the work or none of it; a failure is thrown on. */
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
    // Where the connection is gone, so is the transaction.
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}
