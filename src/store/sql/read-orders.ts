// Reads orders, and finds what a transactionId was used for.

import { unpackOptions } from '../../core/orders/options.ts'
import { marketStatuses, orderStatuses } from '../../core/words.ts'
import type {
  OpenOrdersQuery,
  OpenOrdersSlice,
  OrderQuery,
  OrderRow,
  Page,
  Replayable,
  SetsRow,
} from '../record-store.ts'
import { type Cells, numberOf, numberOrNull, textOf, textOrNull, wordOf } from './cells.ts'
import { all, first, type Reading } from './reading.ts'
import { tallyOf } from './tallies.ts'
import { pageOf, Where } from './where.ts'

const openMax = orderStatuses.indexOf('PARTIAL')

/** Of the rows that a source has, in their order. */
const selectOrders = (source: string) => `
  SELECT o.*, m.created_at AS market_created_at, m.status AS market_status,
    operators.id AS operator_id
  FROM ${source} AS o
  LEFT JOIN markets AS m ON m.serial = o.market
  LEFT JOIN operators ON operators.number = o.operator`

export function* readOrder({
  operator,
  serial,
}: {
  operator: number
  serial: number
}): Reading<OrderRow | null> {
  const text = `${selectOrders('orders')} WHERE o.serial = ? AND o.operator = ?`
  const cells = yield* first(text, serial, operator)
  return cells === undefined ? null : orderOf(cells)
}

export function* readOrders(query: OrderQuery): Reading<Page<OrderRow>> {
  const { after, limit } = query
  const where = filterOf(query).andIfGiven('at < ?', after)
  const page = `SELECT * FROM ${listFor(query)} WHERE ${where.text} ORDER BY at DESC LIMIT ?`
  const text = `${selectOrders(`(${page})`)} ORDER BY o.at DESC`
  const rows = (yield* all(text, ...where.values, limit + 1)).map(orderOf)
  return pageOf(rows, { limit, total: yield* totalOf(query) })
}

function* totalOf(query: OrderQuery): Reading<number> {
  const {
    operatorNumber,
    marketSerial,
    outcomeSerial,
    playerId,
    side,
    type,
    statuses,
    transactionId,
  } = query
  const narrower = [outcomeSerial, playerId, side, type, statuses, transactionId]
  if (narrower.every((value) => value === null)) {
    return (yield* tallyOf(operatorNumber, marketSerial)).orders
  }
  const filter = filterOf(query)
  const text = `SELECT count(*) AS total FROM ${listFor(query)} WHERE ${filter.text}`
  return numberOf((yield* first(text, ...filter.values))?.total)
}

type ListName = keyof typeof listKeys

/** The column that stands for a filter in each list, where it is one of the list's own. */
const listKeys = {
  orders_of_operator: {},
  orders_of_market: { market: 'of_market' },
  orders_of_player: { player_id: 'of_player' },
  orders_of_transaction: { transaction_id: 'of_transaction' },
  open_orders: {},
  open_orders_of_player: { player_id: 'of_player' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

function listFor(query: OrderQuery): ListName {
  if (query.transactionId !== null) return 'orders_of_transaction'
  if (query.playerId !== null) {
    return areOpen(query) ? 'open_orders_of_player' : 'orders_of_player'
  }
  if (areOpen(query)) return 'open_orders'
  return query.marketSerial === null ? 'orders_of_operator' : 'orders_of_market'
}

function filterOf(query: OrderQuery): Where {
  const {
    operatorNumber,
    marketSerial,
    outcomeSerial,
    playerId,
    side,
    type,
    statuses,
    transactionId,
  } = query
  const keys: Readonly<Record<string, string>> = listKeys[listFor(query)]
  const column = (name: string) => `${keys[name] ?? name} = ?`
  const where = new Where()
    .and('of_operator = ?', operatorNumber)
    .andIfGiven(column('market'), marketSerial)
    .andIfGiven(column('outcome'), outcomeSerial)
    .andIfGiven(column('player_id'), playerId)
    .andIfGiven(column('is_sell'), side === null ? null : side === 'SELL' ? 1 : 0)
    .andIfGiven(column('transaction_id'), transactionId)
  if (type !== null) where.and(type === 'MARKET' ? 'price = 0' : 'price > 0')
  // Both open words say no more than the list does, and without them it alone can be counted.
  if (statuses?.includes('PENDING') && statuses.includes('PARTIAL') && areOpen(query)) return where
  const places = statuses?.map((status) => orderStatuses.indexOf(status)) ?? null
  return where.andAmong('status', places)
}

function areOpen({ statuses }: OrderQuery): boolean {
  if (statuses === null || statuses.length === 0) return false
  return statuses.every((status) => orderStatuses.indexOf(status) <= openMax)
}

// The slice is of what is open, so that no filter makes it long.
export function* readOpenOrders(query: OpenOrdersQuery): Reading<OpenOrdersSlice> {
  const { operatorNumber, marketSerial, outcomeSerial, playerId, side, after, limit } = query
  const open = new Where().and('of_operator = ?', operatorNumber).andIfGiven('at < ?', after)
  const isSell = side === null ? null : side === 'SELL' ? 1 : 0
  const rows = yield* all(
    `SELECT at AS serial, market, outcome, player_id, is_sell FROM open_orders
     WHERE ${open.text} ORDER BY serial DESC LIMIT ?`,
    ...open.values,
    limit,
  )
  const fits = (cells: Cells) =>
    (marketSerial === null || cells.market === marketSerial) &&
    (outcomeSerial === null || cells.outcome === outcomeSerial) &&
    (playerId === null || cells.player_id === playerId) &&
    (isSell === null || cells.is_sell === isSell)
  const serials = rows.filter(fits).map(({ serial }) => numberOf(serial))
  return { serials, next: rows.length < limit ? null : numberOf(rows.at(-1)!.serial) }
}

export function* readReplayable({
  operator,
  transactionId,
}: {
  operator: number
  transactionId: string
}): Reading<Replayable | null> {
  const order = yield* first(
    selectOrders(`(
      SELECT * FROM orders_of_transaction WHERE of_operator = ? AND of_transaction = ?
      ORDER BY at DESC LIMIT 1
    )`),
    operator,
    transactionId,
  )
  const sets = yield* first(
    `SELECT s.*, m.created_at AS market_created_at, m.status AS market_status
     FROM sets AS s INDEXED BY sets_by_transaction LEFT JOIN markets AS m ON m.serial = s.market
     WHERE s.operator = ? AND s.transaction_id = ? ORDER BY s.serial DESC LIMIT 1`,
    operator,
    transactionId,
  )
  if (order !== undefined && (sets === undefined || newerOf(order, sets) === order)) {
    return { kind: 'ORDER', order: orderOf(order), ...usedBy(order) }
  }
  return sets === undefined ? null : { kind: 'SETS', sets: setsOf(sets), ...usedBy(sets) }
}

function newerOf(one: Cells, other: Cells): Cells {
  return numberOf(one.serial) > numberOf(other.serial) ? one : other
}

function usedBy(cells: Cells) {
  return {
    fingerprint: numberOf(cells.fingerprint),
    marketStatus: wordOf(marketStatuses, cells.market_status),
  }
}

function orderOf(cells: Cells): OrderRow {
  return {
    serial: numberOf(cells.serial),
    createdAt: numberOf(cells.created_at),
    updatedAt: numberOf(cells.updated_at),
    marketSerial: numberOf(cells.market),
    marketCreatedAt: numberOf(cells.market_created_at),
    outcomeSerial: numberOf(cells.outcome),
    operatorId: textOf(cells.operator_id),
    playerId: textOf(cells.player_id),
    side: cells.is_sell === 1 ? 'SELL' : 'BUY',
    shares: numberOf(cells.shares),
    price: numberOrNull(cells.price),
    filled: numberOf(cells.filled),
    cost: numberOf(cells.cost),
    status: wordOf(orderStatuses, cells.status),
    expiresAt: numberOrNull(cells.expires_at),
    options: unpackOptions(numberOf(cells.options)),
    transactionId: textOrNull(cells.transaction_id),
  }
}

function setsOf(cells: Cells): SetsRow {
  return {
    serial: numberOf(cells.serial),
    createdAt: numberOf(cells.created_at),
    marketSerial: numberOf(cells.market),
    marketCreatedAt: numberOf(cells.market_created_at),
    playerId: textOf(cells.player_id),
    kind: cells.is_redeem === 1 ? 'REDEEM' : 'MINT',
    shares: numberOf(cells.shares),
    transactionId: textOrNull(cells.transaction_id),
  }
}
