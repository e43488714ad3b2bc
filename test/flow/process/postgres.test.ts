// The whole service on PostgreSQL: wire tests that pass on SQLite pass there, too. And what is
// special about a database server that others can reach.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { OperatorClient, orderBody } from '../../support/http/operator-client.ts'
import { failedStart, newFolder, Service } from '../../support/process/outcry-process.ts'
import { postgresOrNot, query, quick } from '../../support/store/postgres-databases.ts'

const run = promisify(execFile)
const server = await postgresOrNot('the service on PostgreSQL', quick)
/** A market's whole life, replays, events, lists. */
const files = [
  'orders/transactions',
  'holdings/settlements',
  'events/events',
  'orders/orders',
  'markets/shared-markets',
  'markets/trading-window',
  'operators/audit',
  'orders/dead-man',
  'orders/order-groups',
  'operators/controls',
  'operators/player-limits',
]

async function lineOf(url: string, expectedCode = 69): Promise<string> {
  const { code, printed } = await failedStart({ env: { DATABASE_URL: url } })
  assert.equal(code, expectedCode, printed)
  assert.equal(printed.trim().split('\n').length, 1, printed)
  return printed.trim()
}

if (server !== null) {
  after(() => server.stop())
  const newUrl = async () => (await server.newDatabase()).url
  const start = (url: string, dataDir?: string) =>
    Service.start({ env: { DATABASE_URL: url }, ...(dataDir === undefined ? {} : { dataDir }) })

  for (const file of files) {
    test(`on PostgreSQL: ${file}`, async () => {
      const path = new URL(`../${file}.test.ts`, import.meta.url).pathname
      const { NODE_TEST_CONTEXT: _, ...env } = process.env
      await run(process.execPath, ['--test', '--test-reporter=tap', path], {
        env: { ...env, TEST_POSTGRES: server.url },
        maxBuffer: 16 * 1024 * 1024,
      }).catch((error: Error & { stdout: string }) => assert.fail(error.stdout))
    })
  }

  test('a second service cannot start until the first has stopped', async () => {
    const url = await newUrl()
    const first = await start(url)
    const line = await lineOf(url)
    assert.match(line, /in use by another Outcry service \(process \d+ on \S+\)/)
    assert.equal((await first.request('GET', '/ready')).status, 200)
    await first.stop()
    const second = await start(url)
    assert.equal(await second.stop(), 0)
  })

  test('a service that restarts in its folder does not wait for its own lease', async () => {
    const url = await newUrl()
    const dataDir = await newFolder()
    const first = await start(url, dataDir)
    const operator = await OperatorClient.create(first)
    const market = await operator.openMarket()
    await first.kill()
    await query(
      url,
      "UPDATE outcry_shard_0.head SET lease_until = clock_timestamp() + interval '1 hour'",
    )
    const second = await start(url, dataDir)
    try {
      const again = new OperatorClient(second, operator)
      const { status } = await again.request('POST', '/orders', orderBody(market, 'BUY'))
      assert.equal(status, 201)
    } finally {
      await second.stop()
    }
  })

  test('an unusable server is reported in one line without its password', async () => {
    const { hostname, port } = new URL(server.url)
    const at = (who: string, place: string) => `postgres://${who}@${place}`
    const gone = await lineOf(at('postgres:secret', `${hostname}:1/postgres`))
    assert.match(gone, /cannot be reached: .*ECONNREFUSED/)
    const none = await lineOf(at('postgres:secret', `${hostname}:${port}/nowhere`))
    assert.match(none, /no such database/)
    const role = await lineOf(at('nobody:secret', `${hostname}:${port}/postgres`))
    assert.match(role, /refuses the user name or the password/)
    for (const line of [gone, none, role]) assert.doesNotMatch(line, /secret/)
  })

  test('a database with another encoding than UTF8 is refused with 78 in one line', async () => {
    for (const encoding of ['SQL_ASCII', 'LATIN1']) {
      const name = `in-${encoding}`
      const options = `ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`
      await query(server.url, `CREATE DATABASE "${name}" ${options}`)
      const url: string = server.url.replace(/\/postgres$/, `/${name}`)
      const line = await lineOf(url, 78)
      assert.match(line, new RegExp(`/${name}\\) has the encoding ${encoding}, not UTF8; create`))
      assert.deepEqual(await query(url, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'"), [])
    }
  })

  test('data of a newer version and a read-only server are reported, not changed', async () => {
    const url = await newUrl()
    await (await start(url)).stop()
    await query(url, 'UPDATE schema_version SET version = 999')
    assert.match(await lineOf(url), /newer version/)
    const name = new URL(url).pathname.slice(1)
    await query(server.url, `ALTER DATABASE "${name}" SET default_transaction_read_only = on`)
    assert.match(await lineOf(url), /read-only/)
  })
}
