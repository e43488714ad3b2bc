// Reads the summaries of markets from their candles: those of whole hours, and minutes of the hour
// in which the last day begins. So the number of rows has a limit, however much was traded.

import type { Serial } from '../../core/ids.ts'
import { isVisibleTo } from '../../core/state/access.ts'
import { marketStatuses } from '../../core/words.ts'
import type {
  FavouriteOutcome,
  MarketSummaryQuery,
  MarketSummaryRow,
  PricePoint,
} from '../market-summary.ts'
import { candleMinutes } from '../trade-data.ts'
import { numberOf, serialOf, textOf, wordOf } from './cells.ts'
import { grouped } from './market-records.ts'
import { all, type Reading } from './reading.ts'

const minuteMs = 60_000
const dayMinutes = candleMinutes['1d']
const hourMinutes = candleMinutes['1h']

export function* readMarketSummaries(query: MarketSummaryQuery): Reading<MarketSummaryRow[]> {
  const markets = yield* visibleOf(query)
  if (markets.length === 0) return []
  const nowMinute = Math.floor(query.now / minuteMs)
  const outcomes = yield* outcomesOf(markets.map(({ serial }) => serial))
  const volumes = yield* volumesOf([...outcomes.values()].flat(), nowMinute)
  const favourites = [...outcomes].flatMap(([market, all]) => {
    const favourite = favouriteOf(all)
    return favourite === null ? [] : [[market, favourite] as const]
  })
  const days = yield* daysOf(
    favourites.map(([, { serial }]) => serial),
    nowMinute,
  )
  const favouriteOfMarket = new Map(favourites)
  return markets.map(({ serial, createdAt }) => {
    const favourite = favouriteOfMarket.get(serial)
    const day = favourite === undefined ? undefined : days.get(favourite.serial)
    const own = outcomes.get(serial) ?? []
    return {
      marketSerial: serial,
      createdAt,
      volume24h: own.reduce((sum, outcome) => sum + (volumes.get(outcome.serial) ?? 0), 0),
      favourite:
        favourite === undefined || day === undefined
          ? null
          : {
              outcomeSerial: favourite.serial,
              createdAt,
              name: favourite.name,
              lastPrice: favourite.lastPrice,
              ...day,
            },
    }
  })
}

function* visibleOf(query: MarketSummaryQuery) {
  const { operatorNumber, supportedCurrencies, marketSerials } = query
  const rows = yield* all(
    `SELECT serial, created_at, owner_number, is_shared, status, currency FROM markets
     WHERE serial = ANY (?) ORDER BY serial`,
    marketSerials,
  )
  return rows
    .filter((cells) =>
      isVisibleTo(
        {
          isOwner: cells.owner_number === operatorNumber,
          isShared: cells.is_shared === 1,
          status: wordOf(marketStatuses, cells.status),
          currency: textOf(cells.currency),
        },
        supportedCurrencies,
      ),
    )
    .map((cells) => ({
      serial: serialOf(cells.serial),
      createdAt: numberOf(cells.created_at),
    }))
}

type Outcome = { readonly serial: Serial; readonly name: string; readonly lastPrice: number }

function* outcomesOf(markets: readonly Serial[]) {
  const rows = yield* all(
    `SELECT market_serial, serial, name, last_price FROM outcomes
     LEFT JOIN books ON books.outcome_serial = serial
     WHERE market_serial = ANY (?) ORDER BY market_serial, place`,
    markets,
  )
  return grouped<Outcome>(rows, 'market_serial', (cells) => ({
    serial: serialOf(cells.serial),
    name: textOf(cells.name),
    lastPrice: numberOf(cells.last_price ?? 0),
  }))
}

/** The first of those with the highest price. */
function favouriteOf(outcomes: readonly Outcome[]): Outcome | null {
  let best: Outcome | null = null
  for (const outcome of outcomes) {
    if (outcome.lastPrice > (best?.lastPrice ?? 0)) best = outcome
  }
  return best
}

/** Of the minutes that the core counts, too: see core/memory/volume.ts. */
function* volumesOf(outcomes: readonly Outcome[], nowMinute: number) {
  const after = nowMinute - dayMinutes
  const hour = Math.ceil((after + 1) / hourMinutes) * hourMinutes
  const serials = outcomes.map(({ serial }) => serial)
  const rows = yield* all(
    `SELECT outcome_serial, CAST(sum(shares) AS BIGINT) AS total FROM (
       SELECT outcome_serial, shares FROM candles
         WHERE outcome_serial = ANY (?) AND width = ${hourMinutes} AND minute >= ?
       UNION ALL
       SELECT outcome_serial, shares FROM candles
         WHERE outcome_serial = ANY (?) AND width = 1 AND minute > ? AND minute < ?
     ) AS traded GROUP BY outcome_serial`,
    ...[serials, hour, serials, after, hour],
  )
  return new Map(rows.map(({ outcome_serial, total }) => [outcome_serial, numberOf(total)]))
}

type Day = Pick<FavouriteOutcome, 'priceBefore' | 'points'>

function* daysOf(outcomes: readonly Serial[], nowMinute: number): Reading<Map<number, Day>> {
  if (outcomes.length === 0) return new Map()
  const from = nowMinute - dayMinutes
  const candles = yield* all(
    `SELECT outcome_serial, minute, open, close FROM candles
     WHERE outcome_serial = ANY (?) AND width = ${hourMinutes} AND minute > ?
     ORDER BY outcome_serial, minute`,
    outcomes,
    from - hourMinutes,
  )
  const hours = grouped(candles, 'outcome_serial', (cells) => ({
    time: numberOf(cells.minute) * minuteMs,
    open: numberOf(cells.open),
    price: numberOf(cells.close),
  }))
  const before = yield* all(
    `SELECT serial, (SELECT close FROM candles
       WHERE outcome_serial = serial AND width = 1 AND minute <= ?
       ORDER BY minute DESC LIMIT 1) AS price_before
     FROM outcomes WHERE serial = ANY (?)`,
    from,
    outcomes,
  )
  return new Map(
    before.map(({ serial, price_before }) => {
      const own = hours.get(numberOf(serial)) ?? []
      // The hour in which the day begins may end before the day does.
      const points: PricePoint[] = own.map(({ time, price }) => ({ time, price }))
      return [
        numberOf(serial),
        { priceBefore: numberOf(price_before ?? own[0]?.open ?? 0), points },
      ]
    }),
  )
}
