// The file of committed turns that are not in the tables yet: a database of its own, so that a turn
// is never committed behind a long transaction over the tables. A turn is deleted from it when the
// tables have it on disk, but never the last one: the file always reaches the head of the tables.

import { existsSync, renameSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { assert } from '../../core/assert.ts'
import { oldestRowsVersion, rowsVersion } from '../rows.ts'
import { type Cells, numberOf, textOf } from '../sql/cells.ts'
import type { SentTurn } from '../turn-sender.ts'
import { databaseFile, openDurable, Statements } from './connection.ts'
import { inTransaction, versionOf } from './migrate.ts'
import { TurnsOfOtherVersion } from './start-errors.ts'

/** `rows` are as row-bytes.ts encodes them, `hash` is that of the chain. */
export type CommittedTurn = Omit<SentTurn, 'generation'> & { readonly hash: Uint8Array }

/** How far the file reaches: the last command, and the hash of its turn. */
export type TurnsEnd = { readonly commandSequence: number; readonly hash: Uint8Array }

const readerBusyMs = 2_000
/** So many turns are deleted with the commit of another one. */
const deletedAtOnce = 64

/** Its name begins like that of the database, so that they are moved together. */
export function turnsFile(folder: string): string {
  return `${databaseFile(folder)}-turns`
}

/**
 * Gives the file another name, with its log; it is never deleted. The log first: SQLite would
 * delete one whose file is gone, as after a process that ended in between.
 */
export function setTurnsAside(folder: string): void {
  const file = turnsFile(folder)
  let number = 1
  while (existsSync(`${file}.${number}`)) number += 1
  for (const end of ['-wal', '-shm', '']) {
    if (existsSync(file + end)) renameSync(file + end, `${file}.${number}${end}`)
  }
}

export class TurnsFile {
  readonly #name: string
  readonly #statements: Statements

  private constructor(name: string, database: DatabaseSync) {
    this.#name = name
    this.#statements = new Statements(database)
  }

  static forWriter(folder: string): TurnsFile {
    const name = turnsFile(folder)
    return new TurnsFile(name, openDurable(name))
  }

  static forReader(folder: string): TurnsFile {
    const name = turnsFile(folder)
    const options = { timeout: readerBusyMs, readOnly: true }
    return new TurnsFile(name, new DatabaseSync(name, options))
  }

  get database(): DatabaseSync {
    return this.#statements.database
  }

  add({ epoch, batchId, from, to, lastSerial, now, hash, rows }: CommittedTurn): void {
    this.#statements
      .get(
        `INSERT INTO turns (
           command_sequence_to, command_sequence_from, epoch, batch_id, hash, now, last_serial, rows
         ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(to, from, epoch, batchId, hash, now, lastSerial, rows)
  }

  /** Deletes some of the turns up to that command. Returns whether there may be more. */
  delete(upTo: number): boolean {
    const { changes } = this.#statements
      .get(
        `DELETE FROM turns WHERE command_sequence_to IN (
           SELECT command_sequence_to FROM turns WHERE command_sequence_to <= ?
           ORDER BY command_sequence_to LIMIT ${deletedAtOnce})`,
      )
      .run(upTo)
    return changes === deletedAtOnce
  }

  /** Creates what does not exist, also after a start that ended meanwhile. */
  create(): void {
    this.database.exec(tables)
  }

  /**
   * Deletes all turns: the tables have them, and their head is here. The file may be of another
   * version; then it is of this one.
   */
  empty({ commandSequence, hash }: TurnsEnd): void {
    inTransaction(this.database, () => {
      this.database.exec(`
        DROP TABLE turns; DROP TABLE base; DROP TABLE probes;
        ${tables}
        PRAGMA user_version = ${rowsVersion};
      `)
      this.#statements.get('INSERT INTO base VALUES (?, ?)').run(commandSequence, hash)
    })
  }

  /** null if the file was just created. */
  end(): TurnsEnd | null {
    const last = this.#statements
      .get(
        `SELECT command_sequence_to AS last, hash FROM turns
         UNION ALL SELECT command_sequence, hash FROM base ORDER BY last DESC LIMIT 1`,
      )
      .get()
    if (last === undefined) return null
    assert(last.hash instanceof Uint8Array, 'a turn has a hash')
    return { commandSequence: numberOf(last.last), hash: last.hash }
  }

  /** The turns after that command, in order. Throws a TurnsOfOtherVersion. */
  *after(commandSequence: number): Iterable<CommittedTurn> {
    const turns = this.#statements
      .get('SELECT * FROM turns WHERE command_sequence_to > ? ORDER BY command_sequence_to')
      .iterate(commandSequence)
    const version = versionOf(this.database)
    const isReadable = version >= oldestRowsVersion && version <= rowsVersion
    for (const cells of turns) {
      if (!isReadable) throw new TurnsOfOtherVersion(this.#name)
      yield turnOf(cells)
    }
  }

  get isEmpty(): boolean {
    return this.#statements.get('SELECT 1 FROM turns LIMIT 1').get() === undefined
  }

  close(): void {
    this.database.close()
  }
}

/** With a change of them, `rowsVersion` is to be raised. */
const tables = `
  CREATE TABLE IF NOT EXISTS turns (
    command_sequence_to INTEGER PRIMARY KEY,
    command_sequence_from INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    batch_id TEXT NOT NULL,
    hash BLOB NOT NULL,
    now INTEGER NOT NULL,
    last_serial INTEGER NOT NULL,
    rows BLOB NOT NULL
  ) STRICT;
  -- The head of the tables when the file was empty.
  CREATE TABLE IF NOT EXISTS base (command_sequence INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS probes (bytes BLOB NOT NULL) STRICT;
`

function turnOf(cells: Cells): CommittedTurn {
  const { hash, rows } = cells
  assert(hash instanceof Uint8Array && rows instanceof Uint8Array, 'a turn has rows and a hash')
  return {
    epoch: numberOf(cells.epoch),
    batchId: textOf(cells.batch_id),
    from: numberOf(cells.command_sequence_from),
    to: numberOf(cells.command_sequence_to),
    lastSerial: numberOf(cells.last_serial),
    now: numberOf(cells.now),
    hash,
    rows,
  }
}
