// One process per data folder: an exclusive lock on a separate file, so that audits and backups can
// still open the database. The system releases the lock when the process ends, also after a crash.

import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FolderInUse, FolderUnusable } from './start-errors.ts'

export type FolderLock = { release(): void }

/** Creates the folder if it does not exist. */
export function lockFolder(folder: string): FolderLock {
  let database: DatabaseSync | null = null
  try {
    makeFolder(resolve(folder))
    database = new DatabaseSync(join(folder, 'outcry.lock'), { timeout: 0 })
    // Without a journal, which a full disk has no space for.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    database?.close()
    throw isBusy(error) ? new FolderInUse(folder, error) : new FolderUnusable(folder, error)
  }
  const held = database
  return { release: () => held.close() }
}

// Without the recursive option of mkdir, which never returns for paths below /proc (Node 26).
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (!existsSync(parent)) makeFolder(parent)
  mkdirSync(folder, { mode: 0o700 })
}

const busyCode = 5

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === busyCode
}
