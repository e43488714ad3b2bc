// A market with all that belongs to it, as the core loads it.

import type { FailedSettlement, Resolution } from '../../core/market.ts'
import type { MarketRecord, OutcomeRecord } from '../../core/records.ts'
import type { VolumeBucket } from '../../core/volume.ts'
import { marketStatuses } from '../../core/words.ts'
import { type Cells, exactOf, numberOf, numberOrNull, textOf, textOrNull, wordOf } from './cells.ts'
import type { Statements } from './connection.ts'

const minutesKept = 24 * 60

export const marketColumns = `
  m.*, operators.id AS owner_id, counters.volume, counters.trade_count, counters.sets_minted,
  counters.sets_redeemed, runs.run`
export const marketTables = `
  LEFT JOIN operators ON operators.number = m.owner
  LEFT JOIN market_counters AS counters ON counters.market = m.serial
  LEFT JOIN runs ON runs.market = m.serial`

export function recordOfMarket(statements: Statements, serial: number): MarketRecord | null {
  const cells = statements
    .get(`SELECT ${marketColumns} FROM markets AS m ${marketTables} WHERE m.serial = ?`)
    .get(serial)
  if (cells === undefined) return null
  const plain = plainRecord(statements, cells)
  return {
    ...plain,
    outcomes: plain.outcomes.map((outcome) => ({
      ...outcome,
      volume: volumeOf(statements, outcome.serial),
    })),
    failedSettlements: failedSettlementsOf(statements, serial),
  }
}

/** Without volumes and failed settlements. */
export function plainRecord(statements: Statements, cells: Cells): MarketRecord {
  const serial = numberOf(cells.serial)
  const createdAt = numberOf(cells.created_at)
  return {
    serial,
    createdAt,
    updatedAt: numberOf(cells.updated_at),
    ownerId: textOf(cells.owner_id),
    currency: textOf(cells.currency),
    isShared: cells.is_shared === 1,
    hasCompleteSetMatching: cells.has_complete_set_matching === 1,
    status: wordOf(marketStatuses, cells.status),
    title: textOf(cells.title),
    description: textOrNull(cells.description),
    imageUrl: textOrNull(cells.image_url),
    categoryId: textOrNull(cells.category_id),
    metadata: textOrNull(cells.metadata),
    tradingStartsAt: numberOrNull(cells.trading_starts_at),
    tradingEndsAt: numberOrNull(cells.trading_ends_at),
    resolution: resolutionOf(textOrNull(cells.resolution)),
    volume: exactOf(cells.volume ?? 0),
    tradeCount: numberOf(cells.trade_count ?? 0),
    setsMinted: exactOf(cells.sets_minted ?? 0),
    setsRedeemed: exactOf(cells.sets_redeemed ?? 0),
    guestIds: guestIdsOf(statements, serial),
    outcomes: outcomesOf(statements, serial, createdAt),
    run: runOf(textOrNull(cells.run)),
    failedSettlements: [],
  }
}

function outcomesOf(statements: Statements, market: number, createdAt: number): OutcomeRecord[] {
  return statements
    .get(
      `SELECT serial, name, description, version, last_price FROM outcomes
       LEFT JOIN books ON books.outcome = serial WHERE market = ? ORDER BY place`,
    )
    .all(market)
    .map((cells) => ({
      serial: numberOf(cells.serial),
      createdAt,
      name: textOf(cells.name),
      description: textOrNull(cells.description),
      version: numberOf(cells.version ?? 0),
      lastPrice: numberOf(cells.last_price ?? 0),
      volume: [],
    }))
}

// The day up to the last trade, as the core keeps it: it lets go of old minutes when it trades.
function volumeOf(statements: Statements, outcome: number): VolumeBucket[] {
  return statements
    .get(
      `SELECT minute, shares FROM candles WHERE outcome = ?1 AND width = 1 AND minute >
         (SELECT max(minute) FROM candles WHERE outcome = ?1 AND width = 1) - ${minutesKept}
       ORDER BY minute`,
    )
    .all(outcome)
    .map(({ minute, shares }) => ({ minute: numberOf(minute), shares: numberOf(shares) }))
}

function guestIdsOf(statements: Statements, market: number): string[] {
  return statements
    .get(
      `SELECT id FROM guests LEFT JOIN operators ON operators.number = guests.operator
       WHERE market = ? ORDER BY guest`,
    )
    .all(market)
    .map(({ id }) => textOf(id))
}

function failedSettlementsOf(statements: Statements, market: number): FailedSettlement[] {
  return statements
    .get(
      `SELECT s.*, place, operators.id AS operator_id FROM settlements AS s
       LEFT JOIN outcomes ON outcomes.serial = s.outcome
       LEFT JOIN operators ON operators.number = s.operator
       WHERE s.market = ? AND s.status = 3 ORDER BY s.serial`,
    )
    .all(market)
    .map((cells) => ({
      serial: numberOf(cells.serial),
      createdAt: numberOf(cells.created_at),
      positionSerial: numberOf(cells.position_serial),
      positionCreatedAt: numberOf(cells.position_created_at),
      outcome: numberOf(cells.place),
      operatorId: textOf(cells.operator_id),
      playerId: textOf(cells.player_id),
      shares: numberOf(cells.shares),
      payoutPerShare: numberOf(cells.payout_per_share),
    }))
}

type RunRecord = NonNullable<MarketRecord['run']>

function resolutionOf(text: string | null): Resolution | null {
  if (text === null) return null
  const { payouts, winner, source, notes, resolvedAt }: Resolution = JSON.parse(text)
  return { payouts, winner, source, notes, resolvedAt }
}

function runOf(text: string | null): RunRecord | null {
  if (text === null) return null
  type StoredRun = Omit<RunRecord, 'payout'> & { readonly payout: string | number }
  const stored: StoredRun = JSON.parse(text)
  const { kind, phase, cancelledOrders, lastPosition, settled, payout } = stored
  return { kind, phase, cancelledOrders, lastPosition, settled, payout: BigInt(payout) }
}
