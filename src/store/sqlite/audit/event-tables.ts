// What was told, expanded event by event and noted in tables of this connection, so that it can be
// held against the records. The books are folded on the way.

import { BrokenInvariant } from '../../../core/assert.ts'
import type { Field } from '../../../core/events/event-body.ts'
import { type Event, expand } from '../../../core/events/events.ts'
import type { Ids } from '../../../core/ids.ts'
import { decimals, stepsOf } from '../../../core/money.ts'
import { eventTypes, marketStatuses, orderStatuses } from '../../../core/words.ts'
import { type Cells, numberOf, textOf } from '../../sql/cells.ts'
import type { Statements } from '../connection.ts'
import type { Scene } from './check.ts'
import type { EventBooks } from './event-books.ts'

export const eventTables = `
  CREATE TEMP TABLE windows (operator INTEGER PRIMARY KEY, since INTEGER);
  INSERT INTO windows SELECT number, CASE
    WHEN first_sequence = 1 THEN 0
    WHEN first_sequence IS NOT NULL THEN tellings.created_at + 1
    WHEN sequence > 0 THEN 9007199254740991 ELSE 0 END
  FROM operators LEFT JOIN sequences ON sequences.operator = number
  LEFT JOIN tellings ON tellings.operator = number AND first_sequence =
    (SELECT min(first_sequence) FROM tellings AS t WHERE t.operator = number);
  CREATE TEMP TABLE told_orders (
    operator INTEGER, serial INTEGER, time INTEGER, placed INTEGER, matched INTEGER,
    closed INTEGER, status INTEGER, is_late INTEGER, PRIMARY KEY (operator, serial)
  ) WITHOUT ROWID;
  CREATE TEMP TABLE told_trades (
    operator INTEGER, serial INTEGER, order_serial INTEGER, price INTEGER, shares INTEGER,
    times INTEGER, PRIMARY KEY (operator, serial, order_serial)
  ) WITHOUT ROWID;
  CREATE TEMP TABLE told_positions (
    operator INTEGER, serial INTEGER, player_id TEXT, shares REAL, cost REAL, profit REAL,
    PRIMARY KEY (operator, serial)
  ) WITHOUT ROWID;
  CREATE TEMP TABLE told_settlements (
    operator INTEGER, serial INTEGER, player_id TEXT, payout REAL, PRIMARY KEY (operator, serial)
  ) WITHOUT ROWID;
  CREATE TEMP TABLE told_markets (serial INTEGER PRIMARY KEY, status INTEGER, closed_at INTEGER);`

const statements = {
  placed: `INSERT INTO told_orders VALUES (?, ?, ?, 1, 0, 0, NULL, 0)
    ON CONFLICT DO UPDATE SET placed = placed + 1, is_late = 1`,
  matched: `INSERT INTO told_orders VALUES (?, ?, ?, 0, 1, 0, NULL, 0)
    ON CONFLICT DO UPDATE SET matched = matched + 1, time = max(time, excluded.time)`,
  closed: `INSERT INTO told_orders VALUES (?, ?, ?, 0, 0, 1, ?, 0)
    ON CONFLICT DO UPDATE SET
      closed = closed + 1, status = excluded.status, time = max(time, excluded.time)`,
  trade: `INSERT INTO told_trades VALUES (?, ?, ?, ?, ?, 1)
    ON CONFLICT DO UPDATE SET times = times + 1`,
  position: `INSERT INTO told_positions VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET player_id = excluded.player_id, shares = excluded.shares,
      cost = excluded.cost, profit = excluded.profit`,
  settlement: `INSERT INTO told_settlements VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET player_id = excluded.player_id, payout = excluded.payout`,
  market: `INSERT INTO told_markets VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET
    status = excluded.status, closed_at = ifnull(closed_at, excluded.closed_at)`,
} as const

const recordsPerPart = 5_000

/** Reads all tellings; yields a sentence for each that cannot be read, or is not as it says. */
export function* noteEvents(scene: Scene, books: EventBooks): Iterable<string> {
  const { database, ids, onPart } = scene
  const total = numberOf(database.prepare('SELECT count(*) AS count FROM tellings').get()?.count)
  let done = 0
  const rows = database
    .prepare(
      `SELECT tellings.*, operators.id, markets.owner, markets.created_at AS true_time
       FROM tellings LEFT JOIN operators ON operators.number = operator
       LEFT JOIN markets ON markets.serial = market ORDER BY operator, first_sequence`,
    )
    .iterate()
  for (const cells of rows) {
    if (done % recordsPerPart === 0) onPart(done / total)
    done += 1
    const about = `Telling ${cells.first_sequence} of operator ${cells.id ?? cells.operator}`
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
    if (!isWhole || types !== cells.types) yield `${about} says of itself what it does not hold.`
    if (cells.true_time !== cells.market_created_at)
      yield `${about} is of a market that is not there.`
    const receiver = { operator: numberOf(cells.operator), isOwner: cells.owner === cells.operator }
    for (const event of events) noteEvent({ ...scene, books, ...receiver }, event)
  }
}

function eventsOf(ids: Ids, cells: Cells): readonly Event[] | string {
  try {
    const body: readonly Field[] = JSON.parse(textOf(cells.body))
    return expand(ids, {
      operatorId: textOf(cells.id),
      marketSerial: numberOf(cells.market),
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
  readonly operator: number
  readonly isOwner: boolean
}

function noteEvent(
  { statements: prepared, ids, books, operator, isOwner }: Noting,
  event: Event,
): void {
  const run = (name: keyof typeof statements, ...values: (number | string | null)[]) => {
    prepared.get(statements[name]).run(...values)
  }
  const serialOf = (id: string) => ids.serialOf(id) ?? -1
  const { createdAt, payload } = event
  if ('tradeId' in payload) {
    const order = serialOf(payload.orderId)
    const price = stepsOf(payload.price, decimals.price)
    const shares = stepsOf(payload.shares, decimals.shares)
    run('matched', operator, order, timeOf(payload.orderId))
    run('trade', operator, serialOf(payload.tradeId), order, price, shares)
  } else if ('cancelledShares' in payload) {
    const status = orderStatuses.indexOf(payload.status)
    run('closed', operator, serialOf(payload.orderId), timeOf(payload.orderId), status)
  } else if ('orderId' in payload) {
    // An amendment neither makes an order nor ends it.
    if (event.eventType !== 'ORDER_PLACED') return
    run('placed', operator, serialOf(payload.orderId), timeOf(payload.orderId))
  } else if ('settlementId' in payload) {
    const { playerId, settlementId, totalPayout } = payload
    run('settlement', operator, serialOf(settlementId), playerId, totalPayout)
  } else if ('positionId' in payload) {
    const { playerId, positionId, shares, totalCost, realizedPnl } = payload
    run('position', operator, serialOf(positionId), playerId, shares, totalCost, realizedPnl)
  } else if ('version' in payload) books.fold(serialOf(payload.outcomeId), payload)
  else if ('status' in payload && isOwner) {
    const closedAt = payload.status === 'CLOSED' ? createdAt : null
    const status = marketStatuses.indexOf(payload.status)
    run('market', serialOf(payload.marketId), status, closedAt)
  }
}

/** The time in a public id. */
function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
