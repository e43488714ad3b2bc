// Migrates the tables to the version of this code, one step per file in migrations/.

import { readdirSync, readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { numberOf } from '../sql/cells.ts'

const steps = new URL('./migrations/', import.meta.url)

/** Returns false, and changes nothing, if the tables are of a newer version. */
export function migrate(database: DatabaseSync): boolean {
  const files = stepFiles()
  if (isNewer(database)) return false
  const version = versionOf(database)
  for (const [index, file] of files.entries()) {
    if (index < version) continue
    const text = readFileSync(new URL(file, steps), 'utf8')
    inTransaction(database, () => {
      database.exec(text)
      database.exec(`PRAGMA user_version = ${index + 1}`)
    })
  }
  return true
}

/** Whether the tables have the version of this code. */
export function isUpToDate(database: DatabaseSync): boolean {
  return versionOf(database) === stepFiles().length
}

/** Whether there are tables, of the version of this code or of an earlier one. */
export function hasKnownTables(database: DatabaseSync): boolean {
  return versionOf(database) > 0 && !isNewer(database)
}

/** Whether the tables have a later version than this code. */
export function isNewer(database: DatabaseSync): boolean {
  return versionOf(database) > stepFiles().length
}

function stepFiles(): string[] {
  return readdirSync(steps)
    .filter((name) => name.endsWith('.sql'))
    .sort()
}

/** 0 for an empty file. */
export function versionOf(database: DatabaseSync): number {
  return numberOf(database.prepare('PRAGMA user_version').get()?.user_version)
}

/** Commits the work, or rolls it back and rethrows its error. */
export function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    // An error of a full disk has already rolled it back.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
