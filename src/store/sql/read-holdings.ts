// Reads positions and settlements, newest first by default.

import type { Serial } from '../../core/ids.ts'
import { type Mark, markOf } from '../../core/valuation.ts'
import { marketStatuses, settlementStatuses } from '../../core/words.ts'
import type {
  HoldingQuery,
  Page,
  PositionRow,
  RecordQuery,
  SettlementCounts,
  SettlementCountsQuery,
  SettlementRow,
} from '../record-store.ts'
import {
  type Cell,
  type Cells,
  exactOf,
  numberOf,
  numberOrNull,
  serialOf,
  textOrNull,
  wordOf,
} from './cells.ts'
import { storedResolutionOf } from './market-records.ts'
import { playerRecordColumns, playerRecordJoins, playerRecordOf } from './player-records.ts'
import { all, first, type Reading } from './reading.ts'
import { totalOf } from './total.ts'
import { pageOf, Where } from './where.ts'

type Table = 'positions' | 'settlements'

const columns = {
  positions: `${playerRecordColumns('h')}, outcomes.place AS outcome_index,
    m.status AS market_status, books.last_price`,
  settlements: `${playerRecordColumns('h')}, outcomes.place AS outcome_index`,
}
const joins = {
  positions: `${playerRecordJoins('h')}
    LEFT JOIN outcomes ON outcomes.serial = h.outcome_serial
    LEFT JOIN books ON books.outcome_serial = h.outcome_serial`,
  settlements: `${playerRecordJoins('h')}
    LEFT JOIN outcomes ON outcomes.serial = h.outcome_serial`,
}

export function readPositions(query: HoldingQuery): Reading<Page<PositionRow>> {
  return readPage({ table: 'positions', query, rowsOf: positionsOf })
}

export function readSettlements(query: HoldingQuery): Reading<Page<SettlementRow>> {
  return readPage({ table: 'settlements', query, rowsOf: settlementsOf })
}

export function* readSettlement(query: RecordQuery): Reading<SettlementRow | null> {
  const text = `SELECT ${columns.settlements} FROM settlements AS h ${joins.settlements}
    WHERE h.serial = ? AND h.operator_number = ?`
  const cells = yield* first(text, query.serial, query.operatorNumber)
  return cells === undefined ? null : settlementOf(cells)
}

type PageQuery<Row> = {
  table: Table
  query: HoldingQuery
  rowsOf: (rows: readonly Cells[]) => Reading<readonly Row[]>
}

function* readPage<Row>({ table, query, rowsOf }: PageQuery<Row>): Reading<Page<Row>> {
  const { after, limit } = query
  const from = `FROM ${table} AS h INDEXED BY ${indexFor(table, query)}`
  const [isBehind, direction] = query.isOldestFirst ? ['>', 'ASC'] : ['<', 'DESC']
  const page = filterOf(query).andIfGiven(`h.serial ${isBehind} ?`, after)
  const text = `SELECT ${columns[table]} ${from} ${joins[table]} WHERE ${page.text}
    ORDER BY h.serial ${direction} LIMIT ?`
  const rows = yield* rowsOf(yield* all(text, ...page.values, limit + 1))
  if (query.isCounted === false) return pageOf(rows, { limit, total: 0, totalIsExact: false })
  const whole = () => {
    const { text, values } = filterOf(query)
    return { text: `SELECT 1 ${from} WHERE ${text}`, values }
  }
  return pageOf(rows, { limit, ...(yield* totalOf({ query, rows }, whole)) })
}

function filterOf({ operatorNumber, marketSerial, playerId, isAcknowledged }: HoldingQuery): Where {
  const where = new Where()
    .and('h.operator_number = ?', operatorNumber)
    .andIfGiven('h.market_serial = ?', marketSerial)
    .andIfGiven('h.player_id = ?', playerId)
  // Every acknowledgement has a transactionId.
  if (isAcknowledged === undefined) return where
  return where.and(`h.transaction_id IS ${isAcknowledged ? 'NOT NULL' : 'NULL'}`)
}

function indexFor(table: Table, { marketSerial, playerId, isAcknowledged }: HoldingQuery): string {
  if (playerId !== null) return `${table}_by_player`
  if (isAcknowledged !== undefined) {
    const list = isAcknowledged ? 'acknowledged' : 'unacknowledged'
    return `${table}_${list}${marketSerial === null ? '' : '_by_market'}`
  }
  return marketSerial === null ? `${table}_by_operator` : `${table}_by_market`
}

// Shares are summed for each payout and multiplied afterwards, because the sum of the products may
// overflow in SQL.
export function* countSettlements({
  marketSerial,
  operatorNumber,
}: SettlementCountsQuery): Reading<SettlementCounts> {
  const where = new Where()
    .and('market_serial = ?', marketSerial)
    .andIfGiven('operator_number = ?', operatorNumber)
  const byStatus = { PENDING: 0, PROCESSING: 0, COMPLETED: 0, FAILED: 0 }
  let payout = 0n
  let completedPayout = 0n
  const rows = yield* all(
    `SELECT status, payout_per_share, count(*) AS total, CAST(sum(shares) AS TEXT) AS shares
     FROM settlements INDEXED BY settlements_by_market WHERE ${where.text}
     GROUP BY status, payout_per_share`,
    ...where.values,
  )
  for (const cells of rows) {
    const status = wordOf(settlementStatuses, cells.status)
    const paid = exactOf(cells.shares) * exactOf(cells.payout_per_share)
    byStatus[status] += numberOf(cells.total)
    payout += paid
    if (status === 'COMPLETED') completedPayout += paid
  }
  const positions = yield* first(
    `SELECT count(*) AS total FROM positions INDEXED BY positions_by_market
     WHERE ${where.text}`,
    ...where.values,
  )
  return { positions: numberOf(positions?.total), byStatus, payout, completedPayout }
}

function* positionsOf(rows: readonly Cells[]): Reading<readonly PositionRow[]> {
  const payouts = yield* payoutsOfMarkets(rows)
  return rows.map((cells) => positionOf(cells, markFor(cells, payouts)))
}

// biome-ignore lint/correctness/useYield: it needs no further statement.
function* settlementsOf(rows: readonly Cells[]): Reading<readonly SettlementRow[]> {
  return rows.map(settlementOf)
}

type Payouts = ReadonlyMap<Serial, readonly number[]>

/** Of the resolved markets among them, by place: a resolution is long, and is read once. */
export function* payoutsOfMarkets(rows: readonly Cells[]): Reading<Payouts> {
  const resolved = rows.filter((cells) => isResolved(cells.market_status))
  const serials = [...new Set(resolved.map((cells) => serialOf(cells.market_serial)))]
  if (serials.length === 0) return new Map()
  const found = yield* all('SELECT serial, resolution FROM markets WHERE serial = ANY (?)', serials)
  return new Map(
    found.map((cells) => [serialOf(cells.serial), storedResolutionOf(cells)?.payouts ?? []]),
  )
}

function isResolved(cell: Cell): boolean {
  const status = wordOf(marketStatuses, cell)
  return status === 'RESOLVED' || status === 'SETTLED'
}

/** `cells` have the status of the market, and the place and the last price of the outcome. */
export function markFor(cells: Cells, payouts: Payouts): Mark {
  const ofMarket = payouts.get(serialOf(cells.market_serial))
  return markOf({
    status: wordOf(marketStatuses, cells.market_status),
    payout: ofMarket?.[numberOf(cells.outcome_index)] ?? null,
    lastPrice: numberOrNull(cells.last_price ?? 0),
  })
}

function positionOf(cells: Cells, mark: Mark): PositionRow {
  return {
    mark,
    ...playerRecordOf(cells),
    shares: numberOf(cells.shares),
    reserved: numberOf(cells.reserved),
    cost: exactOf(cells.cost),
    profit: exactOf(cells.profit),
  }
}

function settlementOf(cells: Cells): SettlementRow {
  return {
    ...playerRecordOf(cells),
    positionSerial: serialOf(cells.position_serial),
    positionCreatedAt: numberOf(cells.position_created_at),
    outcomeIndex: numberOf(cells.outcome_index),
    shares: numberOf(cells.shares),
    payoutPerShare: numberOf(cells.payout_per_share),
    status: wordOf(settlementStatuses, cells.status),
    transactionId: textOrNull(cells.transaction_id),
    errorMessage: textOrNull(cells.error_message),
  }
}
