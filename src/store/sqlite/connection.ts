// Connections to the database with their settings, and prepared statements.

import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { folded } from '../columns.ts'
import type { Parameter, Reading } from '../sql/reading.ts'

const writerBusyMs = 250
const readerBusyMs = 2_000
/**
 * Pages in the log before it is copied to the database: a page that changes often is copied once.
 */
const walPages = 4_000
const walBytesMax = 64 * 1024 * 1024
// Rows are written all over the tables; pages outside the cache are read again each time.
const writerCacheKib = 64 * 1024
const readerCacheKib = 32 * 1024

export function databaseFile(folder: string): string {
  return join(folder, 'outcry.db')
}

/** FULL and fullfsync: a commit survives a power failure. */
export function openWriter(folder: string): DatabaseSync {
  const database = new DatabaseSync(databaseFile(folder), {
    timeout: writerBusyMs,
    enableForeignKeyConstraints: true,
  })
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = 1;
    PRAGMA checkpoint_fullfsync = 1;
    PRAGMA cell_size_check = ON;
    PRAGMA wal_autocheckpoint = ${walPages};
    PRAGMA journal_size_limit = ${walBytesMax};
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -${writerCacheKib};
  `)
  // Lower case in every alphabet; lower() of SQLite supports ASCII only.
  database.function('fold', { deterministic: true }, (text) => folded(String(text)))
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
