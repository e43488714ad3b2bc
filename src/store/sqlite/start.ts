// Prepares a database before its use: migrates the tables, writes back the log of the last process,
// and checks the file after an unclean stop.

import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { assert } from '../../core/assert.ts'
import { chainStart } from '../chain.ts'
import { numberOf } from '../sql/cells.ts'
import type { TimeProblem } from '../start-errors.ts'
import type { IdKey } from '../store.ts'
import { databaseFile, openWriter, Statements } from './connection.ts'
import { updateIndexes } from './deferred-indexes.ts'
import { isUnwritable } from './failures.ts'
import { inTransaction, migrate } from './migrate.ts'
import {
  DatabaseDamaged,
  FolderUnusable,
  MadeByNewerVersion,
  SetupProblem,
  StoreCannotOpen,
} from './start-errors.ts'

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
  let database: DatabaseSync | null = null
  try {
    database = openWriter(folder)
    prepare(database, options, timeProblem)
    return idKeyOf(database)
  } catch (error) {
    if (error instanceof StoreCannotOpen) throw error
    if (isUnwritable(error)) throw new FolderUnusable(folder, error)
    const reason = error instanceof Error ? error.message : String(error)
    const file = databaseFile(folder)
    throw new StoreCannotOpen(`The database ${file} cannot be opened: ${reason}.`, { cause: error })
  } finally {
    database?.close()
  }
}

function prepare(
  database: DatabaseSync,
  { folder, shard, engineVersion }: StartOptions,
  timeProblem: TimeProblem,
): void {
  if (!migrate(database)) throw new MadeByNewerVersion(folder)
  const head = database.prepare('SELECT engine_version, now FROM head WHERE shard = ?').get(shard)
  if (head !== undefined) {
    if (numberOf(head.engine_version) > engineVersion) throw new MadeByNewerVersion(folder)
    const problem = timeProblem(numberOf(head.now))
    if (problem !== null) throw new SetupProblem(problem)
  }
  writeBack(database, folder)
  if (metaOf(database, 'clean_stop') === 0) check(database, folder)
  inTransaction(database, () => {
    setUp(database, shard, engineVersion)
    updateIndexes(new Statements(database))
    setMeta(database, 'clean_stop', 0)
  })
}

// After a failed sync, pages of the log may be readable and yet not on disk. Writing them to the
// main file and syncing it makes them durable.
function writeBack(database: DatabaseSync, folder: string): void {
  const result = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
  if (result?.busy === 0) return
  const file = databaseFile(folder)
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

type MetaName = 'clean_stop' | 'id_key_0' | 'id_key_1' | 'indexed_to'

export function metaOf(database: DatabaseSync, name: MetaName): number | null {
  const cells = database.prepare('SELECT value FROM meta WHERE name = ?').get(name)
  return cells === undefined ? null : numberOf(cells.value)
}

export function setMeta(database: DatabaseSync, name: MetaName, value: number): void {
  database
    .prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value')
    .run(name, value)
}
