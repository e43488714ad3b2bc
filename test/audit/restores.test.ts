// Restores with a consumer that goes on where it was: it must notice, on either database, that
// events which it has seen are gone. Without the new history it would miss events in silence.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, afterEach, suite, test } from 'node:test'
import { promisify } from 'node:util'
import { type EventPosition, isEventsRewound, OutcryClient } from '../../client/src/outcry.ts'
import { backupDatabase } from '../../src/store/sqlite/backup.ts'
import { nodeSettings } from '../support/cluster/nodes.ts'
import { OperatorClient } from '../support/http/operator-client.ts'
import { newFolder, Service } from '../support/process/outcry-process.ts'
import { findBinaries } from '../support/store/postgres.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'
import { runProgram } from './program.ts'

const server = await postgresOrNot('restores on PostgreSQL', quick)
after(() => server?.stop())

type Env = Readonly<Record<string, string>>

/** How a database is backed up while it is in use, and put back while no service runs. */
type Way = {
  readonly backUp: (dataDir: string, env: Env) => Promise<void>
  /** Returns the settings with which the service starts again. */
  readonly restore: (dataDir: string, env: Env) => Promise<Env>
}

const folders: string[] = []
const services: Service[] = []
afterEach(async () => {
  for (const service of services.splice(0)) if (!service.hasEnded) await service.kill()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function folderOf(): Promise<string> {
  const folder = await newFolder()
  folders.push(folder)
  return folder
}

async function start(dataDir: string, env: Env = {}): Promise<Service> {
  const service = await Service.start({ dataDir, env })
  services.push(service)
  return service
}

/** Consumes all events that there are; returns its position and what it has seen. */
async function consume(service: Service, apiKey: string, from: Partial<EventPosition> = {}) {
  const events = new OutcryClient({ baseUrl: service.url, apiKey }).events.each(from)
  const orders: string[] = []
  for await (const { eventType, payload } of events) {
    if (eventType === 'ORDER_PLACED') orders.push(payload.orderId)
  }
  assert.ok(events.position !== null)
  return { position: events.position, orders }
}

async function place(service: Service, operator: OperatorClient, count: number): Promise<string[]> {
  const client = new OperatorClient(service, operator)
  const market = await client.openMarket()
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    ids.push((await client.buy(market, { price: 0.1 })).order.id)
  }
  return ids
}

/**
 * A consumer reads on after the backup. The restored service then gets as many events again, so
 * that the position of the consumer is one that it could have. Returns what the consumer notices.
 */
async function stagedRestore({ backUp, restore }: Way, env: Env = {}) {
  const dataDir = await folderOf()
  const service = await start(dataDir, env)
  const operator = await OperatorClient.create(service)
  await place(service, operator, 3)
  await backUp(dataDir, env)
  await place(service, operator, 3)
  const { position } = await consume(service, operator.key)
  await service.stop()

  const restored = await start(dataDir, await restore(dataDir, env))
  const beyond = await noticed(restored, operator.key, position)
  const ids = await place(restored, operator, 4)
  const within = await noticed(restored, operator.key, position)
  return { beyond, within, ids, restored, operator }
}

/** What a consumer that goes on with its position is told, or the orders that it sees. */
async function noticed(service: Service, key: string, position: EventPosition) {
  try {
    return (await consume(service, key, position)).orders
  } catch (error) {
    if (!isEventsRewound(error)) throw error
    return error
  }
}

/** The consumer is told, and misses nothing if it reads on as the error says. */
async function assertNoticed(way: Way, env: Env = {}): Promise<void> {
  const { beyond, within, ids, restored, operator } = await stagedRestore(way, env)
  assert.ok(isEventsRewound(beyond), 'noticed before there are new events')
  assert.ok(isEventsRewound(within), 'noticed when its sequence is used again')
  const { latestSequence, historyId } = beyond.details
  const next = await consume(restored, operator.key, { since: latestSequence, historyId })
  assert.deepEqual(next.orders, ids)
}

/** The negative control: the sequence is used again, and nothing tells. */
async function assertMissed(way: Way, env: Env = {}): Promise<void> {
  const { beyond, within, ids } = await stagedRestore(way, env)
  assert.ok(isEventsRewound(beyond), 'as long as the sequence is beyond the latest')
  assert.ok(Array.isArray(within) && within.length < ids.length, 'events are missed in silence')
}

/** As docs/operating.md describes. */
const copyBack: Way['restore'] = async (dataDir, env) => {
  const before = join(dataDir, 'before')
  await mkdir(before)
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith('outcry.db')) continue
    await cp(join(dataDir, name), join(before, name))
    await rm(join(dataDir, name))
  }
  await cp(join(dataDir, 'backup'), join(dataDir, 'outcry.db'))
  return env
}

const byBackup: Way = {
  backUp: async (folder) => {
    const args = [join(folder, 'backup')]
    const { code, error } = await runProgram('backup', { folder, args })
    assert.deepEqual([code, error], [0, ''])
  },
  restore: copyBack,
}

/** As a copy of the files is, of a stopped service or of its disk. */
const byCopy: Way = {
  backUp: async (folder) => {
    const file = join(folder, 'backup')
    await backupDatabase({ folder, file, keepsHistory: true })
  },
  restore: copyBack,
}

function thenRestored(way: Way): Way {
  return {
    ...way,
    restore: async (dataDir, env) => {
      const changed = await way.restore(dataDir, env)
      const { code, out, error } = await runProgram('restored', { folder: dataDir, env: changed })
      assert.deepEqual([code, error], [0, ''])
      assert.match(out, /^The historyId is now [0-9a-f-]{36}\.\n$/)
      return changed
    },
  }
}

async function historyOf(service: Service): Promise<string> {
  const operator = await OperatorClient.create(service)
  return (await operator.get('/events')).historyId
}

function historyIn(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return String(database.prepare('SELECT id FROM history').get()?.id)
  } finally {
    database.close()
  }
}

suite('restores of SQLite', () => {
  test('a consumer notices a restored backup', () => assertNoticed(byBackup))

  test('a consumer notices a restored copy of the files after npm run restored', () =>
    assertNoticed(thenRestored(byCopy)))

  test('a backup that kept the history would lose events in silence', () => assertMissed(byCopy))

  test('each backup has a history of its own, and the service keeps its own', async () => {
    const dataDir = await folderOf()
    const service = await start(dataDir)
    const seen = [await historyOf(service)]
    for (const name of ['one', 'two']) {
      const file = join(dataDir, name)
      assert.equal((await runProgram('backup', { folder: dataDir, args: [file] })).code, 0)
      seen.push(historyIn(file))
      assert.equal(await historyOf(service), seen[0], name)
    }
    assert.equal(new Set(seen).size, 3)
  })

  test('npm run restored refuses a folder in use or without a database', async () => {
    const dataDir = await folderOf()
    const service = await start(dataDir)
    const historyId = await historyOf(service)
    const inUse = await runProgram('restored', { folder: dataDir })
    assert.deepEqual([inUse.code, inUse.out], [69, ''])
    assert.match(inUse.error, /^The data folder \S+ is in use by another process\.\n$/)
    await service.kill()
    assert.equal(await historyOf(await start(dataDir)), historyId)

    const empty = await folderOf()
    const none = await runProgram('restored', { folder: empty })
    assert.deepEqual([none.code, none.out], [69, ''])
    assert.match(none.error, /^There is no database in \S+\.\n$/)
    assert.deepEqual(await readdir(empty), [])

    await cp(import.meta.filename, join(empty, 'outcry.db'))
    const other = await runProgram('restored', { folder: empty })
    assert.deepEqual([other.code, other.out], [69, ''])
    assert.match(other.error, /^\S+outcry\.db is no SQLite database\.\n$/)
  })

  test('npm run restored takes no arguments', async () => {
    const ended = await runProgram('restored', { folder: await folderOf(), args: ['now'] })
    assert.deepEqual([ended.code, ended.out], [64, ''])
    assert.match(ended.error, /^Usage: npm run restored; [^\n]+\.\n$/)
  })
})

if (server !== null) {
  const program = (name: string) => join(findBinaries()!, name)
  const run = promisify(execFile)
  const databaseOf = (env: Env) => env.DATABASE_URL!
  const onNew = async () => ({ DATABASE_URL: (await server.newDatabase()).url })

  const byDump: Way = {
    backUp: async (dataDir, env) => {
      const file = `--file=${join(dataDir, 'dump')}`
      await run(program('pg_dump'), ['--format=custom', file, databaseOf(env)])
    },
    restore: async (dataDir) => {
      const env = await onNew()
      const into = `--dbname=${databaseOf(env)}`
      await run(program('pg_restore'), ['--exit-on-error', into, join(dataDir, 'dump')])
      return env
    },
  }

  suite('restores of PostgreSQL', () => {
    test('a consumer notices a restored dump after npm run restored', async () =>
      assertNoticed(thenRestored(byDump), await onNew()))

    test('without npm run restored, events would be lost in silence', async () =>
      assertMissed(byDump, await onNew()))

    test('npm run restored refuses a database that a service or a node uses', async () => {
      for (const settings of [{}, nodeSettings('')]) {
        const env = { ...settings, ...(await onNew()) }
        const folder = await folderOf()
        const service = await start(folder, env)
        const historyId = await historyOf(service)
        const refused = await runProgram('restored', {
          folder,
          env: { DATABASE_URL: databaseOf(env) },
        })
        assert.deepEqual([refused.code, refused.out], [69, ''])
        assert.match(refused.error, /^The database is in use by another Outcry service \([^\n]+\n$/)
        assert.equal(await historyOf(service), historyId)
        await service.kill()
        // The lease of the service has to end first.
        const done = await runProgram('restored', {
          folder,
          env: { DATABASE_URL: databaseOf(env) },
        })
        assert.deepEqual([done.code, done.error], [0, ''])
        const again = await historyOf(await start(folder, env))
        assert.equal(done.out, `The historyId is now ${again}.\n`)
        assert.notEqual(again, historyId)
      }
    })

    test('npm run restored refuses an empty database and an unknown one', async () => {
      const env = await onNew()
      const folder = await folderOf()
      const empty = await runProgram('restored', { folder, env })
      assert.deepEqual([empty.code, empty.out], [69, ''])
      assert.match(empty.error, /^There are no records in DATABASE_URL\.\n$/)
      const unknown = { DATABASE_URL: `${databaseOf(env)}-none` }
      const none = await runProgram('restored', { folder, env: unknown })
      assert.deepEqual([none.code, none.out], [69, ''])
      assert.match(none.error, /^The PostgreSQL server of DATABASE_URL [^\n]+\n$/)
    })

    test('the migration from SQLite keeps the history, also of pending turns', async () => {
      for (const end of ['stop', 'kill'] as const) {
        const folder = await folderOf()
        const service = await start(folder)
        const operator = await OperatorClient.create(service)
        await place(service, operator, 3)
        const { position } = await consume(service, operator.key)
        await service[end]()
        const env = await onNew()
        const { code, error } = await runProgram('migrate', { folder, env })
        assert.deepEqual([code, error], [0, ''])
        const [row] = await query<{ id: string }>(databaseOf(env), 'SELECT id FROM history')
        assert.equal(row?.id, position.historyId)
        const moved = await start(folder, env)
        const ids = await place(moved, operator, 2)
        assert.deepEqual((await consume(moved, operator.key, position)).orders, ids)
      }
    })
  })
}
