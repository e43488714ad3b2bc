// The id of the history of a database: the first start draws it, every later one keeps it, and a
// backup and `npm run restored` replace it.

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { lockFolder } from '../folder-lock.ts'
import { databaseFile, isDatabase, openDurable } from './connection.ts'
import { isUnwritable } from './failures.ts'
import { hasKnownTables } from './migrate.ts'
import { FolderUnusable, MadeByNewerVersion, StoreCannotOpen } from './start-errors.ts'

export function setUpHistory(database: DatabaseSync): void {
  database
    .prepare('INSERT INTO history (is_only_row, id) VALUES (1, ?) ON CONFLICT DO NOTHING')
    .run(randomUUID())
}

/** Returns the new id; null if the tables are of an earlier version, whose next start draws one. */
export function replaceHistory(database: DatabaseSync): string | null {
  const table = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'history'`).get()
  if (table === undefined) return null
  const id = randomUUID()
  database
    .prepare(
      `INSERT INTO history (is_only_row, id) VALUES (1, ?)
       ON CONFLICT DO UPDATE SET id = excluded.id`,
    )
    .run(id)
  return id
}

/**
 * Replaces the id in a data folder, as replaceHistory does. Throws a StoreCannotOpen, also if a
 * service uses the folder.
 */
export function renewHistory(folder: string): string | null {
  const file = databaseFile(folder)
  if (!existsSync(file)) throw new StoreCannotOpen(`There is no database in ${folder}.`)
  const lock = lockFolder(folder)
  try {
    // SQLite would delete the log of a file that is no database.
    if (!isDatabase(file)) throw new StoreCannotOpen(`${file} is no SQLite database.`)
    const database = openDurable(file)
    try {
      if (!hasKnownTables(database)) throw new MadeByNewerVersion(folder)
      return replaceHistory(database)
    } finally {
      database.close()
    }
  } catch (error) {
    if (error instanceof StoreCannotOpen) throw error
    if (isUnwritable(error)) throw new FolderUnusable(folder, error)
    const reason = error instanceof Error ? error.message : String(error)
    throw new StoreCannotOpen(`The database ${file} cannot be changed: ${reason}.`, {
      cause: error,
    })
  } finally {
    lock.release()
  }
}
