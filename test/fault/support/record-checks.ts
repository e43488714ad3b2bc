// Compares the answers that clients got with the records of the service: what was answered is
// stored once and as answered, what was rejected is not, and the sums are right.

import { DatabaseSync } from 'node:sqlite'
import { auditFolder } from '../../../src/store/sqlite/audit/audit.ts'
import type { Json, Service } from '../../support/process/outcry-process.ts'
import type { History, Operation } from './client-history.ts'
import { allEvents, eventViolations } from './event-checks.ts'
import type { Trader, TradingFixture } from './trading-fixture.ts'
import { dataAt } from './verified-reads.ts'

const pageSize = 1_000

/** Access to records that no route returns. */
export type StoredRecords = {
  /** Complete sets by their transactionId. */
  sets(): Promise<Map<string, Json[]>>
  audit(): Promise<readonly string[]>
}

/** The violations, each as a sentence. The service must be idle. */
export async function verify(
  service: Service,
  fixture: TradingFixture,
  history: History,
  records: StoredRecords = recordsInFolder(service.dataDir),
): Promise<string[]> {
  const found: string[] = [...history.unexpected]
  const orders = new Map<string, Json[]>()
  const byId = new Map<string, Json>()
  const trades = new Map<string, Json>()
  for (const trader of fixture.traders) {
    const placed = await allOrders(service, trader)
    for (const order of placed) {
      byId.set(order.id, order)
      push(orders, order.transactionId, order)
    }
    for (const trade of await allPages(service, trader, 'trades')) trades.set(trade.id, trade)
    const events = await allEvents(service, trader)
    found.push(...(await eventViolations({ service, fixture, trader, events, orders: placed })))
  }
  const sets = await records.sets()
  for (const operation of history.operations) {
    const { kind, key } = operation
    if (kind === 'cancel') found.push(...cancelViolations(operation, byId))
    else if (kind === 'place') {
      found.push(...countViolations(operation, orders.get(key!) ?? []))
      found.push(...placementViolations(operation, orders.get(key!)?.[0], trades))
    } else {
      found.push(...countViolations(operation, sets.get(key!) ?? []))
      found.push(...setsViolations(operation, sets.get(key!)?.[0]))
    }
  }
  found.push(...strayViolations(history, [...orders.keys(), ...sets.keys()]))
  found.push(...(await holdingViolations(service, fixture, [...sets.values()].flat())))
  return [...found, ...(await records.audit())]
}

export function recordsInFolder(folder: string): StoredRecords {
  return {
    sets: async () => storedSets(folder),
    audit: async () => (await auditFolder(folder)).violations,
  }
}

function countViolations({ key, verdicts, code }: Operation, stored: readonly Json[]): string[] {
  const last = verdicts.at(-1)
  // Such an order is stored as REJECTED.
  const isStored = code === 'ORDER_NO_LIQUIDITY'
  const min = verdicts.includes('done') || (last === 'rejected' && isStored) ? 1 : 0
  const isOpen = verdicts.includes('unknown') && last !== 'rejected'
  const max = min === 1 || isOpen ? 1 : 0
  const count = stored.length
  if (count >= min && count <= max) return []
  return [`${key} is stored ${count} times, expected ${min} to ${max}: ${verdicts.join(', ')}`]
}

const fixedFields = [
  'id',
  'marketId',
  'outcomeId',
  'operatorId',
  'playerId',
  'side',
  'type',
  'shares',
  'price',
  'transactionId',
  'expiresAt',
  'createdAt',
]

function placementViolations(
  { key, data }: Operation,
  stored: Json | undefined,
  trades: ReadonlyMap<string, Json>,
): string[] {
  if (data === null || stored === undefined) return []
  const found = fixedFields
    .filter((field) => data.order[field] !== stored[field])
    .map((field) => `${key}: ${field} ${data.order[field]} answered, ${stored[field]} stored`)
  if (Number(stored.filledShares) < Number(data.order.filledShares)) {
    found.push(`${key} has fewer filled shares than answered`)
  }
  for (const trade of data.trades) {
    if (JSON.stringify(trades.get(trade.id)) !== JSON.stringify(trade)) {
      found.push(`${key}: trade ${trade.id} is not stored as answered`)
    }
  }
  return found
}

function cancelViolations(operation: Operation, byId: ReadonlyMap<string, Json>): string[] {
  const { path, data, verdicts } = operation
  const order = byId.get(path.slice(path.lastIndexOf('/') + 1))
  if (order === undefined) return [`${path} was placed and is not stored`]
  const isOpen = order.status === 'PENDING' || order.status === 'PARTIAL'
  if (verdicts.at(-1) === 'rejected' && isOpen) {
    return [`cancel of ${path} was rejected with ${operation.code}, but it is ${order.status}`]
  }
  if (data === null) return []
  const isSame = order.status === 'CANCELLED' && order.filledShares === data.filledShares
  return isSame ? [] : [`${path} was cancelled and is ${order.status}`]
}

function setsViolations({ key, data, body }: Operation, stored: Json | undefined): string[] {
  if (data === null || stored === undefined) return []
  const isSame =
    stored.playerId === data.playerId &&
    stored.shares === Number(data.shares) &&
    stored.shares === body.shares &&
    stored.createdAt === Date.parse(data.createdAt)
  return isSame ? [] : [`the sets of ${key} are not stored as answered`]
}

/** Nothing is stored that was not requested. */
function strayViolations({ operations }: History, keys: readonly string[]): string[] {
  const requested = new Set(operations.map(({ key }) => key))
  return keys.filter((key) => !requested.has(key)).map((key) => `${key} was never requested`)
}

/** From the table of SQLite, or of a schema of PostgreSQL. */
export function setsTextFrom(table: string): string {
  const columns = 'transaction_id, market_serial, player_id, is_redeem, shares, created_at'
  return `SELECT ${columns} FROM ${table}`
}

/** From rows of the statement above. */
export function setsOf(rows: Iterable<Json>): Map<string, Json[]> {
  const sets = new Map<string, Json[]>()
  for (const row of rows) {
    push(sets, String(row.transaction_id), {
      market: row.market_serial,
      playerId: row.player_id,
      isRedeem: row.is_redeem === 1,
      shares: Number(row.shares) / 100,
      createdAt: Number(row.created_at),
    })
  }
  return sets
}

/** No route lists sets changes, so they are read from the database. */
function storedSets(folder: string): Map<string, Json[]> {
  return readDatabase(folder, (database) =>
    setsOf(database.prepare(setsTextFrom('sets')).iterate()),
  )
}

/** The number of commands in the largest turn that is stored. */
export function largestTurnIn(folder: string): number {
  const text = 'SELECT max(command_sequence_to - command_sequence_from) AS commands FROM batches'
  return readDatabase(folder, (database) => Number(database.prepare(text).get()?.commands ?? 0))
}

function readDatabase<Answer>(folder: string, read: (database: DatabaseSync) => Answer): Answer {
  const database = new DatabaseSync(`${folder}/outcry.db`, { readOnly: true, timeout: 2_000 })
  try {
    return read(database)
  } finally {
    database.close()
  }
}

/** The positions in each outcome of a market must add up to the outstanding sets. */
async function holdingViolations(service: Service, fixture: TradingFixture, sets: readonly Json[]) {
  const held = new Map<string, number>()
  for (const trader of fixture.traders) {
    const positions = await dataAt(service, '/api/v1/positions', trader.key)
    for (const { outcomeId, shares } of positions) {
      held.set(outcomeId, (held.get(outcomeId) ?? 0) + Number(shares))
    }
  }
  const found: string[] = []
  let total = 0
  for (const { id, outcomeIds } of fixture.markets) {
    const sums = outcomeIds.map((outcomeId) => held.get(outcomeId) ?? 0)
    if (new Set(sums).size > 1) found.push(`the outcomes of ${id} hold ${sums.join(' and ')}`)
    total += sums[0]!
  }
  const minted = sets.reduce((sum, { isRedeem, shares }) => sum + (isRedeem ? -shares : shares), 0)
  if (total !== minted) found.push(`${minted} sets are outstanding, but ${total} are held`)
  return found
}

function allOrders(service: Service, trader: Trader): Promise<Json[]> {
  return allPages(service, trader, 'orders')
}

async function allPages(service: Service, { key }: Trader, name: 'orders' | 'trades') {
  const all: Json[] = []
  let cursor: string | null = null
  do {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const path = `/api/v1/${name}?limit=${pageSize}${after}`
    const data = await dataAt(service, path, key)
    all.push(...data[name])
    cursor = data.nextCursor
  } while (cursor !== null)
  return all
}

function push(map: Map<string, Json[]>, key: string, item: Json): void {
  const items = map.get(key)
  if (items === undefined) map.set(key, [item])
  else items.push(item)
}
