// Checks over everything that is stored: each rule by its name, all of them over one snapshot, also
// while a service writes. Nothing is repaired.

import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { assert } from '../../../core/assert.ts'
import { Ids } from '../../../core/ids.ts'
import { numberOf } from '../cells.ts'
import { databaseFile, openReader, Statements } from '../connection.ts'
import { codeOf, isFatal } from '../failures.ts'
import { isUpToDate } from '../migrate.ts'
import { metaOf } from '../start.ts'
import { StoreCannotOpen } from '../start-errors.ts'
import { bookChecks } from './books.ts'
import type { Check, Scene } from './check.ts'
import { eventChecks } from './events.ts'
import { marketChecks } from './markets.ts'
import { orderChecks } from './orders.ts'
import { positionChecks } from './positions.ts'
import { rulesCheck } from './rules.ts'
import { settlementChecks } from './settlements.ts'
import { sumChecks } from './sums.ts'
import { addFunctions, addSums } from './tables.ts'
import { tradeChecks } from './trades.ts'
import { turnChecks } from './turns.ts'

export const violationsShownMax = 100

export type AuditProgress = (progress: {
  /** The check that comes next. */
  readonly check: string
  readonly done: number
  readonly total: number
}) => void

export type AuditReport = {
  /** Each begins with the name of its check; the first so many. */
  readonly violations: readonly string[]
  /** Of all, also those that are not listed. */
  readonly violationCount: number
  readonly checks: readonly string[]
  readonly counts: AuditCounts
}

const counted = {
  markets: 'markets',
  orders: 'orders',
  trades: 'trades',
  sets: 'sets',
  positions: 'positions',
  settlements: 'settlements',
  tellings: 'tellings',
  turns: 'batches',
} as const
export type AuditCounts = Readonly<Record<keyof typeof counted, number>>

/** Throws a StoreCannotOpen. */
export async function auditFolder(
  folder: string,
  { onProgress = () => {} }: { readonly onProgress?: AuditProgress } = {},
): Promise<AuditReport> {
  const file = databaseFile(folder)
  if (!existsSync(file)) throw new StoreCannotOpen(`There is no database in ${folder}.`)
  const database = openSafely(folder)
  try {
    database.exec('BEGIN')
    const scene = sceneOf(new Statements(database), file)
    const checks = allChecks()
    const violations: string[] = []
    let violationCount = 0
    for (const [done, { name, run }] of checks.entries()) {
      onProgress({ check: name, done, total: checks.length })
      // Lets signals and whoever watches have their turn.
      await setImmediate()
      for (const finding of findingsOf(run, scene)) {
        violationCount += 1
        if (violations.length < violationsShownMax) violations.push(`${name}: ${finding}`)
      }
    }
    onProgress({ check: '', done: checks.length, total: checks.length })
    const names = checks.filter((check) => check !== sums).map(({ name }) => name)
    return { violations, violationCount, checks: names, counts: countsOf(scene) }
  } finally {
    database.close()
  }
}

function openSafely(folder: string) {
  try {
    return openReader(folder)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `The database ${databaseFile(folder)} cannot be read: ${reason}.`
    throw new StoreCannotOpen(message, { cause })
  }
}

function sceneOf(statements: Statements, file: string): Scene {
  const { database } = statements
  if (!isUpToDate(database)) {
    throw new StoreCannotOpen(`The tables of ${file} are of another version; start the service.`)
  }
  const head = database.prepare('SELECT shard FROM shards').get()
  if (head === undefined) throw new StoreCannotOpen(`The database ${file} was never used.`)
  const key = [metaOf(database, 'id_key_0'), metaOf(database, 'id_key_1')] as const
  assert(key[0] !== null && key[1] !== null, 'the key of ids was drawn at the start')
  const shard = numberOf(head.shard)
  const ids = new Ids({ shard, key: [key[0], key[1]] })
  addFunctions(database)
  return { database, statements, ids, shard }
}

/** The file first: on a damaged one the others may say anything. */
function allChecks(): readonly Check[] {
  const [file, ...turns] = turnChecks
  assert(file !== undefined, 'there is a check of the file')
  return [
    file,
    ...turns,
    ...marketChecks,
    sums,
    ...orderChecks,
    ...bookChecks,
    ...eventChecks(),
    ...tradeChecks,
    ...sumChecks,
    ...positionChecks,
    ...settlementChecks,
    rulesCheck,
  ]
}

/** Finds nothing itself: others look at what it adds up. */
const sums: Check = {
  name: 'sums',
  run: ({ database }) => {
    addSums(database)
    return []
  },
}

// A check that trips over a damaged record has found something too; a disk that fails has not.
function* findingsOf(run: Check['run'], scene: Scene): Iterable<string> {
  try {
    yield* run(scene)
  } catch (error) {
    if (!(error instanceof Error) || isFatal(error)) throw error
    if (codeOf(error) === null && error.name !== 'BrokenInvariant') throw error
    yield `This could not be checked to its end: ${error.message}.`
  }
}

function countsOf({ database }: Scene): AuditCounts {
  const count = (table: string) =>
    numberOf(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count)
  return {
    markets: count(counted.markets),
    orders: count(counted.orders),
    trades: count(counted.trades),
    sets: count(counted.sets),
    positions: count(counted.positions),
    settlements: count(counted.settlements),
    tellings: count(counted.tellings),
    turns: count(counted.turns),
  }
}
