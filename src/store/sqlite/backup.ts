// Copies the database while it is in use, also from another process than the one that uses it, and
// looks at the copy before it gets its name.

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

/** How much of it is written, in bytes. */
export type BackupProgress = (progress: { done: number; total: number }) => void

export type BackupResult = {
  readonly bytes: number
  /** How many commands have changed something, and the time of the last of them. */
  readonly sequence: number
  readonly now: number
}

/** One line: what stands in the way of a backup. */
export class BackupFailed extends Error {
  override readonly name: string = 'BackupFailed'
}

export class BackupFileExists extends BackupFailed {
  override readonly name = 'BackupFileExists'

  constructor(file: string) {
    super(`${file} exists already; a backup never replaces a file.`)
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
 * All pages are copied in one step: in several, every turn that is stored meanwhile would make it
 * begin again. The file appears under its name only when it is whole, checked and on disk.
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
    const result = look(unfinished)
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

// With its permissions from the start: a copy of all records is nobody else's to read.
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

// As it lies there: opened for use, it would get a log beside it.
function look(file: string): BackupResult {
  const address = pathToFileURL(file)
  address.searchParams.set('immutable', '1')
  const database = new DatabaseSync(address, { readOnly: true })
  try {
    const finding = database.prepare('PRAGMA quick_check(1)').get()?.quick_check
    if (finding !== 'ok') throw new BackupFailed(`The copy is damaged: ${finding}.`)
    const head = database.prepare('SELECT seq, now FROM shards').get()
    if (head === undefined) throw new BackupFailed('The copy has no head: nothing was stored yet.')
    return { bytes: statSync(file).size, sequence: numberOf(head.seq), now: numberOf(head.now) }
  } finally {
    database.close()
  }
}

// A link refuses to replace a file that came into being meanwhile; not every disk has links.
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
