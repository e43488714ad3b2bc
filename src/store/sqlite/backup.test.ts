// A backup of a store that is in use is complete and can be opened.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { onlyShard } from '../../../test/support/store/only-shard.ts'
import { RowPacker, type Store } from '../store.ts'
import { databaseFile } from './connection.ts'
import { backupDatabase, openSqliteStore } from './sqlite-store.ts'

function open(folder: string): Promise<Store> {
  return openSqliteStore({ folder, onFatal: (cause) => assert.fail(cause) })
}

function newTurn(epoch: number, from: number) {
  const packer = new RowPacker()
  packer.add('participant', { marketSerial: from, operatorNumber: 1 })
  const rows = packer.packed
  return { epoch, batchId: `batch-${from}`, from, to: from + 1, lastSerial: 1, now: 1, rows }
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

  test('leaves no file behind if it fails', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'outcry-backup-'))
    const file = join(folder, 'copy.db')
    await assert.rejects(backupDatabase({ folder, file }))
    assert.equal(existsSync(file), false)
    rmSync(folder, { recursive: true })
  })
})
