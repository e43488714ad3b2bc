// What a shard is loaded from: operators in one reading, live markets in pages, and open orders,
// positions and transactionIds, which are many, by the columns of their rows.

import type { Serial } from '../../core/ids.ts'
import type { FeeRate } from '../../core/money.ts'
import type {
  ControlsRecord,
  DeadManRecord,
  HeadRecord,
  OperatorRecord,
  OrderGroupRecord,
  OrderRecord,
  PositionRecord,
  Records,
} from '../../core/snapshot/records.ts'
import { type GroupFills, orderGroupStatuses } from '../../core/state/fill-window.ts'
import { deadManStates } from '../../core/state/operator.ts'
import type { UsedKey } from '../store.ts'
import {
  type Cell,
  exactOf,
  numberOf,
  numberOrNull,
  serialOf,
  textOf,
  textOrNull,
  wordOf,
} from './cells.ts'
import { feeScheduleOf } from './market-records.ts'
import { controlsRecordOf } from './read-controls.ts'
import { all, first, type Reading } from './reading.ts'

export type OperatorIds = ReadonlyMap<number, string>

export type Base = Pick<Records, 'head' | 'operators' | 'deadMen' | 'orderGroups' | 'controls'> & {
  readonly operatorIds: OperatorIds
  readonly operatorNumbers: ReadonlyMap<string, number>
}

/** The records that are few enough to be read at once. */
export function* readBase(shard: number): Reading<Base> {
  const operators: OperatorRecord[] = []
  const operatorNumbers = new Map<string, number>()
  const operatorIds = new Map<number, string>()
  for (const { number, ...operator } of yield* readOperators(shard)) {
    operators.push(operator)
    operatorNumbers.set(operator.id, number)
    operatorIds.set(number, operator.id)
  }
  const head = yield* readHead(shard)
  const deadMen = yield* readDeadMen(operatorIds)
  const orderGroups = yield* readOrderGroups(operatorIds, head.now)
  const controls = yield* readControls()
  return { head, operators, deadMen, orderGroups, controls, operatorIds, operatorNumbers }
}

export type LiveMarket = { readonly serial: Serial; readonly ownerNumber: number }

/** How many markets are read at once: each may have hundreds of outcomes. */
const marketsAtOnce = 100

export function pagesOf(live: readonly LiveMarket[]): Serial[][] {
  const serials = live.map(({ serial }) => serial)
  const pages: Serial[][] = []
  for (let from = 0; from < serials.length; from += marketsAtOnce) {
    pages.push(serials.slice(from, from + marketsAtOnce))
  }
  return pages
}

/** Neither SETTLED nor CANCELLED, or with an unfinished job; by serial. */
export function* liveMarkets(): Reading<LiveMarket[]> {
  const rows = yield* all(
    `SELECT serial, owner_number FROM markets WHERE serial IN (
       SELECT serial FROM markets INDEXED BY markets_live WHERE status < 6
       UNION SELECT market_serial FROM jobs INDEXED BY jobs_unfinished WHERE is_done = 0
     ) ORDER BY serial`,
  )
  return rows.map((cells) => ({
    serial: serialOf(cells.serial),
    ownerNumber: numberOf(cells.owner_number),
  }))
}

function* readHead(shard: number): Reading<HeadRecord> {
  const head = yield* first(
    'SELECT now, last_serial, command_sequence FROM head WHERE shard = ?',
    shard,
  )
  return {
    now: numberOf(head?.now),
    lastSerial: numberOf(head?.last_serial),
    commandSequence: numberOf(head?.command_sequence),
  }
}

function* readControls(): Reading<ControlsRecord[]> {
  const rows = yield* all('SELECT record FROM controls WHERE record IS NOT NULL')
  return rows.map(({ record }) => controlsRecordOf(textOf(record)))
}

function* readOperators(shard: number): Reading<(OperatorRecord & { number: number })[]> {
  const rows = yield* all(
    `SELECT id, number, supported_currencies, fee_rate, fee_schedule,
       coalesce(event_sequence, 0) AS event_sequence
     FROM operators LEFT JOIN event_sequences ON operator_number = number
     WHERE shard = ? ORDER BY number`,
    shard,
  )
  return rows.map((cells) => {
    const supportedCurrencies: string[] = JSON.parse(textOf(cells.supported_currencies))
    return {
      id: textOf(cells.id),
      number: numberOf(cells.number),
      supportedCurrencies,
      feeRate: cells.fee_rate === null ? null : (numberOf(cells.fee_rate) as FeeRate),
      feeSchedule: feeScheduleOf(cells.fee_schedule),
      eventSequence: numberOf(cells.event_sequence),
    }
  })
}

/** Without those that are cleared and have nothing to cancel. */
function* readDeadMen(ids: OperatorIds): Reading<DeadManRecord[]> {
  const rows = yield* all(
    `SELECT * FROM dead_men WHERE state < ${cleared} OR cancel_up_to > 0
     ORDER BY operator_number, player_id`,
  )
  return rows.map((cells) => ({
    operatorId: textOf(ids.get(numberOf(cells.operator_number))),
    playerId: textOf(cells.player_id) || null,
    state: deadManStates[numberOf(cells.state)]!,
    timeoutMs: numberOf(cells.timeout_ms),
    deadline: numberOf(cells.deadline),
    cancelUpTo: numberOf(cells.cancel_up_to),
  }))
}

/** Without those that are deleted and have nothing to cancel. */
const isLoadedGroup = `(g.status < ${orderGroupStatuses.indexOf('DELETED')} OR g.cancel_up_to > 0)`

function* readOrderGroups(ids: OperatorIds, now: number): Reading<OrderGroupRecord[]> {
  const fills = yield* readGroupFills(now)
  const rows = yield* all(
    `SELECT g.* FROM order_groups AS g WHERE ${isLoadedGroup} ORDER BY g.serial`,
  )
  return rows.map((cells) => ({
    serial: serialOf(cells.serial),
    createdAt: numberOf(cells.created_at),
    operatorId: textOf(ids.get(numberOf(cells.operator_number))),
    playerId: textOf(cells.player_id),
    limitShares: numberOf(cells.limit_shares),
    windowMs: numberOf(cells.window_ms),
    status: wordOf(orderGroupStatuses, cells.status),
    cancelUpTo: numberOf(cells.cancel_up_to),
    generation: numberOf(cells.generation),
    fills: fills.get(numberOf(cells.serial)) ?? [],
  }))
}

/** What counts at that time, by the serial of the group. */
function* readGroupFills(now: number): Reading<Map<number, GroupFills[]>> {
  const byGroup = new Map<number, GroupFills[]>()
  const rows = yield* all(
    `SELECT f.group_serial, f.slot, f.filled_at, f.shares
     FROM order_groups AS g JOIN order_group_fills AS f
       ON f.group_serial = g.serial AND f.generation = g.generation
     WHERE ${isLoadedGroup} AND f.filled_at + g.window_ms > ?
     ORDER BY f.group_serial, f.filled_at`,
    now,
  )
  for (const cells of rows) {
    const serial = numberOf(cells.group_serial)
    const fills = byGroup.get(serial) ?? []
    const [slot, time] = [numberOf(cells.slot), numberOf(cells.filled_at)]
    fills.push({ slot, time, shares: numberOf(cells.shares) })
    byGroup.set(serial, fills)
  }
  return byGroup
}

const cleared = deadManStates.indexOf('CLEARED')

/** A row as an array: a million of them load a quarter faster than as objects. */
export type CellArray = Readonly<Record<number, Cell>>

export const positionColumns = `
  p.serial, p.created_at, p.outcome_serial, p.operator_number, p.player_id, p.shares, p.cost,
  p.profit`

export function loadedPosition(cells: CellArray, ids: OperatorIds): PositionRecord {
  return {
    serial: serialOf(cells[0]),
    createdAt: numberOf(cells[1]),
    outcomeSerial: serialOf(cells[2]),
    operatorId: textOf(ids.get(numberOf(cells[3]))),
    playerId: textOf(cells[4]),
    shares: numberOf(cells[5]),
    cost: exactOf(cells[6]),
    profit: exactOf(cells[7]),
  }
}

/** Of the open orders of a table or view that is named `open`. */
export const orderColumns = `
  serial, created_at, queue_serial, outcome_serial, operator_number, player_id, is_sell, price,
  shares, filled, cost, expires_at, transaction_id, options,
  (SELECT group_serial FROM order_group_orders WHERE order_serial = open.serial)`

export function loadedOrder(cells: CellArray, ids: OperatorIds): OrderRecord {
  return {
    serial: serialOf(cells[0]),
    createdAt: numberOf(cells[1]),
    queueSerial: serialOf(cells[2]),
    outcomeSerial: serialOf(cells[3]),
    operatorId: textOf(ids.get(numberOf(cells[4]))),
    playerId: textOf(cells[5]),
    side: cells[6] === 1 ? 'SELL' : 'BUY',
    price: numberOf(cells[7]),
    shares: numberOf(cells[8]),
    filled: numberOf(cells[9]),
    cost: numberOf(cells[10]),
    expiresAt: numberOrNull(cells[11]),
    transactionId: textOrNull(cells[12]),
    options: numberOf(cells[13]),
    groupSerial: cells[14] === null ? null : serialOf(cells[14]),
  }
}

export const keyTables = ['orders', 'sets'] as const
export type KeyTable = (typeof keyTables)[number]

/** Of the orders and sets that have a transactionId. */
export const keyColumns = 'operator_number, transaction_id, market_serial'

export function loadedKey(cells: CellArray): UsedKey {
  return {
    operatorNumber: numberOf(cells[0]),
    transactionId: textOf(cells[1]),
    marketSerial: serialOf(cells[2]),
  }
}
