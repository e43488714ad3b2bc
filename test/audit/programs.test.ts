// npm run audit and npm run backup as they are called: what they print and how they end.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, suite, test } from 'node:test'
import type { EngineFixture } from '../engine/engine-fixture.ts'
import { busyHouse } from './busy-exchange.ts'
import { runProgram } from './program.ts'

suite('programs', () => {
  let open: EngineFixture
  let place = ''

  before(async () => {
    open = await busyHouse()
    place = await mkdtemp(join(tmpdir(), 'outcry-programs-'))
  })

  after(async () => {
    await open.close()
    await rm(place, { recursive: true, force: true })
  })

  test('an audit beside a running engine says that all is well, and ends with 0', async () => {
    const { code, out, error } = await runProgram('audit', { folder: open.folder })
    assert.deepEqual([code, error], [0, ''])
    assert.match(out, /^0 violations in \d+ markets, \d+ orders, \d+ trades, .* turns\n$/)
  })

  test('an audit that finds something lists it, and ends with 1', async () => {
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

    const asJson = await runProgram('audit', { folder, words: ['--json'] })
    const report = JSON.parse(asJson.out)
    assert.equal(asJson.code, 1)
    assert.equal(report.violations.length, 100)
    assert.ok(report.violationCount > 100)
    assert.ok(report.counts.orders > 0)
  })

  test('a backup copies, says what it holds, and is for its owner alone', async () => {
    const file = join(place, 'one.db')
    const { code, out, error } = await runProgram('backup', { folder: open.folder, words: [file] })
    assert.deepEqual([code, error], [0, ''])
    assert.match(out, /one\.db holds [\d,]+ bytes: all [\d,]+ commands up to 2026-\S+Z\.\n/)
    assert.match(out, /Keep OUTCRY_SECRETS_KEY and ADMIN_API_KEY as well, elsewhere\.\n$/)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
  })

  test('a backup copies the keys of the data folder when it is told to', async () => {
    await writeFile(join(open.folder, 'secrets.key'), 'seal\n', { mode: 0o600 })
    await writeFile(join(open.folder, 'admin.key'), 'admin\n', { mode: 0o600 })
    const keys = join(place, 'keys')
    const told = await runProgram('backup', {
      folder: open.folder,
      words: [join(place, 'two.db')],
    })
    assert.match(told.out, /Keep \S+secrets\.key and \S+admin\.key as well, elsewhere\.\n$/)
    const words = [join(place, 'three.db'), '--with-keys', keys]
    const copied = await runProgram('backup', { folder: open.folder, words })
    assert.equal(copied.code, 0)
    assert.match(copied.out, /keys holds secrets\.key and admin\.key\.\n$/)
    assert.equal(await readFile(join(keys, 'secrets.key'), 'utf8'), 'seal\n')
    assert.equal((await stat(join(keys, 'admin.key'))).mode & 0o777, 0o600)
    assert.equal((await stat(keys)).mode & 0o777, 0o700)

    const again = [join(place, 'four.db'), '--with-keys', keys]
    const refused = await runProgram('backup', { folder: open.folder, words: again })
    assert.equal(refused.code, 64)
    assert.match(refused.error, /^\S+secrets\.key exists already; .*\.\n$/)
    await assert.rejects(stat(join(place, 'four.db')))
  })

  test('a wrong call gets one line and ends with 64', async () => {
    const { folder } = open
    const existing = join(place, 'existing')
    await writeFile(existing, 'mine')
    const calls = [
      await runProgram('audit', { folder, words: ['--fast'] }),
      await runProgram('audit', { folder, words: ['somewhere'] }),
      await runProgram('backup', { folder }),
      await runProgram('backup', { folder, words: ['a', 'b'] }),
      await runProgram('backup', { folder, words: [existing] }),
    ]
    for (const { code, out, error } of calls) {
      assert.deepEqual([code, out], [64, ''])
      assert.match(error, /^[^\n]+\.\n$/)
    }
    assert.equal(await readFile(existing, 'utf8'), 'mine')
  })

  test('what cannot be done gets one line and ends with 69', async () => {
    const empty = join(place, 'empty')
    await mkdir(empty)
    const nowhere = join(place, 'no', 'such', 'folder.db')
    const calls = [
      await runProgram('audit', { folder: empty }),
      await runProgram('backup', { folder: empty, words: [join(place, 'never.db')] }),
      await runProgram('backup', { folder: open.folder, words: [nowhere] }),
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
  const { code } = await runProgram('backup', { folder: open.folder, words: [file] })
  assert.equal(code, 0)
  return folder
}
