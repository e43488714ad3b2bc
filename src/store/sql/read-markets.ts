// Reads markets: an operator's own markets and the shared markets of others that it sees, newest
// first or sorted by a column.

import type { Serial } from '../../core/ids.ts'
import { type MarketStatus, marketStatuses } from '../../core/words.ts'
import { folded } from '../columns.ts'
import type { MarketPage, MarketQuery, MarketRow, MarketSort } from '../record-store.ts'
import { type Cells, numberOf, serialOf, textOf, textOrNull, wordOf } from './cells.ts'
import {
  grouped,
  marketColumns,
  marketTables,
  plainRecords,
  storedResolutionOf,
} from './market-records.ts'
import { all, type Reading, type Statement } from './reading.ts'
import { countUpTo, totalOf } from './total.ts'
import { visibleMarkets } from './visible-markets.ts'
import type { Where } from './where.ts'

const columns = `
  ${marketColumns}, m.description, m.image_url, m.metadata, m.has_public_page,
  categories.id AS found_category_id, categories.name AS category_name,
  categories.slug AS category_slug`
const tables = `${marketTables} LEFT JOIN categories ON categories.id = m.category_id`

export function* readMarket(serial: Serial): Reading<MarketRow | null> {
  const text = `SELECT ${columns} FROM markets AS m ${tables} WHERE m.serial = ?`
  const [market] = yield* marketsOf(yield* all(text, serial))
  return market ?? null
}

/** About as long as a page of events. */
const pageBytesMax = 4_000_000
/** Of a market and of an outcome as JSON without their texts. */
const [marketBytes, outcomeBytes] = [600, 250]

// Neither database reads the texts for their lengths.
const jsonBytes = `
  ${marketBytes} + octet_length(m.title) + coalesce(octet_length(m.description), 0)
  + coalesce(octet_length(m.metadata), 0) + coalesce(octet_length(m.resolution), 0)
  + coalesce((SELECT sum(${outcomeBytes} + octet_length(o.name)
      + coalesce(octet_length(o.description), 0))
    FROM outcomes AS o WHERE o.market_serial = m.serial), 0)`

/**
 * Ends early if its markets have long texts; the first market always fits. A sorted list has no
 * rows if more markets match than are sorted: its total is then not exact.
 */
export function* readMarkets(query: MarketQuery): Reading<MarketPage> {
  const { limit, sort = null } = query
  if (sort !== null) {
    const total = yield* countUpTo(serialsFor(query, null))
    if (!total.totalIsExact) return { rows: [], ...total, hasMore: false, bytes: 0 }
  }
  const page = sort === null ? newestFirst(query) : sorted(query, sort)
  const found = yield* all(
    `SELECT page.serial, ${jsonBytes} AS bytes
     FROM (${page.text} LIMIT ?) AS page
     LEFT JOIN markets AS m ON m.serial = page.serial ORDER BY ${page.order}`,
    ...page.values,
    limit + 1,
  )
  const total = yield* totalOf({ query, rows: found }, () => serialsFor(query, null))
  const { serials, bytes } = fitting(found.slice(0, limit))
  const text = `SELECT ${columns} FROM markets AS m ${tables} WHERE m.serial = ANY (?)`
  const read = serials.length === 0 ? [] : yield* marketsOf(yield* all(text, serials))
  const bySerial = new Map(read.map((row) => [row.serial, row]))
  const rows = serials.flatMap((serial) => bySerial.get(serial) ?? [])
  return { rows, ...total, hasMore: found.length > rows.length, bytes }
}

type OrderedStatement = Statement & { readonly order: string }

function newestFirst(query: MarketQuery): OrderedStatement {
  const { text, values } = serialsFor(query, query.after)
  return { text: `${text} ORDER BY serial DESC`, values, order: 'page.serial DESC' }
}

/** By the values of the moment of each page, equal ones by age. */
function sorted(query: MarketQuery, { by, isAscending }: MarketSort): OrderedStatement {
  const { text, values } = serialsFor(query, null, keyOf(by, isAscending))
  const [direction, beyond] = isAscending ? ['ASC', '>'] : ['DESC', '<']
  const order = `page.sort_key ${direction}, page.serial ${direction}`
  if (query.after === null) {
    return { text: `SELECT * FROM (${text}) AS page ORDER BY ${order}`, values, order }
  }
  const last = lastOf(query, query.after, keyOf(by, isAscending))
  return {
    text: `SELECT * FROM (${text}) AS page
      WHERE (page.sort_key, page.serial) ${beyond} ((${last.text}), ?) ORDER BY ${order}`,
    values: [...values, ...last.values, query.after],
    order,
  }
}

/**
 * The key of the market after which the page starts, whatever the filters. A cursor with the id
 * of a market that the operator does not see must not reveal its position: the page is empty.
 */
function lastOf(query: MarketQuery, after: number, key: string): Statement {
  const parts = visibleMarkets(query).map(({ source, where }) => ({
    source,
    where: where.and('serial = ?', after),
  }))
  return {
    text: parts
      .map(({ source, where }) => `SELECT ${key} FROM ${source} WHERE ${where.text}`)
      .join(' UNION ALL '),
    values: parts.flatMap(({ where }) => where.values),
  }
}

/** A market without the value comes last. */
function keyOf(by: MarketSort['by'], isAscending: boolean): string {
  const counter = (column: string) =>
    `coalesce((SELECT ${column} FROM market_counters WHERE market_serial = serial), 0)`
  switch (by) {
    case 'createdAt':
      return 'serial'
    case 'title':
      return 'folded_title COLLATE BINARY'
    case 'totalVolume':
      // A sum past 2^53 is a text in SQLite.
      return counter('CAST(volume AS DOUBLE PRECISION)')
    case 'totalTrades':
      return counter('trade_count')
    case 'tradingEndsAt':
      return isAscending
        ? `CASE trading_ends_at WHEN 0 THEN ${Number.MAX_SAFE_INTEGER} ELSE trading_ends_at END`
        : 'trading_ends_at'
  }
}

function fitting(found: readonly Cells[]): { serials: Serial[]; bytes: number } {
  const serials: Serial[] = []
  let bytes = 0
  for (const cells of found) {
    const more = numberOf(cells.bytes)
    if (serials.length > 0 && bytes + more > pageBytesMax) break
    serials.push(serialOf(cells.serial))
    bytes += more
  }
  return { serials, bytes }
}

export function* countMarkets(
  operatorNumber: number,
): Reading<Readonly<Record<MarketStatus, number>>> {
  const counts: Record<MarketStatus, number> = {
    DRAFT: 0,
    UPCOMING: 0,
    OPEN: 0,
    SUSPENDED: 0,
    CLOSED: 0,
    RESOLVED: 0,
    SETTLED: 0,
    CANCELLED: 0,
  }
  const rows = yield* all(
    'SELECT status, count(*) AS total FROM markets WHERE owner_number = ? GROUP BY status',
    operatorNumber,
  )
  for (const { status, total } of rows) counts[wordOf(marketStatuses, status)] = numberOf(total)
  return counts
}

function serialsFor(query: MarketQuery, after: number | null, key?: string): Statement {
  const parts = visibleMarkets(query).map(({ source, where }) => ({
    source,
    where: filtered(where, query, after),
  }))
  const selected = key === undefined ? 'serial' : `serial, ${key} AS sort_key`
  const texts = parts.map(
    ({ source, where }) => `SELECT ${selected} FROM ${source} WHERE ${where.text}`,
  )
  return { text: texts.join(' UNION ALL '), values: parts.flatMap(({ where }) => where.values) }
}

function filtered(where: Where, query: MarketQuery, after: number | null): Where {
  const { categoryId, statuses, search, attentionAt = null } = query
  return where
    .andIfGiven(needsAttention, attentionAt)
    .andIfGiven('serial < ?', after)
    .andIfGiven('category_id = ?', categoryId)
    .andAmong('status', statuses?.map((status) => marketStatuses.indexOf(status)) ?? null)
    .andIfGiven('instr(folded_title, ?) > 0', search === null ? null : folded(search))
}

const openNumber = marketStatuses.indexOf('OPEN')
const waitingNumbers = (['SUSPENDED', 'CLOSED', 'RESOLVED'] as const).map((status) =>
  marketStatuses.indexOf(status),
)

/** Its owner has the next step: trading is paused or over, and the market has not ended. */
const needsAttention = `(status IN (${waitingNumbers.join(', ')})
  OR status = ${openNumber} AND trading_ends_at > 0 AND trading_ends_at <= ?)`

function* marketsOf(markets: readonly Cells[]): Reading<MarketRow[]> {
  const records = yield* plainRecords(markets)
  const descriptions = yield* outcomeDescriptionsOf(records.map(({ serial }) => serial))
  return records.map((record, index) => {
    const cells = markets[index]!
    return {
      ...record,
      description: textOrNull(cells.description),
      imageUrl: textOrNull(cells.image_url),
      metadata: textOrNull(cells.metadata),
      hasPublicPage: cells.has_public_page === 1,
      resolution: storedResolutionOf(cells),
      outcomes: record.outcomes.map((outcome, place) => ({
        ...outcome,
        description: descriptions.get(record.serial)?.[place] ?? null,
      })),
      ownerNumber: numberOf(cells.owner_number),
      category: categoryOf(cells),
    }
  })
}

function* outcomeDescriptionsOf(markets: readonly Serial[]) {
  if (markets.length === 0) return new Map<number, readonly (string | null)[]>()
  const rows = yield* all(
    `SELECT market_serial, description FROM outcomes
     WHERE market_serial = ANY (?) ORDER BY market_serial, place`,
    markets,
  )
  return grouped(rows, 'market_serial', ({ description }) => textOrNull(description))
}

function categoryOf(cells: Cells): MarketRow['category'] {
  if (cells.found_category_id === null) return null
  return {
    id: textOf(cells.found_category_id),
    name: textOf(cells.category_name),
    slug: textOf(cells.category_slug),
  }
}
