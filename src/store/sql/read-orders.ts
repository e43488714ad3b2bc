// Reads orders, and finds the request that used a transactionId.

import type { Spent } from '../../core/events/answer.ts'
import { isOutsideBand, unpackOptions } from '../../core/orders/options.ts'
import { marketStatuses, orderStatuses } from '../../core/words.ts'
import type {
  OrderQuery,
  OrderRow,
  Page,
  RecordQuery,
  Replayable,
  SetsRow,
  Total,
  TransactionQuery,
} from '../record-store.ts'
import {
  type Cells,
  numberOf,
  numberOrNull,
  serialOf,
  textOf,
  textOrNull,
  wordOf,
} from './cells.ts'
import { playerRecordColumns, playerRecordJoins, playerRecordOf } from './player-records.ts'
import { all, first, type Reading } from './reading.ts'
import { tallyOf } from './tallies.ts'
import { exactly, totalOf } from './total.ts'
import { pageOf, Where } from './where.ts'

const openMax = orderStatuses.indexOf('PARTIAL')

/** The orders of a table, a view or a subquery. */
const selectOrders = (source: string) => `
  SELECT ${playerRecordColumns('o')}, m.status AS market_status,
    g.group_serial, g.group_created_at, a.amount, a.spent
  FROM ${source} AS o ${playerRecordJoins('o')}
    LEFT JOIN order_group_orders AS g ON g.order_serial = o.serial
    LEFT JOIN order_amounts AS a ON a.serial = o.serial`

export function* readOrder({ operatorNumber, serial }: RecordQuery): Reading<OrderRow | null> {
  const text = `${selectOrders('orders')} WHERE o.serial = ? AND o.operator_number = ?`
  const cells = yield* first(text, serial, operatorNumber)
  return cells === undefined ? null : orderOf(cells)
}

export function* readOrders(query: OrderQuery): Reading<Page<OrderRow>> {
  const { after, limit } = query
  const where = filterOf(query).andIfGiven('key_serial < ?', after)
  const page = `
    SELECT * FROM ${viewFor(query)} WHERE ${where.text} ORDER BY key_serial DESC LIMIT ?`
  const text = `${selectOrders(`(${page})`)} ORDER BY o.key_serial DESC`
  const rows = (yield* all(text, ...where.values, limit + 1)).map(orderOf)
  return pageOf(rows, { limit, ...(yield* totalFor(query, rows)) })
}

function* totalFor(query: OrderQuery, rows: readonly OrderRow[]): Reading<Total> {
  const { operatorNumber, marketSerial, outcomeSerial, playerId, side, type } = query
  const narrower = [outcomeSerial, playerId, side, type, query.statuses, query.transactionId]
  if (narrower.every((value) => value === null)) {
    return exactly((yield* tallyOf(operatorNumber, marketSerial)).orders)
  }
  return yield* totalOf({ query, rows }, () => {
    const { text, values } = filterOf(query)
    return { text: `SELECT 1 FROM ${viewFor(query)} WHERE ${text}`, values }
  })
}

type ViewName = keyof typeof viewKeys

/** The columns of each view's index, beside the operator and the serial. */
const viewKeys = {
  orders_of_operator: [],
  orders_of_market: ['market_serial'],
  orders_of_player: ['player_id'],
  orders_of_transaction: ['transaction_id'],
  open_orders: [],
  open_orders_of_player: ['player_id'],
} as const satisfies Readonly<Record<string, readonly string[]>>

function viewFor(query: OrderQuery): ViewName {
  if (query.transactionId !== null) return 'orders_of_transaction'
  if (query.playerId !== null) {
    return isForOpenOrders(query) ? 'open_orders_of_player' : 'orders_of_player'
  }
  if (isForOpenOrders(query)) return 'open_orders'
  return query.marketSerial === null ? 'orders_of_operator' : 'orders_of_market'
}

function filterOf(query: OrderQuery): Where {
  const { side, type, statuses } = query
  const keys: readonly string[] = viewKeys[viewFor(query)]
  const is = (column: string) => `${keys.includes(column) ? `key_${column}` : column} = ?`
  const where = new Where()
    .and('key_operator_number = ?', query.operatorNumber)
    .andIfGiven(is('market_serial'), query.marketSerial)
    .andIfGiven(is('outcome_serial'), query.outcomeSerial)
    .andIfGiven(is('player_id'), query.playerId)
    .andIfGiven(is('is_sell'), side === null ? null : side === 'SELL' ? 1 : 0)
    .andIfGiven(is('transaction_id'), query.transactionId)
  if (type !== null) where.and(type === 'MARKET' ? 'price = 0' : 'price > 0')
  // Both open statuses together are what the view has anyway. Without the condition, PostgreSQL
  // counts the index alone.
  const areAllOpen = statuses?.includes('PENDING') && statuses.includes('PARTIAL')
  if (areAllOpen && isForOpenOrders(query)) return where
  const numbers = statuses?.map((status) => orderStatuses.indexOf(status)) ?? null
  return where.andAmong('status', numbers)
}

function isForOpenOrders({ statuses }: OrderQuery): boolean {
  if (statuses === null || statuses.length === 0) return false
  return statuses.every((status) => orderStatuses.indexOf(status) <= openMax)
}

export function* readReplayable(query: TransactionQuery): Reading<Replayable | null> {
  const { operatorNumber, transactionId } = query
  const order = yield* first(
    selectOrders(`(
      SELECT * FROM orders_of_transaction
      WHERE key_operator_number = ? AND key_transaction_id = ? ORDER BY key_serial DESC LIMIT 1
    )`),
    operatorNumber,
    transactionId,
  )
  const sets = yield* first(
    `SELECT s.*, m.created_at AS market_created_at, m.status AS market_status
     FROM sets AS s INDEXED BY sets_by_transaction
     LEFT JOIN markets AS m ON m.serial = s.market_serial
     WHERE s.operator_number = ? AND s.transaction_id = ? ORDER BY s.serial DESC LIMIT 1`,
    operatorNumber,
    transactionId,
  )
  if (order !== undefined && (sets === undefined || newerOf(order, sets) === order)) {
    const isOutside = isOutsideBand(numberOf(order.options))
    return {
      kind: 'ORDER',
      order: orderOf(order),
      isOutsideBand: isOutside,
      ...requestOf(order),
    }
  }
  return sets === undefined ? null : { kind: 'SETS', sets: setsOf(sets), ...requestOf(sets) }
}

function newerOf(one: Cells, other: Cells): Cells {
  return numberOf(one.serial) > numberOf(other.serial) ? one : other
}

function requestOf(cells: Cells) {
  return {
    fingerprint: numberOf(cells.fingerprint),
    marketStatus: wordOf(marketStatuses, cells.market_status),
  }
}

function orderOf(cells: Cells): OrderRow {
  const isByAmount = cells.amount !== null
  return {
    ...playerRecordOf(cells),
    side: cells.is_sell === 1 ? 'SELL' : 'BUY',
    shares: numberOf(cells.shares),
    price: numberOrNull(cells.price),
    filled: numberOf(cells.filled),
    cost: numberOf(cells.cost),
    status: wordOf(orderStatuses, cells.status),
    expiresAt: numberOrNull(cells.expires_at),
    options: unpackOptions(numberOf(cells.options)),
    transactionId: textOrNull(cells.transaction_id),
    orderGroup: groupOf(cells),
    ...(isByAmount ? { spending: spendingOf(cells) } : {}),
  }
}

function groupOf(cells: Cells): OrderRow['orderGroup'] {
  if (cells.group_serial === null) return null
  return {
    serial: serialOf(cells.group_serial),
    createdAt: numberOf(cells.group_created_at),
  }
}

function spendingOf({ amount, spent }: Cells): Spent {
  return { amount: numberOf(amount), spent: numberOf(spent) }
}

function setsOf(cells: Cells): SetsRow {
  return {
    serial: serialOf(cells.serial),
    createdAt: numberOf(cells.created_at),
    marketSerial: serialOf(cells.market_serial),
    marketCreatedAt: numberOf(cells.market_created_at),
    playerId: textOf(cells.player_id),
    kind: cells.is_redeem === 1 ? 'REDEEM' : 'MINT',
    shares: numberOf(cells.shares),
    transactionId: textOrNull(cells.transaction_id),
  }
}
