// Runs all checks over one snapshot of the database, also while a service writes. Nothing is
// repaired.

import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { assert } from '../../../core/assert.ts'
import { Ids } from '../../../core/ids.ts'
import { numberOf } from '../../sql/cells.ts'
import { CopyDamaged } from '../backup.ts'
import { databaseFile, openReader, Statements } from '../connection.ts'
import { withDerivedCopy } from '../derived-copy.ts'
import { codeOf, isDamage } from '../failures.ts'
import { isUpToDate } from '../migrate.ts'
import { idKeyOf, isDerived } from '../start.ts'
import { DatabaseUnreadable, NoDatabase, StoreCannotOpen } from '../start-errors.ts'
import { amountChecks } from './amounts.ts'
import { bookChecks } from './books.ts'
import { brakeChecks } from './brakes.ts'
import type { Check, Snapshot } from './check.ts'
import { deadManChecks } from './dead-men.ts'
import { indexChecks } from './deferred-indexes.ts'
import { eventChecks } from './events.ts'
import { limitChecks } from './limits.ts'
import { marketChecks } from './markets.ts'
import { orderGroupChecks } from './order-groups.ts'
import { orderChecks } from './orders.ts'
import { positionChecks } from './positions.ts'
import { rulesCheck } from './rules.ts'
import { settlementChecks } from './settlements.ts'
import { sumChecks } from './sums.ts'
import { addFunctions, addSums } from './tables.ts'
import { tradeChecks } from './trades.ts'
import { turnChecks } from './turns.ts'

export const violationsShownMax = 100
const cacheKibMax = 64 * 1024

export type AuditProgress = (progress: {
  /** The running check. */
  readonly check: string
  /** Of the whole audit, from 0 to 1. */
  readonly part: number
}) => void

export type AuditReport = {
  /** The first violations; each begins with the name of its check. */
  readonly violations: readonly string[]
  /** Including violations that are not listed. */
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
  eventRecords: 'event_records',
  turns: 'batches',
} as const
export type AuditCounts = Readonly<Record<keyof typeof counted, number>>

type AuditOptions = { readonly onProgress?: AuditProgress }

/** Throws a StoreCannotOpen or a BackupFailed. */
export async function auditFolder(
  folder: string,
  { onProgress = () => {} }: AuditOptions = {},
): Promise<AuditReport> {
  const file = databaseFile(folder)
  if (!existsSync(file)) throw new NoDatabase(folder)
  const audit = (database: DatabaseSync) =>
    auditSnapshot(new Statements(database), file, onProgress)
  const report = await withSnapshot(folder, file, async (database) => {
    const isPending = isUpToDate(database) && !isDerived(folder, database)
    return isPending ? null : audit(database)
  })
  if (report !== null) return report
  try {
    return await withDerivedCopy(folder, shardIn(folder), (copy) => withSnapshot(copy, file, audit))
  } catch (error) {
    // The checks say what is damaged, also without the turns that are pending.
    if (error instanceof CopyDamaged) return withSnapshot(folder, file, audit)
    throw error
  }
}

function shardIn(folder: string): number {
  const database = openReader(folder)
  try {
    return numberOf(database.prepare('SELECT shard FROM head').get()?.shard)
  } finally {
    database.close()
  }
}

/** `file` is for messages. */
async function withSnapshot<Answer>(
  folder: string,
  file: string,
  use: (database: DatabaseSync) => Promise<Answer>,
): Promise<Answer> {
  let database: DatabaseSync | null = null
  try {
    database = openReader(folder)
    // Temporary tables may be large: beyond this cache they go to a file.
    database.exec(`PRAGMA temp_store = FILE; PRAGMA temp.cache_size = -${cacheKibMax}`)
    database.exec('BEGIN')
    return await use(database)
  } catch (cause) {
    throw codeOf(cause) === null ? cause : new DatabaseUnreadable(file, cause)
  } finally {
    database?.close()
  }
}

async function auditSnapshot(
  statements: Statements,
  file: string,
  onProgress: AuditProgress,
): Promise<AuditReport> {
  const checks = allChecks()
  const total = checks.reduce((sum, { weight = 1 }) => sum + weight, 0)
  let done = 0
  let current: Check | undefined
  const onPart = (part: number) => {
    const { name = '', weight = 1 } = current ?? {}
    onProgress({ check: name, part: (done + part * weight) / total })
  }
  const snapshot = snapshotOf(statements, file, onPart)
  const violations: string[] = []
  let violationCount = 0
  for (const check of checks) {
    current = check
    onPart(0)
    // Lets signals and the progress bar be handled.
    await setImmediate()
    for (const finding of findingsOf(check.run, snapshot)) {
      violationCount += 1
      if (violations.length < violationsShownMax) violations.push(`${check.name}: ${finding}`)
    }
    done += check.weight ?? 1
  }
  const names = checks.filter((check) => check !== sums).map(({ name }) => name)
  return { violations, violationCount, checks: names, counts: countsOf(snapshot) }
}

function snapshotOf(statements: Statements, file: string, onPart: Snapshot['onPart']): Snapshot {
  const { database } = statements
  if (!isUpToDate(database)) {
    const message = `The tables of ${file} are of another version; start the service.`
    throw new StoreCannotOpen(message)
  }
  const head = database.prepare('SELECT shard FROM head').get()
  if (head === undefined) throw new StoreCannotOpen(`The database ${file} has no records.`)
  const shard = numberOf(head.shard)
  const ids = new Ids({ shard, key: idKeyOf(database) })
  addFunctions(database)
  return { database, statements, ids, shard, onPart }
}

/** The file check comes first: in a damaged file the other findings may be wrong. */
function allChecks(): readonly Check[] {
  const [file, ...turns] = turnChecks
  assert(file !== undefined, 'there is a check of the file')
  return [
    file,
    ...turns,
    ...indexChecks,
    ...marketChecks,
    sums,
    ...orderChecks,
    ...bookChecks,
    ...amountChecks,
    ...deadManChecks,
    ...orderGroupChecks,
    ...brakeChecks,
    ...limitChecks,
    ...eventChecks(),
    ...tradeChecks,
    ...sumChecks,
    ...positionChecks,
    ...settlementChecks,
    rulesCheck,
  ]
}

/** Finds nothing itself: it fills the tables that other checks read. */
const sums: Check = {
  name: 'sums',
  weight: 5,
  run: ({ database }) => {
    addSums(database)
    return []
  },
}

// An error from a damaged record is a finding; an error of the disk is not.
function* findingsOf(run: Check['run'], snapshot: Snapshot): Iterable<string> {
  try {
    yield* run(snapshot)
  } catch (error) {
    if (!(error instanceof Error) || (codeOf(error) !== null && !isDamage(error))) throw error
    yield `This could not be checked to its end: ${error.message}.`
  }
}

function countsOf({ database }: Snapshot): AuditCounts {
  const count = (table: string) =>
    numberOf(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count)
  return {
    markets: count(counted.markets),
    orders: count(counted.orders),
    trades: count(counted.trades),
    sets: count(counted.sets),
    positions: count(counted.positions),
    settlements: count(counted.settlements),
    eventRecords: count(counted.eventRecords),
    turns: count(counted.turns),
  }
}
