// npm run migrate: a service continues on PostgreSQL with the records that it had on SQLite.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { auditPostgres } from '../../src/cli/audit-postgres.ts'
import { OperatorClient } from '../support/http/operator-client.ts'
import { newFolder, Service } from '../support/process/outcry-process.ts'
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
    assert.match(output, /^Copied \d+ rows to PostgreSQL; both states are the same\./)
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
}
