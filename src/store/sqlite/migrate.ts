// Brings the tables to the version that this code knows, one step per file in migrations/.

import { readdirSync, readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { numberOf } from '../sql/cells.ts'

const steps = new URL('./migrations/', import.meta.url)

/** False where the tables are of a newer version: then nothing is touched. */
export function migrate(database: DatabaseSync): boolean {
  const files = stepFiles()
  const version = versionOf(database)
  if (version > files.length) return false
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

/** Whether the tables are of the version that this code knows. */
export function isUpToDate(database: DatabaseSync): boolean {
  return versionOf(database) === stepFiles().length
}

function stepFiles(): string[] {
  return readdirSync(steps)
    .filter((name) => name.endsWith('.sql'))
    .sort()
}

function versionOf(database: DatabaseSync): number {
  return numberOf(database.prepare('PRAGMA user_version').get()?.user_version)
}

/** All of the work or none of it; a failure is thrown on. */
export function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    // A full disk has already ended it.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
