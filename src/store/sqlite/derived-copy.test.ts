// The programs that read a folder whose last turns are not in its tables: they see these turns,
// and refuse a file of turns that does not continue the tables.

import assert from 'node:assert/strict'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import {
  assertLogKept,
  change,
  hashesIn,
  headOf,
  leftFolder,
  newFolder,
  prepare,
  removeTurns,
} from '../../../test/support/store/pending-turns.ts'
import { auditFolder } from './audit/audit.ts'
import { backupDatabase } from './backup.ts'
import { databaseFile } from './connection.ts'
import { withReadableTables } from './derived-copy.ts'
import { MadeByNewerVersion } from './start-errors.ts'
import { turnsFile } from './turns-file.ts'

const readAll = async (folder: string) => headOf(folder).commandSequence
const programs: Readonly<Record<string, (folder: string) => Promise<unknown>>> = {
  'a backup': (folder) => backupDatabase({ folder, file: join(folder, 'copy.db') }),
  'a migration': (folder) => withReadableTables(folder, 0, readAll),
  'an audit': (folder) => auditFolder(folder),
}

for (const [what, program] of Object.entries(programs)) {
  suite(what, () => {
    test('refuses a missing file of turns after an unclean stop', async (context) => {
      const folder = leftFolder(context, 3)
      removeTurns(folder)
      await assert.rejects(program(folder), { name: 'TurnsMissing' })
    })

    test('refuses a file of turns that is no database, and leaves its log alone', (context) =>
      assertLogKept(leftFolder(context, 3), program))

    test('refuses turns of another version', async (context) => {
      const folder = leftFolder(context, 3)
      change(turnsFile(folder), 'PRAGMA user_version = 99')
      const before = hashesIn(folder)
      await assert.rejects(program(folder), { name: 'TurnsOfOtherVersion' })
      assert.deepEqual(hashesIn(folder), before)
    })

    test('refuses turns with a gap', async (context) => {
      const folder = leftFolder(context, 3)
      change(turnsFile(folder), 'DELETE FROM turns WHERE command_sequence_to = 6')
      await assert.rejects(program(folder), {
        name: 'TurnsUnusable',
        message: /outcry\.db-turns cannot be used: the commands 6 to 6 are missing/,
      })
    })
  })
}

test('a backup and a migration refuse the turns of another folder', async (context) => {
  const folder = leftFolder(context, 3)
  const other = newFolder(context)
  prepare(other)
  removeTurns(folder)
  cpSync(turnsFile(other), turnsFile(folder))
  for (const what of ['a backup', 'a migration']) {
    const refusal = { name: 'TurnsUnusable', message: /do not belong together/ }
    await assert.rejects(programs[what]!(folder), refusal)
  }
})

test('a migration reads what is pending from a copy, and deletes the copy', async (context) => {
  const folder = leftFolder(context, 3)
  let place = folder
  const readIn = async (tables: string) => {
    place = tables
    return readAll(tables)
  }
  assert.equal(await withReadableTables(folder, 0, readIn), 8)
  assert.notEqual(place, folder)
  assert.equal(existsSync(place), false)
})

test('a migration refuses a folder without a database in one line', async (context) => {
  const folder = newFolder(context)
  await assert.rejects(withReadableTables(folder, 0, readAll), {
    name: 'NoDatabase',
    message: `There is no database in ${folder}.`,
  })
  writeFileSync(databaseFile(folder), 'x'.repeat(10_000))
  await assert.rejects(withReadableTables(folder, 0, readAll), {
    name: 'DatabaseUnreadable',
    message: `The database ${databaseFile(folder)} cannot be read: file is not a database.`,
  })
})

test('a migration refuses the data of a newer version, and names its folder', async (context) => {
  for (const newer of ['PRAGMA user_version = 99', 'UPDATE head SET engine_version = 99']) {
    const folder = leftFolder(context, 0)
    change(databaseFile(folder), `UPDATE meta SET value = 1 WHERE name = 'clean_stop'; ${newer}`)
    await assert.rejects(withReadableTables(folder, 0, readAll), (error) => {
      assert(error instanceof MadeByNewerVersion)
      assert.ok(error.message.includes(`in ${folder} was`), error.message)
      return true
    })
  }
})

test('an audit finds damaged tables also while turns are pending', async (context) => {
  const folder = leftFolder(context, 3)
  const database = new DatabaseSync(databaseFile(folder))
  const page = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sets'").get()
  database.close()
  const bytes = readFileSync(databaseFile(folder))
  bytes.fill('x', (Number(page?.rootpage) - 1) * 4_096, Number(page?.rootpage) * 4_096)
  writeFileSync(databaseFile(folder), bytes)
  const { violations } = await auditFolder(folder)
  assert.match(violations.join(), /The database is damaged/)
})
