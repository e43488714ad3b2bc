// A copy of a database in a temporary folder, in which everything that is pending is derived: for
// programs that read whole tables and must not write to the data folder.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { presentEngineVersion } from '../engine-version.ts'
import { backupDatabase } from './backup.ts'
import { databaseFile, openReader } from './connection.ts'
import { codeOf } from './failures.ts'
import { isNewer, isUpToDate } from './migrate.ts'
import { hasTurnsOutside, prepareDatabase, refuseNewerEngine } from './start.ts'
import { DatabaseUnreadable, MadeByNewerVersion, NoDatabase } from './start-errors.ts'

/**
 * Calls `use` with the folder, or with a derived copy if turns may be pending or the tables are of
 * an earlier version. The caller must hold the lock of the folder. Throws a StoreCannotOpen or a
 * BackupFailed.
 */
export async function withReadableTables<Answer>(
  folder: string,
  shard: number,
  use: (tables: string) => Promise<Answer>,
): Promise<Answer> {
  return isReadable(folder) ? use(folder) : withDerivedCopy(folder, shard, use)
}

// What a copy would report with its own name is refused here.
function isReadable(folder: string): boolean {
  const file = databaseFile(folder)
  if (!existsSync(file)) throw new NoDatabase(folder)
  let database: DatabaseSync | null = null
  try {
    database = openReader(folder)
    if (isNewer(database)) throw new MadeByNewerVersion(folder)
    if (!isUpToDate(database)) return false
    refuseNewerEngine(database, { folder, engineVersion: presentEngineVersion })
    return !hasTurnsOutside(folder, database)
  } catch (error) {
    throw codeOf(error) === null ? error : new DatabaseUnreadable(file, error)
  } finally {
    database?.close()
  }
}

/**
 * Calls `use` with the folder of the copy, which is deleted afterwards. Throws a StoreCannotOpen or
 * a BackupFailed.
 */
export async function withDerivedCopy<Answer>(
  folder: string,
  shard: number,
  use: (copy: string) => Promise<Answer>,
): Promise<Answer> {
  const copy = mkdtempSync(join(tmpdir(), 'outcry-copy-'))
  try {
    await backupDatabase({ folder, file: databaseFile(copy), keepsHistory: true })
    prepareDatabase({ folder: copy, shard, engineVersion: presentEngineVersion })
    return await use(copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
