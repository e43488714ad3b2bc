// Connections to the database with their settings, and prepared statements.

import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { folded } from '../columns.ts'
import type { Parameter, Reading } from '../sql/reading.ts'

/** Of every database of SQLite. */
const fileBegin = 'SQLite format 3\0'
const writerBusyMs = 250
const readerBusyMs = 2_000
/**
 * A transaction that leaves so many pages in the log copies them to the database, which takes long:
 * a page that changes often is copied once. If no read waits for a transaction, it copies earlier.
 */
const walPages = { whenNoReadWaits: 4_000, atMost: 12_000 } as const
const walBytesMax = 64 * 1024 * 1024
// Rows are written all over the tables; pages outside the cache are read again each time.
const writerCacheKib = 64 * 1024
const readerCacheKib = 32 * 1024

export function databaseFile(folder: string): string {
  return join(folder, 'outcry.db')
}

/** Whether the file begins like a database; an empty one does not. */
export function isDatabase(file: string): boolean {
  if (!statSync(file).isFile()) return false
  const handle = openSync(file, 'r')
  try {
    const begin = Buffer.alloc(fileBegin.length)
    readSync(handle, begin)
    return begin.toString('latin1') === fileBegin
  } finally {
    closeSync(handle)
  }
}

export function openWriter(folder: string): DatabaseSync {
  const database = openDurable(databaseFile(folder))
  database.exec(`
    PRAGMA wal_autocheckpoint = ${walPages.atMost};
    PRAGMA journal_size_limit = ${walBytesMax};
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -${writerCacheKib};
  `)
  addFunctions(database)
  return database
}

/** Runs transactions that no read waits for. */
export function whileNoReadWaits(database: DatabaseSync, work: () => void): void {
  database.exec(`PRAGMA wal_autocheckpoint = ${walPages.whenNoReadWaits}`)
  try {
    work()
  } finally {
    database.exec(`PRAGMA wal_autocheckpoint = ${walPages.atMost}`)
  }
}

/** What statements that write rows use. */
export function addFunctions(database: DatabaseSync): void {
  // Lower case in every alphabet; lower() of SQLite supports ASCII only.
  database.function('fold', { deterministic: true }, (text) => folded(String(text)))
}

/** FULL and fullfsync: a commit survives a power failure. */
export function openDurable(file: string): DatabaseSync {
  const database = new DatabaseSync(file, {
    timeout: writerBusyMs,
    enableForeignKeyConstraints: true,
  })
  try {
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA fullfsync = 1;
      PRAGMA checkpoint_fullfsync = 1;
      PRAGMA cell_size_check = ON;
    `)
  } catch (error) {
    database.close()
    throw error
  }
  return database
}

/** Sorts in memory: a full disk must not stop reads. */
export function openReader(folder: string): DatabaseSync {
  const database = new DatabaseSync(databaseFile(folder), { timeout: readerBusyMs, readOnly: true })
  database.exec(`
    PRAGMA temp_store = MEMORY;
    PRAGMA cell_size_check = ON;
    PRAGMA cache_size = -${readerCacheKib};
  `)
  return database
}

/** Statements by their text, each prepared once. */
export class Statements {
  readonly database: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.database = database
  }

  get(text: string): StatementSync {
    let statement = this.#prepared.get(text)
    if (statement === undefined) {
      statement = this.database.prepare(text)
      this.#prepared.set(text, statement)
    }
    return statement
  }
}

/** Runs a reading to its end. */
export function answerOf<Answer>(statements: Statements, reading: Reading<Answer>): Answer {
  let step = reading.next()
  while (step.done !== true) {
    const { text, values } = step.value
    const listed = text.replaceAll('= ANY (?)', 'IN (SELECT value FROM json_each(?))')
    step = reading.next(statements.get(listed).all(...values.map(bound)))
  }
  return step.value
}

function bound(value: Parameter): SQLInputValue {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
