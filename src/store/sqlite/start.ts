// Prepares a database before its use: migrates the tables, writes back the log of the last process,
// checks the file after an unclean stop, and derives the turns that are not in the tables yet.

import { randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { assert } from '../../core/assert.ts'
import { chainStart } from '../chain.ts'
import { numberOf } from '../sql/cells.ts'
import type { TimeProblem } from '../start-errors.ts'
import type { IdKey } from '../store.ts'
import { databaseFile, isDatabase, openWriter, Statements } from './connection.ts'
import { updateIndexes } from './deferred-indexes.ts'
import { Deriver } from './deriver.ts'
import { DiskReserve } from './disk-reserve.ts'
import { CannotDerive, codeOf, isDamage, isUnwritable } from './failures.ts'
import { setUpHistory } from './history.ts'
import { hasKnownTables, inTransaction, migrate } from './migrate.ts'
import {
  DatabaseDamaged,
  FolderUnusable,
  MadeByNewerVersion,
  SetupProblem,
  StoreCannotOpen,
  TurnsMissing,
  TurnsUnusable,
} from './start-errors.ts'
import { syncPath } from './sync-path.ts'
import { setTurnsAside, type TurnsEnd, TurnsFile, turnsFile } from './turns-file.ts'

export type StartOptions = {
  readonly folder: string
  readonly shard: number
  readonly engineVersion: number
}

/** Returns the key of the public ids. Throws a StoreCannotOpen. */
export function prepareDatabase(
  options: StartOptions,
  timeProblem: TimeProblem = () => null,
): IdKey {
  const { folder } = options
  try {
    // What a full disk has interrupted is done again, as after a kill.
    return new DiskReserve(folder).withSpace(() => openAndPrepare(options, timeProblem))
  } catch (error) {
    if (error instanceof StoreCannotOpen) throw error
    if (isUnwritable(error)) throw new FolderUnusable(folder, error)
    const reason = error instanceof Error ? error.message : String(error)
    const file = databaseFile(folder)
    throw new StoreCannotOpen(`The database ${file} cannot be opened: ${reason}.`, { cause: error })
  }
}

function openAndPrepare(options: StartOptions, timeProblem: TimeProblem): IdKey {
  const database = openWriter(options.folder)
  try {
    prepare(database, options, timeProblem)
    return idKeyOf(database)
  } finally {
    database.close()
  }
}

function prepare(
  database: DatabaseSync,
  { folder, shard, engineVersion }: StartOptions,
  timeProblem: TimeProblem,
): void {
  // Throws before anything is changed: the version that can derive the turns may be an earlier one.
  if (hasKnownTables(database)) isDerived(folder, database)
  if (!migrate(database)) throw new MadeByNewerVersion(folder)
  refuseNewerEngine(database, { folder, engineVersion })
  const head = database.prepare('SELECT now FROM head WHERE shard = ?').get(shard)
  if (head !== undefined) {
    const problem = timeProblem(numberOf(head.now))
    if (problem !== null) throw new SetupProblem(problem)
  }
  writeBack(database, databaseFile(folder))
  if (metaOf(database, 'clean_stop') === 0) check(database, folder)
  const statements = new Statements(database)
  inTransaction(database, () => setUp(database, shard, engineVersion))
  deriveStored(statements, folder, shard)
  inTransaction(database, () => {
    updateIndexes(statements)
    setMeta(database, 'turns_file', 1)
    setMeta(database, 'clean_stop', 0)
  })
}

/** Of tables of this version. Throws a MadeByNewerVersion. */
export function refuseNewerEngine(
  database: DatabaseSync,
  { folder, engineVersion }: Pick<StartOptions, 'folder' | 'engineVersion'>,
): void {
  const { last } = database.prepare('SELECT max(engine_version) AS last FROM head').get()!
  if (last !== null && numberOf(last) > engineVersion) throw new MadeByNewerVersion(folder)
}

/** Derives everything that an earlier process has left in the file of turns, and empties it. */
function deriveStored(statements: Statements, folder: string, shard: number): void {
  const { database } = statements
  const file = turnsFile(folder)
  const isNeeded = hasTurnsOutside(folder, database)
  const { head } = new Deriver(statements, { after: () => [] }, shard)
  if (!isNeeded && existsSync(file) && mayHaveTurns(folder, head)) setTurnsAside(folder)
  const turns = openTurns(folder, { isNew: !isNeeded })
  try {
    const deriver = new Deriver(statements, turns, shard)
    if (isNeeded) checkReach(file, turns.end(), deriver.head)
    while (deriver.step());
    if (isNeeded) checkComplete(turns.end(), deriver.head)
    turns.empty(deriver.head)
    // The file may be new.
    syncPath(folder)
  } catch (error) {
    throw error instanceof CannotDerive ? new TurnsUnusable(file, error) : error
  } finally {
    turns.close()
  }
}

/** The file says how far it reached also when its turns are deleted. Throws a CannotDerive. */
function checkComplete(end: TurnsEnd | null, { commandSequence }: TurnsEnd): void {
  if (end === null || end.commandSequence <= commandSequence) return
  const missing = `the commands ${commandSequence + 1} to ${end.commandSequence}`
  throw new CannotDerive(`${missing} are missing`)
}

function openTurns(folder: string, { isNew }: { isNew: boolean }): TurnsFile {
  const file = turnsFile(folder)
  let turns: TurnsFile | null = null
  try {
    turns = TurnsFile.forWriter(folder)
    // Before the tables have the last turns: they must never be ahead of this file.
    writeBack(turns.database, file)
    const finding = turns.database.prepare('PRAGMA quick_check(1)').get()?.quick_check
    if (finding !== 'ok') throw new DatabaseDamaged(file, String(finding))
    if (isNew) turns.create()
    turns.end()
    return turns
  } catch (error) {
    turns?.close()
    throw isDamage(error) ? new TurnsUnusable(file, error) : error
  }
}

/**
 * An empty file, an old one or that of another folder would lose what was committed last. The head
 * is to be read before the end. Throws a TurnsUnusable.
 */
export function checkReach(file: string, end: TurnsEnd | null, head: TurnsEnd): void {
  const last = end?.commandSequence ?? 0
  const isBehind = last < head.commandSequence
  const isOther = last === head.commandSequence && !isSame(end?.hash ?? chainStart, head.hash)
  if (!isBehind && !isOther) return
  const reason = `they end at command ${last}, the tables at command ${head.commandSequence}`
  throw new TurnsUnusable(file, new Error(`${reason}, so they do not belong together`))
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}

/**
 * Whether the file of turns may have some that the tables do not have. If not, as in a backup or
 * after a clean stop, the file may be that of another database. Throws a TurnsMissing, or a
 * TurnsUnusable before SQLite opens a file that is no database: it would delete the log beside it.
 */
export function hasTurnsOutside(folder: string, database: DatabaseSync): boolean {
  const isNeeded = metaOf(database, 'turns_file') === 1 && metaOf(database, 'clean_stop') === 0
  const file = turnsFile(folder)
  if (!isNeeded) return false
  if (!existsSync(file)) throw new TurnsMissing(file)
  if (!isDatabase(file)) throw new TurnsUnusable(file, new Error('it is no SQLite database'))
  return true
}

/**
 * Whether the tables have everything that is committed, as the reader's transaction sees them.
 * Throws a StoreCannotOpen if what they do not have is missing or cannot be read.
 */
export function isDerived(folder: string, database: DatabaseSync): boolean {
  if (!hasTurnsOutside(folder, database)) return true
  const head = database.prepare('SELECT max(command_sequence) AS last FROM head').get()
  let turns: TurnsFile | null = null
  try {
    turns = TurnsFile.forReader(folder)
    for (const _ of turns.after(numberOf(head?.last ?? 0))) return false
    return true
  } catch (error) {
    throw isDamage(error) ? new TurnsUnusable(turnsFile(folder), error) : error
  } finally {
    turns?.close()
  }
}

/**
 * Whether the file may have turns that the tables do not have. A file that cannot be read may have
 * some, except if a first start has only created it.
 */
function mayHaveTurns(folder: string, head: TurnsEnd): boolean {
  if (statSync(turnsFile(folder)).size === 0) return false
  let turns: TurnsFile | null = null
  try {
    turns = TurnsFile.forReader(folder)
    const end = turns.end()
    // The last process may have been killed after it had derived all of them.
    const isDerived = end?.commandSequence === head.commandSequence && isSame(end.hash, head.hash)
    return !turns.isEmpty && !isDerived
  } catch (error) {
    if (codeOf(error) === null) throw error
    return true
  } finally {
    turns?.close()
  }
}

// After a failed sync or a kill, pages of the log may be readable and yet not on disk. Writing them
// to the main file and syncing it makes them durable.
function writeBack(database: DatabaseSync, file: string): void {
  const result = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
  if (result?.busy === 0) return
  throw new StoreCannotOpen(`The log of ${file} cannot be written back: it is in use.`)
}

function check(database: DatabaseSync, folder: string): void {
  const finding = database.prepare('PRAGMA quick_check(1)').get()?.quick_check
  if (finding !== 'ok') throw new DatabaseDamaged(databaseFile(folder), String(finding))
}

function setUp(database: DatabaseSync, shard: number, engineVersion: number): void {
  database
    .prepare(
      `INSERT INTO head (
         shard, epoch, engine_version, command_sequence, last_serial, now, batch_id, hash
       ) VALUES (?, 0, ?, 0, 0, 0, '', ?) ON CONFLICT DO NOTHING`,
    )
    .run(shard, engineVersion, chainStart)
  setUpHistory(database)
  if (metaOf(database, 'id_key_0') !== null) return
  const words = randomBytes(8)
  setMeta(database, 'id_key_0', words.readUInt32LE(0))
  setMeta(database, 'id_key_1', words.readUInt32LE(4))
}

/** Of a database that was prepared. */
export function idKeyOf(database: DatabaseSync): IdKey {
  const [first, second] = [metaOf(database, 'id_key_0'), metaOf(database, 'id_key_1')]
  assert(first !== null && second !== null, 'the start has drawn the key of ids')
  return [first, second]
}

type MetaName = 'clean_stop' | 'turns_file' | 'id_key_0' | 'id_key_1'

export function metaOf(database: DatabaseSync, name: MetaName): number | null {
  const cells = database.prepare('SELECT value FROM meta WHERE name = ?').get(name)
  return cells === undefined ? null : numberOf(cells.value)
}

export function setMeta(database: DatabaseSync, name: MetaName, value: number): void {
  database
    .prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value')
    .run(name, value)
}
