// Holds what clients were told against what the service has: everything that was answered is there,
// once and as it was told, nothing that was refused is, and all of it adds up.

import { DatabaseSync } from 'node:sqlite'
import { auditFolder } from '../../../src/store/sqlite/audit/audit.ts'
import type { Json, Service } from '../../support/process/outcry-process.ts'
import type { History, Operation } from './client-history.ts'
import { allEvents, eventViolations } from './event-checks.ts'
import type { Scene, Trader } from './trading-fixture.ts'

const pageSize = 1_000

/** Where the records can be seen that no route shows. */
export type Kept = {
  /** Complete sets by their transactionId. */
  sets(): Promise<Map<string, Json[]>>
  audit(): Promise<readonly string[]>
}

/** What is found wrong, each in a sentence. The service must be at rest. */
export async function verify(
  service: Service,
  scene: Scene,
  history: History,
  kept: Kept = keptIn(service.dataDir),
): Promise<string[]> {
  const found: string[] = [...history.surprises]
  const orders = new Map<string, Json[]>()
  const byId = new Map<string, Json>()
  const trades = new Map<string, Json>()
  for (const trader of scene.traders) {
    const placed = await allOrders(service, trader)
    for (const order of placed) {
      byId.set(order.id, order)
      push(orders, order.transactionId, order)
    }
    for (const trade of await allPages(service, trader, 'trades')) trades.set(trade.id, trade)
    const events = await allEvents(service, trader)
    found.push(...(await eventViolations({ service, scene, trader, events, orders: placed })))
  }
  const sets = await kept.sets()
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
  found.push(...(await holdingViolations(service, scene, [...sets.values()].flat())))
  return [...found, ...(await kept.audit())]
}

function keptIn(folder: string): Kept {
  return {
    sets: async () => storedSets(folder),
    audit: async () => (await auditFolder(folder)).violations,
  }
}

function countViolations({ key, verdicts, code }: Operation, stored: readonly Json[]): string[] {
  const told = verdicts.join(', ')
  const last = verdicts.at(-1)
  // These two are kept as rejected orders.
  const isKept = code === 'ORDER_NO_LIQUIDITY'
  const least = verdicts.includes('done') || (last === 'refused' && isKept) ? 1 : 0
  const isOpen = verdicts.includes('unknown') && last !== 'refused'
  const most = least === 1 || isOpen ? 1 : 0
  const count = stored.length
  if (count >= least && count <= most) return []
  return [`${key} is there ${count} times and must be ${least} to ${most} times: it heard ${told}`]
}

const fixedFields = [
  ...['id', 'marketId', 'outcomeId', 'operatorId', 'playerId', 'side', 'type', 'shares', 'price'],
  ...['transactionId', 'expiresAt', 'createdAt'],
]

function placementViolations(
  { key, data }: Operation,
  stored: Json | undefined,
  trades: ReadonlyMap<string, Json>,
): string[] {
  if (data === null || stored === undefined) return []
  const found = fixedFields
    .filter((field) => data.order[field] !== stored[field])
    .map((field) => `${key} was told ${field} ${data.order[field]}, stored is ${stored[field]}`)
  if (Number(stored.filledShares) < Number(data.order.filledShares)) {
    found.push(`${key} was told of more shares than it has`)
  }
  for (const trade of data.trades) {
    if (JSON.stringify(trades.get(trade.id)) !== JSON.stringify(trade)) {
      found.push(`${key} was told of trade ${trade.id}, which is not stored like that`)
    }
  }
  return found
}

function cancelViolations(operation: Operation, byId: ReadonlyMap<string, Json>): string[] {
  const { path, data, verdicts } = operation
  const order = byId.get(path.slice(path.lastIndexOf('/') + 1))
  if (order === undefined) return [`${path} was placed and is not there`]
  const isOpen = order.status === 'PENDING' || order.status === 'PARTIAL'
  if (verdicts.at(-1) === 'refused' && isOpen) {
    return [`${path} could not be cancelled (${operation.code}) and is ${order.status}`]
  }
  if (data === null) return []
  const isAsTold = order.status === 'CANCELLED' && order.filledShares === data.filledShares
  return isAsTold ? [] : [`${path} was cancelled and is ${order.status}`]
}

function setsViolations({ key, data, body }: Operation, stored: Json | undefined): string[] {
  if (data === null || stored === undefined) return []
  const isAsTold =
    stored.playerId === data.playerId &&
    stored.shares === Number(data.shares) &&
    stored.shares === body.shares &&
    stored.createdAt === Date.parse(data.createdAt)
  return isAsTold ? [] : [`the sets of ${key} are not stored as they were told`]
}

/** Nothing is there that nobody asked for. */
function strayViolations({ operations }: History, keys: readonly string[]): string[] {
  const asked = new Set(operations.map(({ key }) => key))
  return keys.filter((key) => !asked.has(key)).map((key) => `nobody asked for ${key}`)
}

export const setsText =
  'SELECT transaction_id, market, player_id, is_redeem, shares, created_at FROM sets'

/** Rows of the statement above. */
export function setsOf(rows: Iterable<Json>): Map<string, Json[]> {
  const sets = new Map<string, Json[]>()
  for (const row of rows) {
    push(sets, String(row.transaction_id), {
      market: row.market,
      playerId: row.player_id,
      isRedeem: row.is_redeem === 1,
      shares: Number(row.shares) / 100,
      createdAt: Number(row.created_at),
    })
  }
  return sets
}

/** Sets are listed by no route, so their records are read where they are kept. */
function storedSets(folder: string): Map<string, Json[]> {
  const database = new DatabaseSync(`${folder}/outcry.db`, { readOnly: true, timeout: 2_000 })
  try {
    return setsOf(database.prepare(setsText).iterate())
  } finally {
    database.close()
  }
}

/** Each outcome of a market has as many shares as there are sets. */
async function holdingViolations(service: Service, scene: Scene, sets: readonly Json[]) {
  const held = new Map<string, number>()
  for (const trader of scene.traders) {
    const { body } = await service.ask('GET', '/api/v1/positions', { key: trader.key })
    for (const { outcomeId, shares } of body.data) {
      held.set(outcomeId, (held.get(outcomeId) ?? 0) + Number(shares))
    }
  }
  const found: string[] = []
  let total = 0
  for (const { id, outcomeIds } of scene.markets) {
    const sums = outcomeIds.map((outcomeId) => held.get(outcomeId) ?? 0)
    if (new Set(sums).size > 1) found.push(`the outcomes of ${id} hold ${sums.join(' and ')}`)
    total += sums[0]!
  }
  const made = sets.reduce((sum, { isRedeem, shares }) => sum + (isRedeem ? -shares : shares), 0)
  if (total !== made) found.push(`${made} sets were made and ${total} are held`)
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
    const { body } = await service.ask('GET', path, { key })
    all.push(...body.data[name])
    cursor = body.data.nextCursor
  } while (cursor !== null)
  return all
}

function push(map: Map<string, Json[]>, key: string, item: Json): void {
  const items = map.get(key)
  if (items === undefined) map.set(key, [item])
  else items.push(item)
}
