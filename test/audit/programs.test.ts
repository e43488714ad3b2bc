// npm run audit and npm run backup from the command line: their output and exit codes.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import type { EngineFixture } from '../engine/engine-fixture.ts'
import { busyExchange } from './busy-exchange.ts'
import { runProgram } from './program.ts'

suite('command line programs', () => {
  let open: EngineFixture
  let place = ''

  before(async () => {
    open = await busyExchange()
    place = await mkdtemp(join(tmpdir(), 'outcry-programs-'))
  })

  after(async () => {
    await open.close()
    await rm(place, { recursive: true, force: true })
  })

  test('an audit beside a running engine reports no violations and exits with 0', async () => {
    const { code, out, error } = await runProgram('audit', { folder: open.folder })
    assert.deepEqual([code, error], [0, ''])
    assert.match(out, /^0 violations in \d+ markets, \d+ orders, \d+ trades, .* turns\n$/)
    const first = await runProgram('audit', { folder: open.folder, args: ['--shard', '0'] })
    assert.deepEqual([first.code, first.out], [0, out])
  })

  test('an audit that finds violations lists them and exits with 1', async () => {
    const folder = await copyOf(open, join(place, 'sick'))
    const database = new DatabaseSync(join(folder, 'outcry.db'))
    database.exec('UPDATE orders SET cost = cost + 1')
    database.close()
    const { code, out } = await runProgram('audit', { folder })
    const lines = out.trimEnd().split('\n')
    assert.equal(code, 1)
    assert.equal(lines.length, 102)
    assert.match(lines[0]!, /^order-cost: Order [0-9a-f-]{36} has cost \S+; its trades .*\.$/)
    assert.match(lines[100]!, /^\.\.\. and \d+ more\.$/)
    assert.match(lines[101]!, /^\d+ violations in /)

    const asJson = await runProgram('audit', { folder, args: ['--json'] })
    const report = JSON.parse(asJson.out)
    assert.equal(asJson.code, 1)
    assert.equal(report.violations.length, 100)
    assert.ok(report.violationCount > 100)
    assert.ok(report.counts.orders > 0)
  })

  test('a backup reports what it has written, and only its owner can read it', async () => {
    const file = join(place, 'one.db')
    const { code, out, error } = await runProgram('backup', { folder: open.folder, args: [file] })
    assert.deepEqual([code, error], [0, ''])
    assert.match(out, /^Wrote [\d,]+ bytes to \S+one\.db: all [\d,]+ commands up to 2026-\S+Z\.\n/)
    assert.match(out, /\nBack up OUTCRY_SECRETS_KEY and ADMIN_API_KEY separately\.\n$/)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
  })

  test('a backup with --with-keys copies the keys of the data folder', async () => {
    await writeFile(join(open.folder, 'secrets.key'), 'seal\n', { mode: 0o600 })
    await writeFile(join(open.folder, 'admin.key'), 'admin\n', { mode: 0o600 })
    const keys = join(place, 'keys')
    const without = await runProgram('backup', {
      folder: open.folder,
      args: [join(place, 'two.db')],
    })
    assert.match(without.out, /Back up \S+secrets\.key and \S+admin\.key separately\.\n$/)
    const args = [join(place, 'three.db'), '--with-keys', keys]
    const copied = await runProgram('backup', { folder: open.folder, args })
    assert.equal(copied.code, 0)
    assert.match(copied.out, /Copied secrets\.key and admin\.key to \S+keys\.\n$/)
    assert.equal(await readFile(join(keys, 'secrets.key'), 'utf8'), 'seal\n')
    assert.equal((await stat(join(keys, 'admin.key'))).mode & 0o777, 0o600)
    assert.equal((await stat(keys)).mode & 0o777, 0o700)

    const again = [join(place, 'four.db'), '--with-keys', keys]
    const refused = await runProgram('backup', { folder: open.folder, args: again })
    assert.equal(refused.code, 64)
    assert.match(refused.error, /^\S+secrets\.key already exists; .*\.\n$/)
    await assert.rejects(stat(join(place, 'four.db')))
  })

  test('a backup of PostgreSQL is refused in one line, which names pg_dump', async () => {
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
    const file = join(place, 'postgres.db')
    const ended = await runProgram('backup', { folder: open.folder, args: [file], env })
    assert.deepEqual([ended.code, ended.out], [64, ''])
    assert.match(ended.error, /^DATABASE_URL is set, [^\n]+ pg_dump, which copies every shard\.\n$/)
    await assert.rejects(stat(file))
  })

  test('invalid arguments print one line and exit with 64', async () => {
    const { folder } = open
    const existing = join(place, 'existing')
    await writeFile(existing, 'mine')
    const calls = [
      await runProgram('audit', { folder, args: ['--fast'] }),
      await runProgram('audit', { folder, args: ['somewhere'] }),
      await runProgram('audit', { folder, args: ['--shard', '1'] }),
      await runProgram('audit', { folder, args: ['--shard'] }),
      await runProgram('backup', { folder }),
      await runProgram('backup', { folder, args: ['a', 'b'] }),
      await runProgram('backup', { folder, args: [existing] }),
    ]
    for (const { code, out, error } of calls) {
      assert.deepEqual([code, out], [64, ''])
      assert.match(error, /^[^\n]+\.\n$/)
    }
    assert.equal(await readFile(existing, 'utf8'), 'mine')
  })

  test('a program that cannot run prints one line and exits with 69', async () => {
    const empty = join(place, 'empty')
    await mkdir(empty)
    const nowhere = join(place, 'no', 'such', 'folder.db')
    const calls = [
      await runProgram('audit', { folder: empty }),
      await runProgram('backup', { folder: empty, args: [join(place, 'never.db')] }),
      await runProgram('backup', { folder: open.folder, args: [nowhere] }),
    ]
    for (const { code, out, error } of calls) {
      assert.deepEqual([code, out], [69, ''])
      assert.match(error, /^[^\n]+\.\n$/)
    }
    await assert.rejects(stat(join(place, 'never.db')))
  })
})

async function copyOf(open: EngineFixture, folder: string): Promise<string> {
  await mkdir(folder)
  const file = join(folder, 'outcry.db')
  const { code } = await runProgram('backup', { folder: open.folder, args: [file] })
  assert.equal(code, 0)
  return folder
}
