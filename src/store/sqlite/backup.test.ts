// A backup of a store that is in use is complete and can be opened.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { onlyShard } from '../../../test/support/store/only-shard.ts'
import { commitPending, headOf, prepare } from '../../../test/support/store/pending-turns.ts'
import { chainStart } from '../chain.ts'
import { RowPacker, type Store } from '../store.ts'
import { databaseFile } from './connection.ts'
import { backupDatabase, openSqliteStore } from './sqlite-store.ts'
import { TurnsFile } from './turns-file.ts'

function open(folder: string): Promise<Store> {
  return openSqliteStore({ folder, onFatal: (cause) => assert.fail(cause) })
}

/** The first with a file of turns. */
const earlierVersion = 15

function newTurn(epoch: number, from: number) {
  const packer = new RowPacker()
  packer.add('participant', { marketSerial: from, operatorNumber: 1 })
  const rows = packer.bytes
  return { epoch, batchId: `batch-${from}`, from, to: from + 1, lastSerial: 1, now: 1, rows }
}

/** As a service of an earlier version leaves it that is killed: nothing is pending. */
function leaveEarlierTables(folder: string): void {
  mkdirSync(folder)
  const database = new DatabaseSync(databaseFile(folder))
  const steps = new URL('./migrations/', import.meta.url)
  const files = readdirSync(steps).sort().slice(0, earlierVersion)
  for (const file of files) database.exec(readFileSync(new URL(file, steps), 'utf8'))
  database.exec(`
    PRAGMA user_version = ${earlierVersion};
    INSERT INTO head VALUES (0, 1, 1, 0, 0, 0, '', zeroblob(32));
    UPDATE meta SET value = 1 WHERE name = 'turns_file';
    INSERT OR REPLACE INTO meta VALUES ('clean_stop', 0);
  `)
  database.close()
  const turns = TurnsFile.forWriter(folder)
  turns.create()
  turns.empty({ commandSequence: 0, hash: chainStart })
  turns.close()
}

suite('a backup', () => {
  test('is a snapshot of the store, however many turns are stored meanwhile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outcry-backup-'))
    const copy = join(folder, 'copy')
    mkdirSync(copy)
    const store = await open(join(folder, 'data'))
    try {
      const { epoch } = await onlyShard(store).claim()
      await onlyShard(store).commit(newTurn(epoch, 0))
      let isCopied = false
      const seen: number[] = []
      const copying = backupDatabase({
        folder: join(folder, 'data'),
        file: databaseFile(copy),
        progress: ({ done, total }) => seen.push(done / total),
      }).finally(() => {
        isCopied = true
      })
      let turns = 1
      for (; turns < 2_000 && !isCopied; turns += 1) {
        await onlyShard(store).commit(newTurn(epoch, turns))
      }
      await copying
      assert.equal(seen.at(-1), 1)
      assert.equal(existsSync(`${databaseFile(copy)}.part`), false)
      const restored = await open(copy)
      const { commandSequence, batchId } = await onlyShard(restored).claim()
      await restored.close()
      assert(commandSequence >= 1 && commandSequence <= turns)
      assert.equal(batchId, `batch-${commandSequence - 1}`)
    } finally {
      await store.close()
      rmSync(folder, { recursive: true })
    }
  })

  test('has what was pending when it began, also if the tables get it meanwhile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outcry-backup-'))
    const data = join(folder, 'data')
    const file = join(folder, 'copy.db')
    await (await open(data)).close()
    prepare(data)
    commitPending(data, 3)
    let hasDerived = false
    const progress = ({ done, total }: { done: number; total: number }) => {
      if (hasDerived || done < total) return
      hasDerived = true
      prepare(data)
    }
    assert.equal((await backupDatabase({ folder: data, file, progress })).commandSequence, 3)
    assert.deepEqual([hasDerived, headOf(data).commandSequence], [true, 3])
    rmSync(folder, { recursive: true })
  })

  test('of tables of an earlier version needs no other file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outcry-backup-'))
    const [data, copy] = [join(folder, 'data'), join(folder, 'copy')]
    leaveEarlierTables(data)
    mkdirSync(copy)
    await backupDatabase({ folder: data, file: databaseFile(copy) })
    await (await open(copy)).close()
    rmSync(folder, { recursive: true })
  })

  test('leaves no file behind if it fails', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outcry-backup-'))
    const file = join(folder, 'copy.db')
    await assert.rejects(backupDatabase({ folder, file }))
    assert.equal(existsSync(file), false)
    rmSync(folder, { recursive: true })
  })
})
