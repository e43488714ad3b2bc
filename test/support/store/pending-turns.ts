// A data folder as a process leaves it that ends before it derives its last turns: they are
// committed to their file, and the tables do not have them.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { chainStart } from '../../../src/store/chain.ts'
import { presentEngineVersion } from '../../../src/store/engine-version.ts'
import { Committer } from '../../../src/store/sqlite/committer.ts'
import { openReader, Statements } from '../../../src/store/sqlite/connection.ts'
import { type DerivedHead, Deriver } from '../../../src/store/sqlite/deriver.ts'
import { prepareDatabase } from '../../../src/store/sqlite/start.ts'
import { TurnsFile, turnsFile } from '../../../src/store/sqlite/turns-file.ts'
import { RowPacker, type Turn } from '../../../src/store/store.ts'

export const noTurns: DerivedHead = { epoch: 0, commandSequence: 0, hash: chainStart }

/** A turn of one command. */
export function smallTurn(epoch: number, from: number): Turn {
  const packer = new RowPacker()
  packer.add('participant', { marketSerial: from + 1, operatorNumber: 1 })
  const rows = packer.bytes
  return { epoch, batchId: `batch-${from}`, from, to: from + 1, lastSerial: 1, now: 1, rows }
}

/** A start that nobody has stopped; it derives what is pending. */
export function prepare(folder: string): void {
  prepareDatabase({ folder, shard: 0, engineVersion: presentEngineVersion })
}

/** Commits so many turns after the head. */
export function commitPending(folder: string, count: number, head: DerivedHead = noTurns): void {
  const committer = new Committer(folder, () => false)
  committer.follow(head)
  const { epoch, commandSequence } = head
  for (let at = 0; at < count; at += 1) {
    const { rows, ...turn } = smallTurn(epoch, commandSequence + at)
    committer.commit({ turn: { ...turn, rows, generation: 0 }, derivedTo: 0 })
  }
  committer.close()
}

/** The head of the tables. */
export function headOf(folder: string): DerivedHead {
  const database = openReader(folder)
  try {
    return new Deriver(new Statements(database), { after: () => [] }, 0).head
  } finally {
    database.close()
  }
}

/** The commands of all turns in their file. */
export function commandsIn(folder: string): number[] {
  const file = TurnsFile.forReader(folder)
  try {
    return Array.from(file.after(0), ({ to }) => to)
  } finally {
    file.close()
  }
}

export function newFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'outcry-turns-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A folder whose tables have five turns; after them, so many are pending. */
export function leftFolder(context: TestContext, pending: number): string {
  const folder = newFolder(context)
  prepare(folder)
  commitPending(folder, 5)
  prepare(folder)
  commitPending(folder, pending, headOf(folder))
  return folder
}

export function removeTurns(folder: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(turnsFile(folder) + end, { force: true })
}

/** Runs SQL on a database. */
export function change(file: string, text: string): void {
  const database = new DatabaseSync(file)
  database.exec(text)
  database.close()
}

/**
 * The program refuses a file of turns that is no database. The right one may be put back beside its
 * log, which SQLite would delete if it opened an empty file.
 */
export async function assertLogKept(
  folder: string,
  program: (folder: string) => Promise<unknown>,
): Promise<void> {
  const log = `${turnsFile(folder)}-wal`
  for (const wrong of ['', 'x'.repeat(10_000)]) {
    writeFileSync(turnsFile(folder), wrong)
    writeFileSync(log, 'of the right file')
    await assert.rejects(program(folder), {
      name: 'TurnsUnusable',
      message: /outcry\.db-turns cannot be used: it is no SQLite database; put back the right file/,
    })
    assert.equal(readFileSync(log, 'utf8'), 'of the right file')
  }
  rmSync(log)
}

/** The hashes of all files of the database, except the empty logs that a reader creates. */
export function hashesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^outcry\.db(?!.*-shm$)/.test(name))
  return names.sort().flatMap((name) => {
    const bytes = readFileSync(join(folder, name))
    return bytes.length === 0 ? [] : [`${name} ${hash('sha256', bytes)}`]
  })
}
