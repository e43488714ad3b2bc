// Reads markets with everything that belongs to them, as the core loads them: without the texts
// that are only shown, which may be long. The reads of the API add those.

import type { FeeSchedule } from '../../core/fee.ts'
import type { Serial } from '../../core/ids.ts'
import type { VolumeBucket } from '../../core/memory/volume.ts'
import type { MarketRecord, OutcomeRecord } from '../../core/snapshot/records.ts'
import type {
  FailedSettlement,
  PriceBand,
  Resolution,
  ResolutionText,
  StoredBytes,
} from '../../core/state/market.ts'
import { marketStatuses } from '../../core/words.ts'
import {
  type Cell,
  type Cells,
  exactOf,
  numberOf,
  numberOrNull,
  serialOf,
  textOf,
  textOrNull,
  wordOf,
} from './cells.ts'
import { all, type Reading } from './reading.ts'

const minutesKept = 24 * 60

export const marketColumns = `
  m.serial, m.created_at, m.updated_at, m.owner_number, m.currency, m.is_shared,
  m.has_complete_set_matching, m.status, m.title, m.category_id, m.trading_starts_at,
  m.trading_ends_at, m.resolution, m.fee_schedule, m.price_band, operators.id AS owner_id,
  counters.volume, counters.trade_count, counters.sets_minted, counters.sets_redeemed, jobs.job`
export const marketTables = `
  LEFT JOIN operators ON operators.number = m.owner_number
  LEFT JOIN market_counters AS counters ON counters.market_serial = m.serial
  LEFT JOIN jobs ON jobs.market_serial = m.serial`

// Neither database reads the text for its length.
const byteColumns = `
  octet_length(m.description) AS description_bytes, octet_length(m.image_url) AS image_url_bytes,
  octet_length(m.metadata) AS metadata_bytes,
  (SELECT sum(octet_length(o.description)) FROM outcomes AS o WHERE o.market_serial = m.serial)
    AS outcome_description_bytes`

export function* recordOfMarket(serial: Serial): Reading<MarketRecord | null> {
  const [record] = yield* recordsOfMarkets([serial])
  return record ?? null
}

/** Complete records, by serial; unknown serials are left out. */
export function* recordsOfMarkets(serials: readonly Serial[]): Reading<MarketRecord[]> {
  const text = `SELECT ${marketColumns}, ${byteColumns} FROM markets AS m ${marketTables}
    WHERE m.serial = ANY (?) ORDER BY m.serial`
  const markets = yield* all(text, serials)
  const plain = yield* plainRecords(markets)
  const outcomes = plain.flatMap((market) => market.outcomes.map(({ serial }) => serial))
  const volumes = yield* volumesOf(outcomes)
  const failed = yield* failedSettlementsOf(serials)
  return plain.map((market, index) => ({
    ...market,
    storedBytes: storedBytesOf(markets[index]!),
    outcomes: market.outcomes.map((outcome) => ({
      ...outcome,
      volume: volumes.get(outcome.serial) ?? [],
    })),
    failedSettlements: failed.get(market.serial) ?? [],
  }))
}

function storedBytesOf(cells: Cells): StoredBytes {
  return {
    description: numberOf(cells.description_bytes ?? 0),
    imageUrl: numberOf(cells.image_url_bytes ?? 0),
    metadata: numberOf(cells.metadata_bytes ?? 0),
    outcomeDescriptions: numberOf(cells.outcome_description_bytes ?? 0),
  }
}

/** Without volumes, failed settlements and the lengths of texts, in the order of the rows. */
export function* plainRecords(markets: readonly Cells[]): Reading<PlainRecord[]> {
  const serials = markets.map(({ serial }) => serialOf(serial))
  if (serials.length === 0) return []
  const outcomes = yield* outcomesOf(serials)
  const participantIds = yield* participantIdsOf(serials)
  return markets.map((cells, index) => {
    const serial = serials[index]!
    const createdAt = numberOf(cells.created_at)
    return {
      ...fieldsOf(cells),
      serial,
      createdAt,
      participantIds: participantIds.get(serial) ?? [],
      outcomes: (outcomes.get(serial) ?? []).map((outcome) => ({ ...outcome, createdAt })),
      failedSettlements: [],
    }
  })
}

type PlainRecord = Omit<MarketRecord, 'storedBytes'>
type Fields = Omit<
  PlainRecord,
  'serial' | 'createdAt' | 'participantIds' | 'outcomes' | 'failedSettlements'
>

function fieldsOf(cells: Cells): Fields {
  return {
    updatedAt: numberOf(cells.updated_at),
    ownerId: textOf(cells.owner_id),
    currency: textOf(cells.currency),
    isShared: cells.is_shared === 1,
    hasCompleteSetMatching: cells.has_complete_set_matching === 1,
    feeSchedule: feeScheduleOf(cells.fee_schedule),
    priceBand: priceBandOf(cells.price_band),
    status: wordOf(marketStatuses, cells.status),
    title: textOf(cells.title),
    categoryId: textOrNull(cells.category_id),
    tradingStartsAt: numberOrNull(cells.trading_starts_at),
    tradingEndsAt: numberOrNull(cells.trading_ends_at),
    resolution: resolutionOf(cells),
    volume: exactOf(cells.volume ?? 0),
    tradeCount: numberOf(cells.trade_count ?? 0),
    setsMinted: exactOf(cells.sets_minted ?? 0),
    setsRedeemed: exactOf(cells.sets_redeemed ?? 0),
    job: jobOf(textOrNull(cells.job)),
  }
}

/** From the text of a column. */
export function feeScheduleOf(cell: Cell): FeeSchedule | null {
  const text = textOrNull(cell)
  return text === null ? null : JSON.parse(text)
}

function priceBandOf(cell: Cell): PriceBand | null {
  const text = textOrNull(cell)
  return text === null ? null : JSON.parse(text)
}

type ByMarket<Item> = ReadonlyMap<number, readonly Item[]>

function* outcomesOf(
  markets: readonly number[],
): Reading<ByMarket<Omit<OutcomeRecord, 'createdAt'>>> {
  const rows = yield* all(
    `SELECT market_serial, serial, name, version, last_price FROM outcomes
     LEFT JOIN books ON books.outcome_serial = serial
     WHERE market_serial = ANY (?) ORDER BY market_serial, place`,
    markets,
  )
  return grouped(rows, 'market_serial', (cells) => ({
    serial: serialOf(cells.serial),
    name: textOf(cells.name),
    version: numberOf(cells.version ?? 0),
    lastPrice: numberOf(cells.last_price ?? 0),
    volume: [],
  }))
}

// The day up to the last trade, as in the core, which drops old minutes when a trade is made.
function* volumesOf(outcomes: readonly number[]): Reading<ByMarket<VolumeBucket>> {
  const rows = yield* all(
    `SELECT candles.outcome_serial, candles.minute, candles.shares FROM outcomes
     JOIN candles ON candles.outcome_serial = outcomes.serial AND candles.width = 1
       AND candles.minute > (
         SELECT max(minute) FROM candles AS last
         WHERE last.outcome_serial = outcomes.serial AND last.width = 1
       ) - ${minutesKept}
     WHERE outcomes.serial = ANY (?) ORDER BY outcomes.serial, candles.minute`,
    outcomes,
  )
  return grouped(rows, 'outcome_serial', ({ minute, shares }) => ({
    minute: numberOf(minute),
    shares: numberOf(shares),
  }))
}

function* participantIdsOf(markets: readonly number[]): Reading<ByMarket<string>> {
  const rows = yield* all(
    `SELECT market_serial, id FROM participants
     LEFT JOIN operators ON operators.number = participants.operator_number
     WHERE market_serial = ANY (?) ORDER BY participant`,
    markets,
  )
  return grouped(rows, 'market_serial', ({ id }) => textOf(id))
}

export function grouped<Item>(
  rows: readonly Cells[],
  column: string,
  itemOf: (cells: Cells) => Item,
): ByMarket<Item> {
  const groups = new Map<number, Item[]>()
  for (const cells of rows) {
    const key = numberOf(cells[column])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [itemOf(cells)])
    else group.push(itemOf(cells))
  }
  return groups
}

function* failedSettlementsOf(markets: readonly number[]): Reading<ByMarket<FailedSettlement>> {
  const rows = yield* all(
    `SELECT s.*, place, operators.id AS operator_id FROM settlements AS s
     LEFT JOIN outcomes ON outcomes.serial = s.outcome_serial
     LEFT JOIN operators ON operators.number = s.operator_number
     WHERE s.market_serial = ANY (?) AND s.status = 3 ORDER BY s.market_serial, s.serial`,
    markets,
  )
  return grouped(rows, 'market_serial', (cells) => ({
    serial: serialOf(cells.serial),
    createdAt: numberOf(cells.created_at),
    positionSerial: serialOf(cells.position_serial),
    positionCreatedAt: numberOf(cells.position_created_at),
    outcome: numberOf(cells.place),
    operatorId: textOf(cells.operator_id),
    playerId: textOf(cells.player_id),
    shares: numberOf(cells.shares),
    payoutPerShare: numberOf(cells.payout_per_share),
  }))
}

type JobRecord = NonNullable<MarketRecord['job']>

function resolutionOf(cells: Cells): Resolution | null {
  const stored = storedResolutionOf(cells)
  if (stored === null) return null
  const { payouts, winner, resolvedAt } = stored
  return { payouts, winner, resolvedAt }
}

/** With the texts that are only shown. */
export function storedResolutionOf(cells: Cells): (Resolution & ResolutionText) | null {
  const text = textOrNull(cells.resolution)
  return text === null ? null : JSON.parse(text)
}

function jobOf(text: string | null): JobRecord | null {
  if (text === null) return null
  type StoredJob = Omit<JobRecord, 'payout'> & { readonly payout: string | number }
  const stored: StoredJob = JSON.parse(text)
  const { kind, phase, cancelledOrders, lastPosition, settled, payout } = stored
  return { kind, phase, cancelledOrders, lastPosition, settled, payout: BigInt(payout) }
}
