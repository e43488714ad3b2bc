// The stored events, expanded into temporary tables, so that they can be compared with the records.
// The books are folded on the way.

import { BrokenInvariant } from '../../../core/assert.ts'
import { type Field, noMarket } from '../../../core/events/event-body.ts'
import type {
  OrderCancelled,
  OrderMatched,
  OrderPlaced,
} from '../../../core/events/event-payload.ts'
import { type Event, expand } from '../../../core/events/events.ts'
import type { Ids, Serial } from '../../../core/ids.ts'
import { decimals, stepsOf } from '../../../core/money.ts'
import { eventTypes, marketStatuses, orderStatuses } from '../../../core/words.ts'
import { type Cells, numberOf, serialOf as storedSerialOf, textOf } from '../../sql/cells.ts'
import type { Statements } from '../connection.ts'
import type { Snapshot } from './check.ts'
import type { EventBooks } from './event-books.ts'

export const eventTables = `
  CREATE TEMP TABLE windows (operator_number INTEGER PRIMARY KEY, since INTEGER);
  INSERT INTO windows SELECT number, CASE
    WHEN first_sequence = 1 THEN 0
    WHEN first_sequence IS NOT NULL THEN event_records.created_at + 1
    WHEN event_sequence > 0 THEN 9007199254740991 ELSE 0 END
  FROM operators LEFT JOIN event_sequences ON event_sequences.operator_number = number
  LEFT JOIN event_records ON event_records.operator_number = number AND first_sequence =
    (SELECT min(first_sequence) FROM event_records AS t WHERE t.operator_number = number);
  CREATE TEMP TABLE published_orders (
    operator_number INTEGER, serial INTEGER, time INTEGER, placed INTEGER, matched INTEGER,
    closed INTEGER, status INTEGER, is_late INTEGER, PRIMARY KEY (operator_number, serial)
  ) WITHOUT ROWID;
  CREATE TEMP TABLE published_trades (
    operator_number INTEGER, serial INTEGER, order_serial INTEGER, price INTEGER, shares INTEGER,
    fee REAL, role TEXT, times INTEGER, PRIMARY KEY (operator_number, serial, order_serial)
  ) WITHOUT ROWID;
  CREATE TEMP TABLE published_placers (
    operator_number INTEGER, serial INTEGER, player_id TEXT, transaction_id TEXT,
    PRIMARY KEY (operator_number, serial, player_id, transaction_id)
  ) WITHOUT ROWID;
  CREATE TEMP TABLE published_positions (
    operator_number INTEGER, serial INTEGER, player_id TEXT, shares REAL, cost REAL, profit REAL,
    PRIMARY KEY (operator_number, serial)
  ) WITHOUT ROWID;
  CREATE TEMP TABLE published_settlements (
    operator_number INTEGER, serial INTEGER, player_id TEXT, payout REAL,
      PRIMARY KEY (operator_number, serial)
  ) WITHOUT ROWID;
  CREATE TEMP TABLE published_markets (serial INTEGER PRIMARY KEY, status INTEGER,
    closed_at INTEGER, ends_at INTEGER);
  CREATE TEMP TABLE published_bands (serial INTEGER PRIMARY KEY, max_move INTEGER,
    suspends INTEGER);`

const statements = {
  placed: `INSERT INTO published_orders VALUES (?, ?, ?, 1, 0, 0, NULL, 0)
    ON CONFLICT DO UPDATE SET placed = placed + 1, is_late = 1`,
  matched: `INSERT INTO published_orders VALUES (?, ?, ?, 0, 1, 0, NULL, 0)
    ON CONFLICT DO UPDATE SET matched = matched + 1, time = max(time, excluded.time)`,
  closed: `INSERT INTO published_orders VALUES (?, ?, ?, 0, 0, 1, ?, 0)
    ON CONFLICT DO UPDATE SET
      closed = closed + 1, status = excluded.status, time = max(time, excluded.time)`,
  trade: `INSERT INTO published_trades VALUES (?, ?, ?, ?, ?, ?, ?, 1)
    ON CONFLICT DO UPDATE SET times = times + 1`,
  placer: `INSERT INTO published_placers VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  position: `INSERT INTO published_positions VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET player_id = excluded.player_id, shares = excluded.shares,
      cost = excluded.cost, profit = excluded.profit`,
  settlement: `INSERT INTO published_settlements VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET player_id = excluded.player_id, payout = excluded.payout`,
  market: `INSERT INTO published_markets VALUES (?, ?, ?, NULL) ON CONFLICT DO UPDATE SET
    status = excluded.status, closed_at = ifnull(closed_at, excluded.closed_at)`,
  window: `INSERT INTO published_markets VALUES (?, NULL, NULL, ?) ON CONFLICT DO UPDATE SET
    ends_at = excluded.ends_at`,
  band: `INSERT OR REPLACE INTO published_bands VALUES (?, ?, ?)`,
} as const

const recordsPerPart = 5_000

/** Expands all event records; yields a finding for each that is unreadable or inconsistent. */
export function* expandEvents(snapshot: Snapshot, books: EventBooks): Iterable<string> {
  const { database, ids, onPart } = snapshot
  const total = numberOf(
    database.prepare('SELECT count(*) AS count FROM event_records').get()?.count,
  )
  let done = 0
  const rows = database
    .prepare(
      `SELECT event_records.*, operators.id, markets.owner_number, markets.created_at AS true_time
       FROM event_records LEFT JOIN operators ON operators.number = operator_number
       LEFT JOIN markets ON markets.serial = market_serial
       ORDER BY operator_number, first_sequence`,
    )
    .iterate()
  for (const cells of rows) {
    if (done % recordsPerPart === 0) onPart(done / total)
    done += 1
    const operator = cells.id ?? `number ${cells.operator_number}`
    const about = `Event record ${cells.first_sequence} of operator ${operator}`
    const events = eventsOf(ids, cells)
    if (typeof events === 'string') {
      yield `${about} cannot be read: ${events}.`
      continue
    }
    const types = events.reduce(
      (bits, event) => bits | (1 << eventTypes.indexOf(event.eventType)),
      0,
    )
    const isWhole =
      numberOf(cells.last_sequence) - numberOf(cells.first_sequence) + 1 === events.length
    if (!isWhole || types !== cells.types) {
      yield `${about} has other events than its sequences and types say.`
    }
    if ((cells.true_time ?? noMarket) !== cells.market_created_at) {
      yield `${about} belongs to a market that does not exist.`
    }
    const operatorNumber = numberOf(cells.operator_number)
    const isOwner = cells.owner_number === operatorNumber
    const { statements } = snapshot
    const noting = { statements, ids, books, operatorNumber, isOwner }
    for (const event of events) noteEvent(noting, event)
  }
}

function eventsOf(ids: Ids, cells: Cells): readonly Event[] | string {
  try {
    const body: readonly Field[] = JSON.parse(textOf(cells.body))
    return expand(ids, {
      operatorId: textOf(cells.id),
      marketSerial: storedSerialOf(cells.market_serial),
      marketCreatedAt: numberOf(cells.market_created_at),
      firstSequence: numberOf(cells.first_sequence),
      createdAt: numberOf(cells.created_at),
      body,
    })
  } catch (error) {
    if (error instanceof BrokenInvariant || error instanceof SyntaxError) return error.message
    throw error
  }
}

type Noting = {
  readonly statements: Statements
  readonly ids: Ids
  readonly books: EventBooks
  readonly operatorNumber: number
  readonly isOwner: boolean
}

function noteEvent(
  { statements: prepared, ids, books, operatorNumber, isOwner }: Noting,
  event: Event,
): void {
  const insert = (name: keyof typeof statements, ...values: (number | string | null)[]) => {
    prepared.get(statements[name]).run(...values)
  }
  const serialOf = (id: string) => ids.serialOf(id) ?? (-1 as Serial)
  const { createdAt, payload } = event
  if ('transactionId' in payload && tellsPlacer(payload)) {
    const { orderId, playerId, transactionId } = payload
    insert('placer', operatorNumber, serialOf(orderId), playerId, transactionId ?? '')
  }
  if ('tradeId' in payload) {
    const orderSerial = serialOf(payload.orderId)
    const price = stepsOf(payload.price, decimals.price)
    const shares = stepsOf(payload.shares, decimals.shares)
    insert('matched', operatorNumber, orderSerial, timeOf(payload.orderId))
    const trade = [serialOf(payload.tradeId), orderSerial, price, shares] as const
    insert('trade', operatorNumber, ...trade, payload.fee, payload.role)
  } else if ('cancelledShares' in payload) {
    const status = orderStatuses.indexOf(payload.status)
    const serial = serialOf(payload.orderId)
    insert('closed', operatorNumber, serial, timeOf(payload.orderId), status)
  } else if ('orderId' in payload) {
    // An amendment neither places nor closes an order.
    if (event.eventType !== 'ORDER_PLACED') return
    insert('placed', operatorNumber, serialOf(payload.orderId), timeOf(payload.orderId))
  } else if ('settlementId' in payload) {
    const { playerId, settlementId, totalPayout } = payload
    insert('settlement', operatorNumber, serialOf(settlementId), playerId, totalPayout)
  } else if ('positionId' in payload) {
    const { playerId, positionId, shares, totalCost, realizedPnl } = payload
    const serial = serialOf(positionId)
    insert('position', operatorNumber, serial, playerId, shares, totalCost, realizedPnl)
  } else if ('version' in payload) books.fold(serialOf(payload.outcomeId), payload)
  else if ('tradingEndsAt' in payload && isOwner) {
    const { marketId, priceBand, reason, tradingEndsAt } = payload
    const maxMove = stepsOf(priceBand?.maxMove ?? 0, decimals.price)
    insert('band', serialOf(marketId), maxMove, priceBand?.suspendOnBand === true ? 1 : 0)
    // Until a market opens, its end of trading changes without an event.
    if (reason === null || tradingEndsAt === null) return
    insert('window', serialOf(marketId), Date.parse(tradingEndsAt))
  } else if ('status' in payload && isOwner) {
    const closedAt = payload.status === 'CLOSED' ? createdAt : null
    const status = marketStatuses.indexOf(payload.status)
    insert('market', serialOf(payload.marketId), status, closedAt)
  }
}

// What an earlier version has recorded has no placer; of a cancellation, only no transactionId.
function tellsPlacer(payload: OrderPlaced | OrderMatched | OrderCancelled): boolean {
  if (payload.playerId === null) return false
  return payload.transactionId !== null || !('cancelledShares' in payload)
}

/** The time in a public id. */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
