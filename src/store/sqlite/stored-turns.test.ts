// What a start does with the file of committed turns: it derives what is in it, and refuses a file
// that does not continue the tables.

import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { onlyShard } from '../../../test/support/store/only-shard.ts'
import {
  assertLogKept,
  change,
  commandsIn,
  commitPending,
  hashesIn,
  headOf,
  leftFolder,
  newFolder,
  prepare,
  removeTurns,
  smallTurn,
} from '../../../test/support/store/pending-turns.ts'
import { oldestRowsVersion } from '../rows.ts'
import type { Store } from '../store.ts'
import { Committer } from './committer.ts'
import { databaseFile } from './connection.ts'
import { backupDatabase, openSqliteStore } from './sqlite-store.ts'
import { setTurnsAside, turnsFile } from './turns-file.ts'

function open(folder: string): Promise<Store> {
  return openSqliteStore({ folder, onFatal: (cause) => assert.fail(cause) })
}

/** All cells of all tables of both files. */
function contentOf(folder: string): unknown {
  return [databaseFile(folder), turnsFile(folder)].map((file) => {
    const database = new DatabaseSync(file, { readOnly: true })
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
    const cells = tables.map(({ name }) => [name, database.prepare(`SELECT * FROM ${name}`).all()])
    database.close()
    return cells
  })
}

async function assertRefused(folder: string, reason: RegExp): Promise<void> {
  const before = contentOf(folder)
  for (const _ of ['at first', 'again']) {
    await assert.rejects(open(folder), (error) => {
      assert(error instanceof Error)
      assert.match(error.message, /outcry\.db-turns/)
      assert.match(error.message, reason)
      assert.match(error.message, /restore a backup\.$/)
      return true
    })
  }
  assert.deepEqual(contentOf(folder), before)
}

suite('a start', () => {
  test('derives the turns that an earlier process has left, and goes on', async (context) => {
    const folder = leftFolder(context, 3)
    assert.equal(headOf(folder).commandSequence, 5)
    const store = await open(folder)
    const { commandSequence, epoch, batchId } = await onlyShard(store).claim()
    assert.deepEqual([commandSequence, batchId], [8, 'batch-7'])
    assert.deepEqual(commandsIn(folder), [])
    await onlyShard(store).commit(smallTurn(epoch, 8))
    await store.close()
    assert.equal(headOf(folder).commandSequence, 9)
  })

  test('needs no file of turns after a clean stop', async (context) => {
    const folder = leftFolder(context, 3)
    await (await open(folder)).close()
    removeTurns(folder)
    const store = await open(folder)
    const { commandSequence, epoch } = await onlyShard(store).claim()
    assert.equal(commandSequence, 8)
    await onlyShard(store).commit(smallTurn(epoch, 8))
    await store.close()
    assert.equal(headOf(folder).commandSequence, 9)
  })

  test('refuses a missing file of turns after an unclean stop', async (context) => {
    const folder = leftFolder(context, 3)
    cpSync(turnsFile(folder), join(folder, 'kept'))
    removeTurns(folder)
    await assert.rejects(open(folder), {
      name: 'TurnsMissing',
      message: /outcry\.db-turns is missing, in which the last orders are; put it back/,
    })
    assert.equal(headOf(folder).commandSequence, 5)
    cpSync(join(folder, 'kept'), turnsFile(folder))
    const store = await open(folder)
    assert.equal((await onlyShard(store).claim()).commandSequence, 8)
    await store.close()
  })

  test('completes a file of turns that a first start has only created', async (context) => {
    const folder = newFolder(context)
    writeFileSync(turnsFile(folder), '')
    await (await open(folder)).close()
    prepare(folder)
    writeFileSync(turnsFile(folder), '')
    await assert.rejects(open(folder), { name: 'TurnsUnusable' })
  })

  test('refuses the turns of another folder, whether they are fewer or more', async (context) => {
    for (const pending of [0, 1, 3, 5, 9]) {
      const folder = leftFolder(context, 3)
      const other = newFolder(context)
      prepare(other)
      const own = { epoch: 7, commandSequence: 0, hash: new Uint8Array(32) }
      commitPending(other, pending, own)
      removeTurns(folder)
      cpSync(turnsFile(other), turnsFile(folder))
      const reason = pending < 6 ? /do not belong together/ : /damaged, or do not belong/
      await assertRefused(folder, reason)
    }
  })

  test('refuses an earlier copy of its own file, which lacks turns', async (context) => {
    const folder = leftFolder(context, 1)
    const early = join(folder, 'early')
    cpSync(turnsFile(folder), early)
    prepare(folder)
    commitPending(folder, 4, headOf(folder))
    prepare(folder)
    removeTurns(folder)
    cpSync(early, turnsFile(folder))
    await assertRefused(folder, /they end at command 6, the tables at command 10/)
  })

  test('sets the turns of another database aside, as beside a backup', async (context) => {
    const folder = leftFolder(context, 3)
    change(databaseFile(folder), "UPDATE meta SET value = 0 WHERE name = 'turns_file'")
    await (await open(folder)).close()
    assert.equal(headOf(folder).commandSequence, 5)
    const aside = new DatabaseSync(`${turnsFile(folder)}.1`, { readOnly: true })
    assert.equal(aside.prepare('SELECT count(*) AS turns FROM turns').get()?.turns, 3)
    aside.close()
  })

  test('loses no turn if it sets a file aside and fails in between', async (context) => {
    const folder = leftFolder(context, 0)
    const before = readFileSync(turnsFile(folder))
    const committer = new Committer(folder, () => false)
    const head = headOf(folder)
    committer.follow(head)
    const turn = smallTurn(head.epoch, head.commandSequence)
    committer.commit({ turn: { ...turn, generation: 0 }, derivedTo: 0 })
    const log = readFileSync(`${turnsFile(folder)}-wal`)
    committer.close()
    // As a process leaves it that is killed: the turn is only in the log.
    writeFileSync(turnsFile(folder), before)
    writeFileSync(`${turnsFile(folder)}-wal`, log)
    change(databaseFile(folder), "UPDATE meta SET value = 0 WHERE name = 'turns_file'")
    const obstacle = join(`${turnsFile(folder)}.1-wal`, 'obstacle')
    mkdirSync(obstacle, { recursive: true })
    await assert.rejects(open(folder))
    rmSync(dirname(obstacle), { recursive: true })
    await (await open(folder)).close()
    const aside = new DatabaseSync(`${turnsFile(folder)}.1`, { readOnly: true })
    assert.equal(aside.prepare('SELECT count(*) AS turns FROM turns').get()?.turns, 1)
    aside.close()
  })

  test('sets nothing aside that the tables have, as after a killed stop', async (context) => {
    const folder = leftFolder(context, 3)
    const turns = readFileSync(turnsFile(folder))
    await (await open(folder)).close()
    writeFileSync(turnsFile(folder), turns)
    await (await open(folder)).close()
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('outcry.db-turns')),
      ['outcry.db-turns'],
    )
    assert.equal(headOf(folder).commandSequence, 8)
  })

  test('keeps the log of turns that it sets aside, and those of an earlier start', (context) => {
    const folder = newFolder(context)
    const ends = ['', '-wal']
    for (const time of ['first', 'second']) {
      for (const end of ends) writeFileSync(turnsFile(folder) + end, time)
      setTurnsAside(folder)
    }
    const texts = ['.1', '.1-wal', '.2', '.2-wal'].map((end) =>
      readFileSync(turnsFile(folder) + end, 'utf8'),
    )
    assert.deepEqual(texts, ['first', 'first', 'second', 'second'])
    assert.equal(readdirSync(folder).length, texts.length)
  })

  test('refuses turns with a gap', async (context) => {
    for (const missing of [6, 7]) {
      const folder = leftFolder(context, 3)
      change(turnsFile(folder), `DELETE FROM turns WHERE command_sequence_to = ${missing}`)
      await assertRefused(folder, new RegExp(`the commands ${missing} to ${missing} are missing`))
    }
  })

  test('uses the empty file that a later database has left beside a backup', async (context) => {
    const folder = leftFolder(context, 0)
    const copy = join(folder, 'copy')
    await backupDatabase({ folder, file: copy })
    commitPending(folder, 3, headOf(folder))
    await (await open(folder)).close()
    cpSync(copy, databaseFile(folder))
    await (await open(folder)).close()
    assert.equal(headOf(folder).commandSequence, 5)
  })

  test('refuses tables that lack turns which were deleted', async (context) => {
    const folder = leftFolder(context, 3)
    change(turnsFile(folder), 'DELETE FROM turns; UPDATE base SET command_sequence = 8')
    await assertRefused(folder, /the commands 6 to 8 are missing/)
  })

  test('refuses turns with a changed byte', async (context) => {
    const folder = leftFolder(context, 3)
    const file = readFileSync(turnsFile(folder))
    const at = file.indexOf('batch-6') + 'batch-6'.length
    // The last byte of a row: the file is still a valid database.
    const database = new DatabaseSync(turnsFile(folder))
    const rows = database.prepare('SELECT rows FROM turns WHERE command_sequence_to = 7').get()
    database.close()
    assert(rows?.rows instanceof Uint8Array && at > 'batch-6'.length)
    const end = file.indexOf(rows.rows, at) + rows.rows.length - 1
    file[end]! ^= 1
    writeFileSync(turnsFile(folder), file)
    await assertRefused(folder, /the commands 7 to 7 are damaged, or do not belong to the tables/)
  })

  test('refuses a file of turns that is no database, and leaves its log alone', async (context) => {
    const folder = leftFolder(context, 3)
    const turns = readFileSync(turnsFile(folder))
    await assertLogKept(folder, open)
    writeFileSync(turnsFile(folder), turns)
    await (await open(folder)).close()
    assert.equal(headOf(folder).commandSequence, 8)
  })

  test('refuses a damaged file of turns', async (context) => {
    const folder = leftFolder(context, 3)
    const file = readFileSync(turnsFile(folder))
    file.fill(0x5a, 4_096 + 8, 4_096 + 200)
    writeFileSync(turnsFile(folder), file)
    await assert.rejects(open(folder), /outcry\.db-turns (?:is damaged|cannot be used)/)
    assert.equal(headOf(folder).commandSequence, 5)
  })
})

test('a start migrates the first tables, which had no turns outside', async (context) => {
  const folder = newFolder(context)
  const first = new URL('./migrations/0001-first-tables.sql', import.meta.url)
  change(databaseFile(folder), `${readFileSync(first, 'utf8')}; PRAGMA user_version = 1`)
  await (await open(folder)).close()
  assert.equal(headOf(folder).commandSequence, 0)
})

suite('turns of another version', () => {
  const refusal = {
    name: 'TurnsOfOtherVersion',
    message: /outcry\.db-turns were written by another version of Outcry; start that version once/,
  }

  test('are refused before anything is changed', async (context) => {
    const folder = leftFolder(context, 3)
    for (const version of [0, 99]) {
      change(turnsFile(folder), `PRAGMA user_version = ${version}`)
      // The tables would be migrated first.
      change(databaseFile(folder), 'PRAGMA user_version = 15')
      const before = hashesIn(folder)
      await assert.rejects(open(folder), refusal)
      assert.deepEqual(hashesIn(folder), before)
    }
  })

  test('are derived if only kinds of rows were added since', async (context) => {
    const folder = leftFolder(context, 3)
    change(turnsFile(folder), `PRAGMA user_version = ${oldestRowsVersion}`)
    await (await open(folder)).close()
    assert.equal(headOf(folder).commandSequence, 8)
  })

  test('do not matter if the tables have them', async (context) => {
    const folder = leftFolder(context, 3)
    const derived = newFolder(context)
    cpSync(folder, derived, { recursive: true })
    prepare(derived)
    cpSync(databaseFile(derived), databaseFile(folder))
    assert.deepEqual([headOf(folder).commandSequence, commandsIn(folder)], [8, [6, 7, 8]])
    change(turnsFile(folder), 'PRAGMA user_version = 99')
    await backupDatabase({ folder, file: join(folder, 'copy.db') })
    await (await open(folder)).close()
    assert.equal(headOf(folder).commandSequence, 8)
  })

  test('leave a file that is used again once it is empty', async (context) => {
    const folder = leftFolder(context, 0)
    for (const stop of ['clean', 'unclean']) {
      if (stop === 'clean') await (await open(folder)).close()
      else prepare(folder)
      const otherTables = 'ALTER TABLE turns RENAME COLUMN now TO other'
      change(turnsFile(folder), `PRAGMA user_version = 99; ${otherTables}`)
      prepare(folder)
      commitPending(folder, 2, headOf(folder))
    }
    await (await open(folder)).close()
    assert.equal(headOf(folder).commandSequence, 9)
  })
})
