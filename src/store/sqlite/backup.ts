// Copies the database while it is in use, also from another process, and checks the copy before it
// gets its name.

import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { numberOf } from '../sql/cells.ts'
import { databaseFile, openReader } from './connection.ts'
import { StoreCannotOpen } from './start-errors.ts'

/** Written bytes. */
export type BackupProgress = (progress: { done: number; total: number }) => void

export type BackupResult = {
  readonly bytes: number
  /** How many commands have changed something, and the time of the last one. */
  readonly commandSequence: number
  readonly now: number
}

/** Why a backup is not possible, in one line. */
export class BackupFailed extends Error {
  override readonly name: string = 'BackupFailed'
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
  const { folder, file, progress = () => {} } = options
  if (!existsSync(databaseFile(folder))) {
    throw new StoreCannotOpen(`There is no database in ${folder}.`)
  }
  if (existsSync(file)) throw new BackupFileExists(file)
  const unfinished = `${file}.part`
  try {
    makeEmpty(unfinished)
    await copy(folder, unfinished, progress)
    sync(unfinished)
    const result = check(unfinished)
    giveName(unfinished, file)
    return result
  } catch (cause) {
    if (cause instanceof BackupFailed) throw cause
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

// Immutable: opened otherwise, the file would get a log beside it.
function check(file: string): BackupResult {
  const address = pathToFileURL(file)
  address.searchParams.set('immutable', '1')
  const database = new DatabaseSync(address, { readOnly: true })
  try {
    const finding = database.prepare('PRAGMA quick_check(1)').get()?.quick_check
    if (finding !== 'ok') throw new BackupFailed(`The copy is damaged: ${finding}.`)
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
  sync(dirname(file))
}

function sync(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
