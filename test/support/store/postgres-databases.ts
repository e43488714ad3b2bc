// Databases for tests on one temporary PostgreSQL server. A new database costs some milliseconds.

import { test } from 'node:test'
import pg from 'pg'
import { urlsOf } from '../../../src/database-urls.ts'
import { openClient } from '../../../src/store/postgres/connection.ts'
import {
  PostgresMissing,
  type PostgresOptions,
  type PostgresServer,
  startPostgres,
} from './postgres.ts'

export type DatabaseServer = PostgresServer & {
  /** An empty database, which is deleted with the server. */
  newDatabase(): Promise<{ readonly url: string }>
}

/** For tests without power failures: a commit need not wait for the disk. */
export const quick: PostgresOptions = { settings: { fsync: 'off', full_page_writes: 'off' } }

/** null if there is no PostgreSQL; a test of that name then reports that it was not run. */
export async function postgresOrNot(
  what: string,
  options: PostgresOptions = {},
): Promise<DatabaseServer | null> {
  try {
    return await startDatabases(options)
  } catch (fault) {
    if (!(fault instanceof PostgresMissing)) throw fault
    test(`NOT RUN: ${what}`, (t) => t.diagnostic(`NOT RUN: ${fault.message}`))
    return null
  }
}

export async function startDatabases(options: PostgresOptions): Promise<DatabaseServer> {
  const server = await startPostgres(options)
  let made = 0
  return {
    ...server,
    newDatabase: async () => {
      made += 1
      return { url: await namedDatabase(server.url, `made-${made}`) }
    },
  }
}

/** Creates the database if it does not exist, and returns its URL. */
export async function namedDatabase(serverUrl: string, name: string): Promise<string> {
  await query(serverUrl, `CREATE DATABASE "${name}"`).catch((error: unknown) => {
    const isThere = error instanceof Error && 'code' in error && error.code === '42P04'
    if (!isThere) throw error
  })
  return serverUrl.replace(/\/postgres$/, `/${name}`)
}

/** Runs a statement over a new connection, to the primary if there are several servers. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = await clientOf(url)
  try {
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}

async function clientOf(url: string): Promise<pg.Client> {
  if (urlsOf(url).length > 1) return openClient(url)
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  return client
}
