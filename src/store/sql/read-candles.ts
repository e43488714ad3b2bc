// Reads the public data about the trades of an outcome: candles and the tape.

import type { Serial } from '../../core/ids.ts'
import { tradeKinds } from '../../core/words.ts'
import type { CandleQuery, CandleRow, Page, TapeQuery, TapeRow } from '../record-store.ts'
import { candleMinutes } from '../trade-data.ts'
import { type Cells, numberOf, serialOf, wordOf } from './cells.ts'
import { all, first, type Reading } from './reading.ts'
import { exactly } from './total.ts'
import { pageOf, Where } from './where.ts'

const minuteMs = 60_000

export function* readCandles(query: CandleQuery): Reading<CandleRow[]> {
  const { outcomeSerial, interval, from, to, limit } = query
  const where = new Where()
    .and('outcome_serial = ?', outcomeSerial)
    .and('width = ?', candleMinutes[interval])
    .andIfGiven('minute >= ?', from === null ? null : Math.ceil(from / minuteMs))
    .andIfGiven('minute < ?', to === null ? null : Math.ceil(to / minuteMs))
  const order = from === null ? 'DESC' : 'ASC'
  const text = `SELECT * FROM candles WHERE ${where.text} ORDER BY minute ${order} LIMIT ?`
  const candles = (yield* all(text, ...where.values, limit)).map(candleOf)
  return from === null ? candles.reverse() : candles
}

export function* readTape(query: TapeQuery): Reading<Page<TapeRow>> {
  const { outcomeSerial, after, since = null, limit } = query
  const where = new Where()
    .and('key_outcome_serial = ?', outcomeSerial)
    .andIfGiven('key_serial < ?', after)
    .andIfGiven('key_serial > ?', since)
  const rows = yield* all(
    `SELECT key_serial AS serial, created_at, price, shares, is_sell_incoming, kind
     FROM trades_of_outcome WHERE ${where.text} ORDER BY serial DESC LIMIT ?`,
    ...where.values,
    limit + 1,
  )
  return pageOf(rows.map(tapeRowOf), {
    limit,
    ...exactly(yield* countTrades(outcomeSerial)),
  })
}

// Candles of a day are far fewer than trades.
function* countTrades(outcomeSerial: Serial): Reading<number> {
  const days = yield* first(
    `SELECT CAST(coalesce(sum(trades), 0) AS BIGINT) AS total FROM candles
     WHERE outcome_serial = ? AND width = ?`,
    outcomeSerial,
    candleMinutes['1d'],
  )
  return numberOf(days?.total)
}

function candleOf(cells: Cells): CandleRow {
  return {
    time: numberOf(cells.minute) * minuteMs,
    open: numberOf(cells.open),
    high: numberOf(cells.high),
    low: numberOf(cells.low),
    close: numberOf(cells.close),
    shares: numberOf(cells.shares),
    trades: numberOf(cells.trades),
  }
}

function tapeRowOf(cells: Cells): TapeRow {
  const kind = wordOf(tradeKinds, cells.kind)
  const isSell = kind === 'DIRECT' ? cells.is_sell_incoming === 1 : kind === 'MERGE'
  return {
    serial: serialOf(cells.serial),
    createdAt: numberOf(cells.created_at),
    price: numberOf(cells.price),
    shares: numberOf(cells.shares),
    takerSide: isSell ? 'SELL' : 'BUY',
  }
}
