// Several servers in DATABASE_URL: connections go to the primary, also after a promotion.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type pg from 'pg'
import { auditPostgres } from '../../src/cli/audit-postgres.ts'
import { type Client, openClient, openPool } from '../../src/store/postgres/connection.ts'
import { DatabaseServers } from '../../src/store/postgres/servers.ts'
import { SetupProblem, StoreCannotOpen } from '../../src/store/start-errors.ts'
import { until } from '../support/http/answers.ts'
import { startPostgres } from '../support/store/postgres.ts'
import {
  type DatabaseServer,
  postgresOrNot,
  query,
  quick,
} from '../support/store/postgres-databases.ts'

const server = await postgresOrNot('several PostgreSQL servers', quick)

async function portOf(client: Pick<Client, 'query'>): Promise<string> {
  const { rows } = await client.query(`SELECT current_setting('port') AS port`)
  return rows[0].port
}

async function portAt(setting: string): Promise<string> {
  const client = await openClient(setting)
  try {
    return await portOf(client)
  } finally {
    await client.end()
  }
}

if (server !== null) await testServers(server)

async function testServers(primary: DatabaseServer): Promise<void> {
  after(() => primary.stop())
  const { port } = new URL(primary.url)
  const standby = await startPostgres({ ...quick, standbyOf: Number(port) })
  after(() => standby.stop())
  const both = `${primary.url},${standby.url}`
  const reversed = `${standby.url},${primary.url}`

  test('connections go to the server that can be written, wherever it stands', async () => {
    assert.equal(await portAt(both), port)
    assert.equal(await portAt(reversed), port)
  })

  test('no server is used while none can be written', async (t) => {
    const setReadOnly = async (value: string) => {
      await query(primary.url, `ALTER SYSTEM SET default_transaction_read_only = ${value}`)
      await query(primary.url, 'SELECT pg_reload_conf()')
      const show = () => query(primary.url, 'SHOW default_transaction_read_only')
      const isSet = ([row]: pg.QueryResultRow[]) => row?.default_transaction_read_only === value
      assert.ok(isSet(await until(show, isSet)), 'the server has read its settings')
    }
    t.after(() => setReadOnly('off'))
    // One of the settings is known already, the other one is not.
    const settings = [both, `${both}?application_name=first`]
    await setReadOnly('on')
    for (const setting of settings) {
      await assert.rejects(openClient(setting), /no server .*: .*read-only; .*read-only/)
    }
    await setReadOnly('off')
    for (const setting of settings) assert.equal(await portAt(setting), port)
  })

  test('servers that are no copies of each other are refused', async (t) => {
    const other = await startPostgres(quick)
    t.after(() => other.stop())
    await assert.rejects(openClient(`${primary.url},${other.url}`), (error) => {
      assert.ok(error instanceof SetupProblem)
      return /^The PostgreSQL servers .* must be .*; .* are no copies of each other\.$/.test(
        error.message,
      )
    })
    // Nor is one used that could not be asked at first.
    const servers = new DatabaseServers([primary.url, other.url])
    let down = other.url
    const connect = async (url: string) => {
      if (url === down) throw new Error('it is down')
      return openClient(url)
    }
    await (await servers.open(connect)).end()
    down = primary.url
    await assert.rejects(servers.open(connect), /it is no copy of the primary/)
  })

  test('connections move from a frozen primary to the promoted standby, for good', async (t) => {
    const pool = openPool(both, 2)
    t.after(() => pool.end())
    const [earlier, read] = [await openClient(both), await pool.connect()]
    const ended = new Promise((resolve) => earlier.once('end', resolve))
    read.on('error', () => undefined)
    primary.freeze()
    await standby.promote()
    const startedAt = performance.now()
    const promoted = new URL(standby.url).port
    assert.equal(await portAt(both), promoted)
    const tookMs = performance.now() - startedAt
    assert.ok(tookMs < 2_500, `found after ${tookMs} ms`)
    await ended
    await assert.rejects(read.query('SELECT 1'))
    read.release(true)
    primary.thaw()
    assert.equal(await portAt(both), promoted)
    const again = await pool.connect()
    assert.equal(await portOf(again), promoted)
    again.release()
    // Not even if the promoted one does not answer: what it has stored is missing there.
    standby.freeze()
    const refused = await openClient(both, 1_000).catch((error: Error) => error)
    standby.thaw()
    assert.match(String(refused), /it is a former primary/)
    // A new setting is not known yet: all servers are asked, and the former primary is not used.
    assert.equal(await portAt(`${both}?application_name=new`), promoted)
  })

  test('an error says of each server why it is not used', async () => {
    await primary.kill()
    await standby.stop()
    const places = '127\\.0\\.0\\.1:\\d+/postgres: connect ECONNREFUSED [^;]+'
    const expected = `^Of the PostgreSQL servers .* can be written: ${places}; ${places}\\.$`
    await assert.rejects(auditPostgres(both), (error) => {
      assert.ok(error instanceof StoreCannotOpen)
      assert.match(error.message, new RegExp(expected))
      return true
    })
  })
}
