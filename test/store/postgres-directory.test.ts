// The directory of shards on a PostgreSQL server that does not answer for a while.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'

const server = await postgresOrNot('the directory of shards', quick)

if (server !== null) {
  after(() => server.stop())

  test('a directory has one connection, also after one that did not answer', async (t) => {
    const { url } = await server.newDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'outcry-directory-'))
    const onLost = () => undefined
    const store = await openPostgresStore({ url, folder, isNode: true, onLost })
    t.after(async () => {
      await store.close()
      rmSync(folder, { recursive: true })
    })
    const { directory } = store.cluster!
    const blocker = new pg.Client(url)
    await blocker.connect()
    t.after(() => blocker.end())
    await directory.list()
    for (let time = 0; time < 3; time += 1) {
      await blocker.query('BEGIN; LOCK TABLE outcry_shard_0.head IN ACCESS EXCLUSIVE MODE')
      const late = assert.rejects(directory.list(), StoreUnavailable)
      // It waits for the other one, and is sent over the next connection.
      const next = directory.list()
      await late
      await blocker.query('COMMIT')
      await next
      await directory.list()
    }
    const connections = await query(
      url,
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE '%shards.pinned_to%'
         AND pid <> pg_backend_pid()`,
    )
    assert.equal(connections.length, 1)
    await store.close()
    await assert.rejects(directory.list(), StoreUnavailable)
  })
}
