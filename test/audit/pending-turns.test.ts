// The programs on a folder whose last turns are committed and not in the tables, as a killed
// service leaves it: they see these turns, and write nothing to the folder.

import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import { auditFolder } from '../../src/store/sqlite/audit/audit.ts'
import { answerOf, EngineFixture } from '../engine/engine-fixture.ts'
import { commandsIn, headOf } from '../support/store/pending-turns.ts'
import { postgresOrNot, query, quick } from '../support/store/postgres-databases.ts'
import { busyExchange, newMarket } from './busy-exchange.ts'
import { runProgram } from './program.ts'

const server = await postgresOrNot('the migration of pending turns', quick)

suite('with pending turns', () => {
  const place = mkdtempSync(join(tmpdir(), 'outcry-pending-'))
  const folder = join(place, 'left')
  let committed = 0
  let orders = 0

  before(async () => {
    const open = await busyExchange(4)
    const market = await newMarket(open, ['Yes', 'No'])
    await open.shard.untilReadable()
    for (let count = 0; count < 3; count += 1) answerOf(await open.place(market))
    // Nothing is derived meanwhile: this thread would have to ask for it.
    cpSync(open.folder, folder, { recursive: true, filter: (path) => basename(path) !== 'reserve' })
    await open.shard.untilReadable()
    orders = ordersIn(open.folder)
    await open.close()
    committed = commandsIn(folder).at(-1) ?? 0
  })
  after(async () => {
    rmSync(place, { recursive: true })
    await server?.stop()
  })

  /** The work sees the pending turns, and leaves the files as they are. */
  async function assertUntouched(work: () => Promise<void>): Promise<void> {
    assert.ok(headOf(folder).commandSequence < committed, 'turns are pending')
    assert.ok(ordersIn(folder) < orders, 'orders are pending')
    const files = contentOf(folder)
    await work()
    assert.deepEqual(contentOf(folder), files)
  }

  test('an audit checks all of them', async () => {
    await assertUntouched(async () => {
      const { violations, counts } = await auditFolder(folder)
      assert.deepEqual(violations, [])
      assert.equal(counts.orders, orders)
      const { code, out } = await runProgram('audit', { folder })
      assert.equal(code, 0, out)
      assert.match(out, new RegExp(`^0 violations in .* ${orders} orders, `))
    })
  })

  test('a backup has all of them, and needs no other file', async () => {
    const restored = join(place, 'restored')
    await assertUntouched(async () => {
      const made = await runProgram('backup', { folder, args: [join(place, 'outcry.db')] })
      assert.deepEqual([made.code, made.error], [0, ''])
      assert.match(
        made.out,
        new RegExp(`: all ${committed.toLocaleString('en-US')} commands up to`),
      )
    })
    cpSync(join(place, 'outcry.db'), join(restored, 'outcry.db'))
    assert.equal(headOf(restored).commandSequence, committed)
    const engine = await EngineFixture.open(restored)
    answerOf(await engine.place(await newMarket(engine, ['Yes', 'No'])))
    assert.deepEqual((await auditFolder(restored)).violations, [])
    await engine.close()
  })

  if (server !== null) {
    test('a migration to PostgreSQL copies all of them', async () => {
      const { url } = await server.newDatabase()
      await assertUntouched(async () => {
        const { code, error } = await runProgram('migrate', { folder, env: { DATABASE_URL: url } })
        assert.deepEqual([code, error], [0, ''])
      })
      const [head] = await query(url, 'SELECT command_sequence FROM outcry_shard_0.head')
      assert.equal(Number(head?.command_sequence), committed)
    })
  }
})

/** How many orders the tables have. */
function ordersIn(folder: string): number {
  const database = new DatabaseSync(join(folder, 'outcry.db'), { readOnly: true })
  const count = database.prepare('SELECT count(*) AS n FROM orders').get()?.n
  database.close()
  return Number(count)
}

/** Of the files that hold records. */
function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => /^outcry\.db(?!.*-shm$)/.test(name))
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'hex')]))
}
