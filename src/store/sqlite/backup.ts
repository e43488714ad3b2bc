// Copies the database while it is in use, also from another process, and checks the copy before it
// gets its name.

import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { assert } from '../../core/assert.ts'
import { numberOf } from '../sql/cells.ts'
import { addFunctions, databaseFile, openDurable, openReader, Statements } from './connection.ts'
import { Deriver } from './deriver.ts'
import { CannotDerive } from './failures.ts'
import { replaceHistory } from './history.ts'
import { isUpToDate } from './migrate.ts'
import { checkReach, hasTurnsOutside, metaOf, setMeta } from './start.ts'
import { NoDatabase, StoreCannotOpen, TurnsUnusable } from './start-errors.ts'
import { syncPath } from './sync-path.ts'
import { type CommittedTurn, type TurnsEnd, TurnsFile, turnsFile } from './turns-file.ts'

/** Written bytes. */
export type BackupProgress = (progress: { done: number; total: number }) => void

export type BackupResult = {
  readonly bytes: number
  /** How many commands have changed something, and the time of the last one. */
  readonly commandSequence: number
  readonly now: number
}

/** Why a backup is not possible, as a message of one line. */
export class BackupFailed extends Error {
  override readonly name: string = 'BackupFailed'
}

/** Probably the database is damaged, too. */
export class CopyDamaged extends BackupFailed {
  override readonly name = 'CopyDamaged'

  constructor(finding: string) {
    super(`The copy is damaged: ${finding}.`)
  }
}

export class BackupFileExists extends BackupFailed {
  override readonly name = 'BackupFileExists'

  constructor(file: string) {
    super(`${file} already exists; a backup never replaces a file.`)
  }
}

type BackupOptions = {
  readonly folder: string
  readonly file: string
  /** A copy that no service goes on with keeps the id of the history; a backup has another one. */
  readonly keepsHistory?: boolean
  readonly progress?: BackupProgress
}

const progressEveryMs = 500
const ownerOnly = 0o600

/**
 * All pages are copied in one step: in several, every turn that is stored meanwhile would restart
 * the copy. The file gets its name when it is complete, checked and on disk.
 * Throws a BackupFailed or a StoreCannotOpen.
 */
export async function backupDatabase(options: BackupOptions): Promise<BackupResult> {
  const { folder, file, keepsHistory = false, progress = () => {} } = options
  if (!existsSync(databaseFile(folder))) throw new NoDatabase(folder)
  if (existsSync(file)) throw new BackupFileExists(file)
  const unfinished = `${file}.part`
  try {
    makeEmpty(unfinished)
    // First, because a turn is deleted from its file as soon as the tables have it.
    const turns = turnsIn(folder)
    await copy(folder, unfinished, progress)
    complete(unfinished, turns, keepsHistory)
    syncPath(unfinished)
    const result = check(unfinished)
    giveName(unfinished, file)
    return result
  } catch (cause) {
    if (cause instanceof BackupFailed || cause instanceof StoreCannotOpen) throw cause
    if (cause instanceof CannotDerive) throw new TurnsUnusable(turnsFile(folder), cause)
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new BackupFailed(`${file} could not be written: ${reason}.`, { cause })
  } finally {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(unfinished + end, { force: true })
  }
}

// Created with its final permissions: only its owner may read a copy of all records.
function makeEmpty(file: string): void {
  rmSync(file, { force: true })
  closeSync(openSync(file, 'wx', ownerOnly))
}

async function copy(folder: string, file: string, progress: BackupProgress): Promise<void> {
  const database = openReader(folder)
  let timer: NodeJS.Timeout | undefined
  try {
    const pages = numberOf(database.prepare('PRAGMA page_count').get()?.page_count)
    const total = pages * numberOf(database.prepare('PRAGMA page_size').get()?.page_size)
    timer = setInterval(() => {
      progress({ done: Math.min(statSync(file).size, total), total })
    }, progressEveryMs)
    // Pages may be added before the copy begins.
    await backup(database, file, { rate: pages * 2 + 1_000_000 })
    progress({ done: total, total })
  } finally {
    clearInterval(timer)
    database.close()
  }
}

/** In memory: there are never many. Throws a StoreCannotOpen if some may be missing. */
function turnsIn(folder: string): CommittedTurn[] {
  const database = openReader(folder)
  try {
    if (!hasTurnsOutside(folder, database)) return []
    const head = database.prepare('SELECT command_sequence, hash FROM head').get()
    assert(head?.hash instanceof Uint8Array, 'the head has a hash')
    const { command_sequence, hash } = head
    return turnsFrom(folder, { commandSequence: numberOf(command_sequence), hash })
  } finally {
    database.close()
  }
}

function turnsFrom(folder: string, head: TurnsEnd): CommittedTurn[] {
  const file = TurnsFile.forReader(folder)
  try {
    checkReach(turnsFile(folder), file.end(), head)
    return [...file.after(head.commandSequence)]
  } finally {
    file.close()
  }
}

/** Derives what the tables of the copy do not have: a backup is one file. */
function complete(file: string, turns: readonly CommittedTurn[], keepsHistory: boolean): void {
  const database = openDurable(file)
  try {
    if (!keepsHistory) replaceHistory(database)
    if (isUpToDate(database)) derive(database, turns)
    else if (turns.length > 0) {
      const reason = 'the last commits are not in its tables, which are of another version'
      throw new BackupFailed(`The database cannot be copied: ${reason}; start the service once.`)
    }
    // Earlier versions do not have the mark.
    if (metaOf(database, 'turns_file') === 1) setMeta(database, 'turns_file', 0)
  } finally {
    database.close()
  }
}

function derive(database: DatabaseSync, turns: readonly CommittedTurn[]): void {
  addFunctions(database)
  const statements = new Statements(database)
  const { shard } = statements.get('SELECT shard FROM head').get() ?? {}
  if (shard === undefined) return
  const after = (last: number) => turns.filter(({ to }) => to > last)
  const deriver = new Deriver(statements, { after }, numberOf(shard))
  while (deriver.step());
}

// Immutable: opened otherwise, the file would get a log beside it.
function check(file: string): BackupResult {
  const address = pathToFileURL(file)
  address.searchParams.set('immutable', '1')
  const database = new DatabaseSync(address, { readOnly: true })
  try {
    const finding = database.prepare('PRAGMA quick_check(1)').get()?.quick_check
    if (finding !== 'ok') throw new CopyDamaged(String(finding))
    // Data that no service of this version has migrated yet calls the sequence `seq`.
    const head = database.prepare('SELECT * FROM head').get()
    if (head === undefined) throw new BackupFailed('The database has no records.')
    return {
      bytes: statSync(file).size,
      commandSequence: numberOf(head.command_sequence ?? head.seq),
      now: numberOf(head.now),
    }
  } finally {
    database.close()
  }
}

// A link does not replace a file that was created meanwhile; not every file system has links.
function giveName(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file)
  } catch (error) {
    if (existsSync(file)) throw new BackupFileExists(file)
    if (!(error instanceof Error)) throw error
    renameSync(unfinished, file)
  }
  syncPath(dirname(file))
}
