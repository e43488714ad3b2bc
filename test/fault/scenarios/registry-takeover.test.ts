// A service is frozen in the middle of a registry write until another one has taken over its
// database. When it wakes, it must not repeat the write.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { after, test } from 'node:test'
import pg from 'pg'
import { until } from '../../support/http/answers.ts'
import { Service } from '../../support/process/outcry-process.ts'
import { postgresOrNot, query, quick } from '../../support/store/postgres-databases.ts'
import { serviceOptions } from '../support/process-options.ts'

/** The exit code of a service whose store has failed. */
const storeFailedCode = 70

const server = await postgresOrNot('takeovers in the middle of registry writes', quick)

if (server !== null) {
  after(() => server.stop())

  test('a registry write that a takeover interrupted is not stored, even in part', async (t) => {
    const { url } = await server.newDatabase()
    const secrets = { OUTCRY_SECRETS_KEY: randomBytes(32).toString('hex') }
    const options = { ...serviceOptions(), env: { ...serviceOptions().env, ...secrets } }
    const start = async () => {
      const env = { ...options.env, DATABASE_URL: url }
      const service = await Service.start({ ...options, env })
      t.after(async () => {
        service.process.kill('SIGCONT')
        await service.kill()
      })
      return service
    }
    const namesIn = async (table: 'operators' | 'keys') =>
      (await query<{ name: string }>(url, nameQueries[table])).map(({ name }) => name)

    const first = await start()
    await first.newOperator('before')
    const blocker = new pg.Client(url)
    await blocker.connect()
    t.after(() => blocker.end())
    await blocker.query('BEGIN; LOCK TABLE keys IN EXCLUSIVE MODE')
    const interrupted = first
      .admin('POST', '/api/v1/admin/operators', { name: 'interrupted' })
      .then(
        ({ status }) => status,
        () => null,
      )
    // The operator is written, its key is not.
    await untilWaiting(url)
    first.process.kill('SIGSTOP')
    await blocker.query('COMMIT')
    // It waits until the server has rolled back the write of the frozen service.
    const second = await start()
    assert.deepEqual(await namesIn('operators'), ['before'])
    const ended = once(first.process, 'exit')
    first.process.kill('SIGCONT')
    assert.notEqual(await interrupted, 201)
    await ended
    assert.equal(first.process.exitCode, storeFailedCode, first.printed())
    assert.deepEqual(await namesIn('operators'), ['before'])
    assert.deepEqual(await namesIn('keys'), ['before'])
    await second.newOperator('after')
    assert.deepEqual(await namesIn('keys'), ['before', 'after'])
  })
}

const nameQueries = {
  operators: 'SELECT name FROM operators ORDER BY number',
  keys: `SELECT coalesce(operators.name, 'none') AS name FROM keys
    LEFT JOIN operators ON operators.id = keys.operator_id ORDER BY operators.number`,
}

async function untilWaiting(url: string): Promise<void> {
  const sessions = await until(
    () => query(url, "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"),
    ({ length }) => length === 1,
  )
  assert.equal(sessions.length, 1, 'sessions that wait for a lock')
}
