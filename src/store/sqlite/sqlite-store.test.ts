// How the embedded store starts and stops, and what it refuses.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, type TestContext, test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { serial } from '../../../test/support/core/steps.ts'
import { onlyShard } from '../../../test/support/store/only-shard.ts'
import { smallTurn } from '../../../test/support/store/pending-turns.ts'
import { lockFolder } from '../folder-lock.ts'
import { RowPacker, type Store } from '../store.ts'
import { databaseFile } from './connection.ts'
import { openSqliteStore, type SqliteOptions } from './sqlite-store.ts'
import { DatabaseDamaged, FolderInUse, FolderUnusable, MadeByNewerVersion } from './start-errors.ts'

function newFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-sqlite-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

function open(folder: string, options: Partial<SqliteOptions> = {}): Promise<Store> {
  return openSqliteStore({ folder, onFatal: (cause) => assert.fail(cause), ...options })
}

function versionOf(folder: string): number {
  const database = new DatabaseSync(databaseFile(folder))
  const row = database.prepare('PRAGMA user_version').get()
  database.close()
  return Number(row?.user_version)
}

function change(folder: string, text: string): void {
  const database = new DatabaseSync(databaseFile(folder))
  database.exec(text)
  database.close()
}

suite('the embedded store', () => {
  test('a folder in use cannot be opened again, by this process or another', async (context) => {
    const folder = newFolder(context)
    const store = await open(folder)
    try {
      await assert.rejects(open(folder), FolderInUse)
      const file = fileURLToPath(new URL('../folder-lock.ts', import.meta.url))
      const text = `import { lockFolder } from ${JSON.stringify(file)}; lockFolder(process.argv[1])`
      const other = spawnSync(process.execPath, ['--input-type=module', '-e', text, folder])
      assert.equal(other.status, 1)
      assert.match(String(other.stderr), /The data folder .* is in use by another process\./)
    } finally {
      await store.close()
    }
    await (await open(folder)).close()
  })

  test('another process can read the committed records', async (context) => {
    const folder = newFolder(context)
    const store = await open(folder)
    try {
      const { epoch } = await onlyShard(store).claim()
      const beside = new DatabaseSync(databaseFile(folder), { readOnly: true })
      const row = beside.prepare('SELECT epoch FROM head').get()
      beside.close()
      assert.equal(row?.epoch, epoch)
    } finally {
      await store.close()
    }
  })

  test('the error for a folder that cannot be created names the folder', async (context) => {
    const file = join(newFolder(context), 'file')
    writeFileSync(file, '')
    await assert.rejects(open(join(file, 'data')), (error) => {
      assert(error instanceof FolderUnusable)
      assert.match(error.message, /The data folder .*file\/data cannot be created or written to/)
      return true
    })
  })

  test('data of a newer version is refused and not changed', async (context) => {
    const folder = newFolder(context)
    await (await open(folder)).close()
    const present = versionOf(folder)
    change(folder, 'PRAGMA user_version = 9999')
    await assert.rejects(open(folder), MadeByNewerVersion)
    change(folder, `PRAGMA user_version = ${present}`)
    const newer = await open(folder, { engineVersion: 7 })
    await onlyShard(newer).claim()
    await newer.close()
    await assert.rejects(open(folder, { engineVersion: 6 }), MadeByNewerVersion)
    await (await open(folder, { engineVersion: 7 })).close()
  })

  test('a damaged database is refused after an unclean stop', async (context) => {
    const folder = newFolder(context)
    await (await open(folder)).close()
    const database = new DatabaseSync(databaseFile(folder))
    const page = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sets'").get()
    database.close()
    const file = openSync(databaseFile(folder), 'r+')
    writeSync(file, Buffer.alloc(4_096, 'x'), 0, 4_096, (Number(page?.rootpage) - 1) * 4_096)
    closeSync(file)
    // After a clean stop the file is not checked.
    await (await open(folder)).close()
    change(folder, "UPDATE meta SET value = 0 WHERE name = 'clean_stop'")
    await assert.rejects(open(folder), DatabaseDamaged)
  })

  test('a file that is not a database is refused', async (context) => {
    const folder = newFolder(context)
    writeFileSync(databaseFile(folder), 'x'.repeat(10_000))
    await assert.rejects(open(folder), /The database .*outcry\.db cannot be opened/)
    await assert.rejects(open(folder), (error) => !(error instanceof FolderInUse))
  })

  const overwritten = { 'with nonsense': Buffer.alloc(4_096 * 80, 'x'), 'with nothing': '' }
  for (const [how, bytes] of Object.entries(overwritten)) {
    test(`a database overwritten ${how} is reported once, and its reads fail`, async (context) => {
      const folder = newFolder(context)
      const causes: Error[] = []
      const store = await open(folder, { onFatal: (cause) => causes.push(cause) })
      try {
        const { epoch } = await onlyShard(store).claim()
        writeFileSync(databaseFile(folder), bytes)
        writeFileSync(`${databaseFile(folder)}-wal`, '')
        const turn = { epoch, batchId: 'x', from: 0, to: 1, lastSerial: 1, now: 1 }
        const packer = new RowPacker()
        packer.add('participant', { marketSerial: 1, operatorNumber: 1 })
        await assert.rejects(onlyShard(store).reads.market(serial(1)), { name: 'StoreUnavailable' })
        await onlyShard(store)
          .commit({ ...turn, rows: packer.bytes })
          .catch(() => {})
        await assert.rejects(onlyShard(store).reads.market(serial(1)), { name: 'StoreUnavailable' })
        assert.equal(causes.length, 1)
      } finally {
        await store.close().catch(() => {})
      }
    })
  }

  test('a database that another program has locked is reported once', async (context) => {
    const folder = newFolder(context)
    const causes: string[] = []
    const onDerivationFailed = ({ message }: Error) => causes.push(message)
    const store = await open(folder, { onDerivationFailed })
    const other = new DatabaseSync(databaseFile(folder))
    try {
      const shard = onlyShard(store)
      const { epoch } = await shard.claim()
      other.exec('BEGIN IMMEDIATE')
      await shard.commit(smallTurn(epoch, 0))
      for (const _ of ['at first', 'again']) {
        await assert.rejects(shard.reads.market(serial(1)), { name: 'StoreUnavailable' })
      }
      assert.deepEqual(causes, ['database is locked'])
      other.exec('ROLLBACK')
      await shard.untilReadable()
    } finally {
      other.close()
      await store.close()
    }
  })

  test('the metrics show the turns that are not in the tables', async (context) => {
    let watched: { readonly pendingBytes: number } = { pendingBytes: 0 }
    const metrics = {
      readsWaiting() {},
      readWaited() {},
      readDropped() {},
      watchTables: (tables: typeof watched) => {
        watched = tables
      },
    }
    const store = await open(newFolder(context), { metrics })
    try {
      const shard = onlyShard(store)
      const { epoch } = await shard.claim()
      await shard.commit(smallTurn(epoch, 0))
      assert.ok(watched.pendingBytes > 0)
      await shard.untilReadable()
      assert.equal(watched.pendingBytes, 0)
    } finally {
      await store.close()
    }
  })

  test('every deferred index follows the turns', async (context) => {
    const folder = newFolder(context)
    const store = await open(folder)
    const database = new DatabaseSync(databaseFile(folder), { readOnly: true })
    const marks = database.prepare('SELECT DISTINCT indexed_to FROM index_marks')
    const areAt = (serial: number) => marks.all().every((cells) => cells.indexed_to === serial)
    try {
      const shard = onlyShard(store)
      const { epoch } = await shard.claim()
      await shard.commit({ ...smallTurn(epoch, 0), lastSerial: 5_000 })
      await shard.untilReadable()
      const deadline = performance.now() + 10_000
      while (!areAt(5_000) && performance.now() < deadline) await nextIteration()
      assert.ok(areAt(5_000))
    } finally {
      database.close()
      await store.close()
    }
  })

  test('a folder cannot be opened again until its store is closed', async (context) => {
    const folder = newFolder(context)
    const store = await open(folder)
    const { epoch } = await onlyShard(store).claim()
    await onlyShard(store).commit(smallTurn(epoch, 0))
    let isClosed = false
    const closed = store.close().then(() => {
      isClosed = true
    })
    for (; !isClosed; await nextIteration()) assert.throws(() => lockFolder(folder), FolderInUse)
    await closed
    lockFolder(folder).release()
  })

  test('a clean stop is marked and leaves no log behind', async (context) => {
    const folder = newFolder(context)
    const store = await open(folder)
    const markOf = () => {
      const database = new DatabaseSync(databaseFile(folder), { readOnly: true })
      const mark = database.prepare("SELECT value FROM meta WHERE name = 'clean_stop'").get()
      database.close()
      return mark?.value
    }
    const before = markOf()
    await store.close()
    assert.equal(before, 0)
    assert.equal(markOf(), 1)
  })
})
