// Backups that are made while an engine trades: each has a prefix of the committed turns, and an
// engine can be opened on it as docs/operating.md describes.

import assert from 'node:assert/strict'
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { auditFolder } from '../../src/store/sqlite/audit/audit.ts'
import { backupDatabase } from '../../src/store/sqlite/backup.ts'
import { answerOf, EngineFixture } from '../engine/engine-fixture.ts'
import { Random } from '../support/process/random.ts'
import { busyExchange, newMarket, tradeIn } from './busy-exchange.ts'

const backupCount = 5

suite('backup', () => {
  test('five backups under load pass the audit, and each is a committed prefix', async () => {
    const open = await busyExchange(4)
    const place = await mkdtemp(join(tmpdir(), 'outcry-backup-'))
    try {
      const market = await newMarket(open, ['Yes', 'No'])
      let isTrading = true
      const trading = (async () => {
        const random = new Random(6)
        while (isTrading) await tradeIn(open, market, random, 5)
      })()
      const folders: string[] = []
      for (let count = 0; count < backupCount; count += 1) {
        const folder = join(place, String(count))
        await mkdir(folder)
        const before = headOf(open.folder)
        const file = join(folder, 'outcry.db')
        const { commandSequence } = await backupDatabase({ folder: open.folder, file })
        assert.ok(commandSequence >= before.seq, 'all that was stored when it began is there')
        folders.push(folder)
      }
      isTrading = false
      await trading
      for (const folder of folders) assert.deepEqual(await readdir(folder), ['outcry.db'])
      const heads = folders.map(headOf)
      for (const [index, folder] of folders.entries()) {
        assert.deepEqual((await auditFolder(folder)).violations, [])
        assert.ok(isStored(open.folder, heads[index]!), 'its head is one that the service had')
      }
      assert.ok(new Set(heads.map(({ seq }) => seq)).size > 1, 'trading went on between them')
    } finally {
      await open.close()
      await rm(place, { recursive: true, force: true })
    }
  })

  test('an engine continues from a restored backup', async () => {
    let open = await busyExchange(4)
    const place = await mkdtemp(join(tmpdir(), 'outcry-restore-'))
    try {
      const file = join(place, 'backup.db')
      const market = await newMarket(open, ['Yes', 'No'])
      await open.shard.untilReadable()
      // The last turns are in their file only.
      for (let count = 0; count < 3; count += 1) answerOf(await open.place(market))
      const { commandSequence: seq } = await backupDatabase({ folder: open.folder, file })
      assert.ok(seq > headOf(open.folder).seq, 'the last turns were pending')
      await tradeIn(open, market, new Random(6), 5)
      await open.stop()

      for (const end of ['', '-wal', '-shm']) {
        await rm(join(open.folder, `outcry.db${end}`), { force: true })
      }
      await copyFile(file, join(open.folder, 'outcry.db'))
      open = await EngineFixture.open(open.folder)
      assert.equal(headOf(open.folder).seq, seq)
      const anew = await newMarket(open, ['Yes', 'No'])
      answerOf(await open.place(anew))
      assert.deepEqual((await auditFolder(open.folder)).violations, [])
    } finally {
      await open.close()
      await rm(place, { recursive: true, force: true })
    }
  })

  test('a file that is created meanwhile is not replaced, and no other file is left', async () => {
    const open = await busyExchange(4)
    const place = await mkdtemp(join(tmpdir(), 'outcry-backup-'))
    try {
      const file = join(place, 'one.db')
      const copying = backupDatabase({ folder: open.folder, file })
      const refused = assert.rejects(copying, { name: 'BackupFileExists' })
      await writeFile(file, 'mine')
      await refused
      assert.deepEqual(await readdir(place), ['one.db'])
    } finally {
      await open.close()
      await rm(place, { recursive: true, force: true })
    }
  })
})

type Head = { readonly seq: number; readonly hash: string }

function headOf(folder: string): Head {
  return headIn(join(folder, 'outcry.db'))
}

function headIn(file: string): Head {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return asHead(database.prepare('SELECT command_sequence, hex(hash) AS hash FROM head').get())
  } finally {
    database.close()
  }
}

function asHead(cells: Readonly<Record<string, unknown>> | undefined): Head {
  return { seq: Number(cells?.command_sequence), hash: String(cells?.hash) }
}

function isStored(folder: string, { seq, hash }: Head): boolean {
  const database = new DatabaseSync(join(folder, 'outcry.db'), { readOnly: true })
  try {
    const found = database.prepare(
      'SELECT 1 FROM batches WHERE command_sequence_to = ? AND hex(hash) = ?',
    )
    return found.get(seq, hash) !== undefined
  } finally {
    database.close()
  }
}
