// Databases for tests, on one throw-away PostgreSQL server: a new one costs some milliseconds.

import { test } from 'node:test'
import pg from 'pg'
import { PostgresMissing, type PostgresOptions, startPostgres } from './postgres.ts'

export type TestDatabase = { readonly url: string; remove(): Promise<void> }

export type DatabaseServer = {
  readonly url: string
  newDatabase(): Promise<TestDatabase>
  stop(): Promise<void>
}

/** Where nothing is about a power cut: a commit need not wait for the disk. */
export const quick: PostgresOptions = { settings: { fsync: 'off', full_page_writes: 'off' } }

/** null where there is no PostgreSQL: then a test of that name says that it was not run. */
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

async function startDatabases(options: PostgresOptions): Promise<DatabaseServer> {
  const server = await startPostgres(options)
  let made = 0
  return {
    url: server.url,
    newDatabase: async () => {
      made += 1
      const name = `outcry_${process.pid}_${made}`
      await ask(server.url, `CREATE DATABASE ${name} STRATEGY wal_log`)
      return {
        url: server.url.replace(/\/postgres$/, `/${name}`),
        remove: async () => {
          await ask(server.url, `DROP DATABASE ${name} WITH (FORCE)`)
        },
      }
    },
    stop: () => server.stop(),
  }
}

/** Over a connection of its own. */
export async function ask<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}
