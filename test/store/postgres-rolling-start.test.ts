// A node of this version migrates a shard while its owner, a node of an earlier version, commits
// turns: neither fails.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type pg from 'pg'
import { inTransaction, openWriter } from '../../src/store/postgres/connection.ts'
import { createShards, inSchema, migrate, migrateShard } from '../../src/store/postgres/migrate.ts'
import { shardSchemas } from '../../src/store/postgres/shard-schema.ts'
import { until } from '../support/http/answers.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'

const server = await postgresOrNot('a migration beside an owner that commits', quick)
const steps = new URL('../../src/store/postgres/shard-migrations/', import.meta.url)

/** As the commit function does first. */
const renewHead = 'UPDATE head SET now = now + 1'

if (server !== null) {
  after(() => server.stop())

  for (const version of [1, 2]) {
    test(`a shard of version ${version} is migrated between two turns`, async (t) => {
      const { url } = await server.newDatabase()
      const node = await openWriter(url, null)
      t.after(() => node.end())
      const shard = await inTransaction(node, () => shardOfVersion(node, version))
      const [owner, late] = [await openWriter(url, shard), await openWriter(url, shard)]
      t.after(() => Promise.all([owner.end(), late.end()]))
      await owner.query('BEGIN')
      await owner.query(renewHead)
      await owner.query('UPDATE markets SET updated_at = updated_at')
      const migrated = inTransaction(node, () => migrateShard(node, shard))
      migrated.catch(() => undefined)
      await waitForLocks(url, 1)
      const next = late.query(renewHead)
      next.catch(() => undefined)
      await waitForLocks(url, 2)
      await owner.query('UPDATE settlements SET shares = shares')
      await owner.query('COMMIT')
      await Promise.all([migrated, next])
      const rows = await query(url, 'SELECT version FROM shards WHERE shard = $1', [shard.shard])
      assert.deepEqual(rows, [{ version: stepFiles().length }])
      assert.deepEqual(await query(url, `SELECT now FROM ${shard.schema}.head`), [{ now: '2' }])
    })
  }
}

async function shardOfVersion(client: pg.Client, version: number) {
  await migrate(client, 0)
  await createShards(client, 2)
  const shard = (await shardSchemas(client))[1]!
  await inSchema(client, shard, async () => {
    for (const file of stepFiles().slice(0, version)) {
      await client.query(readFileSync(new URL(file, steps), 'utf8'))
    }
    await client.query(
      `INSERT INTO head (shard, epoch, engine_version, command_sequence, last_serial, now,
         batch_id, hash, owner, lease_until)
       VALUES (1, 0, 1, 0, 0, 0, '', '', '', '-infinity')`,
    )
  })
  await client.query('UPDATE shards SET version = $1 WHERE shard = 1', [version])
  return shard
}

function stepFiles(): string[] {
  return readdirSync(steps).sort()
}

async function waitForLocks(url: string, count: number): Promise<void> {
  const waiting = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`
  const found = await until(
    () => query(url, waiting),
    (sessions) => sessions.length === count,
  )
  assert.equal(found.length, count, 'sessions that wait for a lock')
}
