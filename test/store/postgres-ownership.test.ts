// Two services on one PostgreSQL database: the one that has lost the shard stores nothing more, and
// a takeover waits for a write in progress.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import pg from 'pg'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import { until } from '../support/http/answers.ts'
import { TcpProxy } from '../support/process/tcp-proxy.ts'
import { onlyShard } from '../support/store/only-shard.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'
import { category, key, webhook as sampleWebhook } from './registry-tests.ts'
import { operatorRow } from './sample-rows.ts'

const server = await postgresOrNot('ownership of a PostgreSQL database', quick)

const operator = operatorRow({ number: 1 })
const webhook = { ...sampleWebhook, operatorId: operator.id }
const later = operatorRow({ number: 2 })
const laterKey = { ...key, id: 'key-2', operatorId: later.id, digest: 'def' }
const tables = ['operators', 'keys', 'categories', 'webhooks', 'outcry_shard_0.webhook_cursors']

if (server !== null) {
  after(() => server.stop())

  /** Stores of services with a data folder each; they are closed after the test. */
  const services = async (t: TestContext) => {
    const { url } = await server.newDatabase()
    const open = async (at = url) => {
      const folder = mkdtempSync(join(tmpdir(), 'outcry-store-'))
      const losses: Error[] = []
      const store = await openPostgresStore({
        url: at,
        folder,
        onLost: (_shard, loss) => losses.push(loss),
      })
      t.after(async () => {
        await store.close()
        rmSync(folder, { recursive: true })
      })
      await onlyShard(store).claim()
      return { store, losses }
    }
    const expireLease = () => query(url, "UPDATE outcry_shard_0.head SET lease_until = '-infinity'")
    const contents = () =>
      Promise.all(tables.map((table) => query(url, `SELECT * FROM ${table} ORDER BY 1`)))
    return { url, open, expireLease, contents }
  }

  test('a service that has lost the shard stores no record of the registry', async (t) => {
    const { open, expireLease, contents } = await services(t)
    const { store, losses } = await open()
    const { registry } = store
    const { webhookCursors } = onlyShard(store)
    await registry.addOperator(operator, key)
    await registry.categories.put(category)
    await registry.webhooks.put(webhook)
    await webhookCursors.save([{ webhookId: webhook.id, eventSequence: 5 }])
    await expireLease()
    await open()
    const before = await contents()
    const writes: readonly (() => Promise<unknown>)[] = [
      () => registry.addOperator(later, laterKey),
      () => registry.operators.put({ ...operator, name: 'renamed' }),
      () => registry.keys.put(laterKey),
      () => registry.keys.delete(key.id),
      () => registry.categories.put({ ...category, isActive: false }),
      () => registry.categories.delete(category.id),
      () => registry.webhooks.put({ ...webhook, isActive: false }),
      () => registry.webhooks.delete(webhook.id),
      () => webhookCursors.save([{ webhookId: webhook.id, eventSequence: 9 }]),
      () => webhookCursors.delete(webhook.id),
    ]
    for (const write of writes) {
      await assert.rejects(write, (error) => {
        assert.ok(error instanceof StoreUnavailable, `${write} was not refused: ${error}`)
        assert.equal(error.message, 'Another service has acquired the shard.')
        return true
      })
    }
    assert.deepEqual(await contents(), before)
    assert.equal(losses.length, 1)
  })

  test('a takeover waits for a write in progress, and the next write is refused', async (t) => {
    const { url, open, expireLease, contents } = await services(t)
    const { store } = await open()
    await expireLease()
    const blocker = new pg.Client(url)
    await blocker.connect()
    t.after(() => blocker.end())
    // The operator is written, its key is not.
    await blocker.query('BEGIN; LOCK TABLE keys IN EXCLUSIVE MODE')
    const done: string[] = []
    const writing = store.registry.addOperator(operator, key).then(() => done.push('write'))
    await waiting(url, 1)
    const taking = open().then((service) => {
      done.push('takeover')
      return service
    })
    await waiting(url, 2)
    assert.deepEqual(done, [])
    await blocker.query('COMMIT')
    await writing
    const second = await taking
    assert.deepEqual(done, ['write', 'takeover'])
    assert.deepEqual(await second.store.registry.operators.all(), [operator])
    assert.deepEqual(await second.store.registry.keys.all(), [key])
    const before = await contents()
    await assert.rejects(store.registry.addOperator(later, laterKey), StoreUnavailable)
    assert.deepEqual(await contents(), before)
  })

  test('a write that a takeover interrupted is refused when it is repeated', async (t) => {
    const { url, open, expireLease, contents } = await services(t)
    const proxy = await TcpProxy.open(url)
    t.after(() => proxy.close())
    const proxied = new URL(url)
    proxied.port = String(proxy.port)
    const { store } = await open(proxied.href)
    await expireLease()
    // The server has both records, and loses them with the connection before the commit.
    proxy.loseAnswerTo(key.id, { thenRefuses: true })
    const writing = assert.rejects(
      store.registry.addOperator(operator, key),
      /Another service has acquired the shard/,
    )
    const lost = await until(
      async () => proxy.lost,
      (count) => count === 1,
    )
    assert.equal(lost, 1)
    await open()
    assert.deepEqual((await contents()).flat(), [])
    proxy.refuse(false)
    await writing
    assert.deepEqual((await contents()).flat(), [])
  })
}

/** Until that many sessions of the database wait for a lock. */
async function waiting(url: string, sessions: number): Promise<void> {
  const count = async () => {
    const [row] = await query<{ n: number }>(
      url,
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return row?.n
  }
  const found = await until(count, (n) => n === sessions)
  assert.equal(found, sessions, 'sessions that wait for a lock')
}
