// The temporary server answers, waits for the disk, and leaves no files behind.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import pg from 'pg'
import { PostgresMissing, startPostgres } from './postgres.ts'

test('a PostgreSQL server has its settings, answers, and is removed on stop', async (t) => {
  const server = await startPostgres({ settings: { work_mem: '5MB' } }).catch((fault: unknown) => {
    if (fault instanceof PostgresMissing) return fault
    throw fault
  })
  if (server instanceof PostgresMissing) return t.diagnostic(`NOT RUN: ${server.message}`)
  t.after(() => server.stop())

  const client = new pg.Client(server.url)
  await client.connect()
  const asked = await client.query('SHOW work_mem')
  const commit = await client.query('SHOW synchronous_commit')
  const place = await client.query<{ setting: string }>(
    "SELECT setting FROM pg_settings WHERE name = 'data_directory'",
  )
  assert.deepEqual(asked.rows, [{ work_mem: '5MB' }])
  assert.deepEqual(commit.rows, [{ synchronous_commit: 'on' }])
  await client.end()
  await server.stop()

  const folder = place.rows[0]!.setting.split('/').at(-2)!
  assert.ok(!readdirSync(tmpdir()).includes(folder))
  await assert.rejects(new pg.Client(server.url).connect(), { code: 'ECONNREFUSED' })
})
