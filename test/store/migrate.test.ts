// npm run migrate: a service continues on PostgreSQL with the records that it had on SQLite.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import pg from 'pg'
import { auditPostgres } from '../../src/cli/audit-postgres.ts'
import { nodeSettings, startNode } from '../support/cluster/nodes.ts'
import { until } from '../support/http/answers.ts'
import { OperatorClient } from '../support/http/operator-client.ts'
import { failedStart, newFolder, Service } from '../support/process/outcry-process.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'

const program = new URL('../../src/cli/migrate.ts', import.meta.url).pathname
const server = await postgresOrNot('migration from SQLite to PostgreSQL', quick)

/** The exit code and the output. */
function migrate(env: Readonly<Record<string, string>>) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [program], { env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr })
    })
  })
}

if (server !== null) {
  after(() => server.stop())

  test('a migration copies all records once; trading continues and audits clean', async () => {
    const { url } = await server.newDatabase()
    const dataDir = await newFolder()
    const first = await Service.start({ dataDir })
    const house = await OperatorClient.create(first)
    const market = await house.marketWithHolders({ sam: 10 })
    await house.sell(market, { player: 'sam', shares: 6 })
    await house.buy(market, { player: 'bob', shares: 4, transactionId: 'tx-1' })
    const paths = ['/orders', '/trades', '/positions', '/markets', '/events?since=0']
    const shownBy = async (client: OperatorClient) => {
      const shown: unknown[] = []
      for (const path of paths) shown.push(await client.get(path))
      return shown
    }
    const before = await shownBy(house)
    const settings = { DATA_DIR: dataDir, DATABASE_URL: url }
    const early = await migrate(settings)
    assert.deepEqual([early.code, /in use/.test(early.output)], [69, true], early.output)
    await first.stop()

    const { code, output } = await migrate(settings)
    assert.equal(code, 0, output)
    const copied = /^Copied \d+ rows to PostgreSQL, into shard 0 \(schema outcry_shard_0\); both /
    assert.match(output, copied)
    const again = await migrate(settings)
    assert.deepEqual([again.code, /is not empty/.test(again.output)], [69, true], again.output)

    const second = await Service.start({ dataDir, env: { DATABASE_URL: url } })
    try {
      const client = new OperatorClient(second, house)
      assert.deepEqual(await shownBy(client), before)
      const replayed = await client.buy(market, { player: 'bob', shares: 4, transactionId: 'tx-1' })
      assert.equal((await client.get('/orders')).total, 2, JSON.stringify(replayed))
      await client.buy(market, { player: 'cat', shares: 2 })
      assert.equal((await client.get('/trades')).total, 2)
      assert.deepEqual((await auditPostgres(url)).violations, [])
      await query(url, 'UPDATE outcry_shard_0.orders SET filled = filled + 1 WHERE filled > 0')
      const { violations } = await auditPostgres(url)
      assert.match(violations.join(), /order-/)
    } finally {
      await second.stop()
    }
  })

  test('a migration fails if the copy differs', async () => {
    const { url } = await server.newDatabase()
    const dataDir = await newFolder()
    const first = await Service.start({ dataDir })
    const house = await OperatorClient.create(first)
    await house.mint(await house.openMarket(), 'sam', 10)
    await first.stop()
    // A server that loses a share of every position.
    await (await Service.start({ env: { DATABASE_URL: url } })).stop()
    await query(
      url,
      `CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN new.shares := new.shares - 1; RETURN new; END'`,
    )
    await query(
      url,
      `CREATE TRIGGER losing BEFORE INSERT ON outcry_shard_0.positions
       FOR EACH ROW EXECUTE FUNCTION lose()`,
    )
    const { code, output } = await migrate({ DATA_DIR: dataDir, DATABASE_URL: url })
    assert.deepEqual([code, /differs from the state in DATA_DIR/.test(output)], [69, true], output)
  })

  /** A folder with some records, and the environment of its migration. */
  const filledFolder = async () => {
    const { url } = await server.newDatabase()
    const dataDir = await newFolder()
    const service = await Service.start({ dataDir })
    const house = await OperatorClient.create(service)
    await house.mint(await house.openMarket(), 'sam', 10)
    await service.stop()
    return { url, dataDir, house, settings: { DATA_DIR: dataDir, DATABASE_URL: url } }
  }

  test('a migration into a database with several shards fills the first one', async (t) => {
    const { url, dataDir, house, settings } = await filledFolder()
    await (await Service.start({ env: { DATABASE_URL: url, SHARDS: '3' } })).stop()
    const { code, output } = await migrate(settings)
    assert.equal(code, 0, output)
    for (const shard of [0, 1, 2]) {
      const [head] = await query(url, `SELECT lease_until FROM outcry_shard_${shard}.head`)
      assert.equal(head?.lease_until, Number.NEGATIVE_INFINITY, 'no lease is left')
    }
    const service = await Service.start({ dataDir, env: { DATABASE_URL: url, SHARDS: '3' } })
    t.after(() => service.stop())
    assert.equal((await new OperatorClient(service, house).get('/markets')).total, 1)
    const other = await OperatorClient.create(service, { shard: 2 })
    await other.mint(await other.openMarket(), 'sam', 10)
    assert.deepEqual((await auditPostgres(url)).violations, [])
  })

  test('a migration refuses a database with running nodes, even if none has a shard', async (t) => {
    const { url, settings } = await filledFolder()
    const front = await startNode(url, { SHARDS: '2', NODE_SHARDS_MAX: '0' })
    t.after(() => front.kill())
    const early = await migrate(settings)
    assert.equal(early.code, 69, early.output)
    assert.match(early.output, /^The database is in use by another .+ \(the node at \S+\); .+\n$/)
    const owner = await startNode(url, { SHARDS: '2' })
    t.after(() => owner.kill())
    const late = await migrate(settings)
    assert.equal(late.code, 69, late.output)
    assert.match(late.output, /^The database is in use by another .+ \(process \d+ on \S+\); .+\n$/)
    assert.deepEqual(await query(url, 'SELECT 1 FROM operators'), [])
    assert.deepEqual([front.hasEnded, owner.hasEnded], [false, false])
  })

  test('no service starts on the database while a migration copies', async (t) => {
    const { url, dataDir, settings } = await filledFolder()
    await (await Service.start({ env: { DATABASE_URL: url } })).stop()
    const stopped = new pg.Client(url)
    await stopped.connect()
    t.after(() => stopped.end())
    await stopped.query('SELECT pg_advisory_lock(1)')
    await query(
      url,
      `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         WHILE NOT pg_try_advisory_xact_lock(1) LOOP PERFORM pg_sleep(0.05); END LOOP;
         RETURN new;
       END $$`,
    )
    await query(
      url,
      `CREATE TRIGGER slow BEFORE INSERT ON outcry_shard_0.markets
       FOR EACH ROW EXECUTE FUNCTION wait()`,
    )
    const migrating = migrate(settings)
    const isCopying = `EXISTS (SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'INSERT INTO markets%')`
    const [ready] = await until(
      () =>
        query<{ is_so: boolean }>(
          url,
          `SELECT lease_until < clock_timestamp() AND ${isCopying} AS is_so
           FROM outcry_shard_0.head`,
        ),
      ([row]) => row?.is_so === true,
      60_000,
    )
    assert.ok(ready?.is_so, 'the migration copies, and its lease has ended')
    const [alone, node] = await Promise.all([
      failedStart({ env: { DATABASE_URL: url } }),
      failedStart({ env: nodeSettings(url) }),
    ])
    for (const { code, printed } of [alone, node]) {
      assert.equal(code, 69, printed)
      assert.match(printed, /^[^\n]+\n$/)
    }
    await stopped.query('SELECT pg_advisory_unlock(1)')
    const { code, output } = await migrating
    assert.equal(code, 0, output)
    const service = await Service.start({ dataDir, env: { DATABASE_URL: url } })
    assert.equal(await service.stop(), 0)
    assert.deepEqual((await auditPostgres(url)).violations, [])
  })
}
