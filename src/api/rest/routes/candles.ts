// Public data about the trades of an outcome: candles, and the tape of trades without their ids.
// Both are read from the store and stay readable after a market has ended.

import { Type } from 'typebox'
import type { Serial } from '../../../core/ids.ts'
import { Refusal } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { afterOf, cursorOf } from '../../parse/cursor.ts'
import { timeOf } from '../../parse/time.ts'
import { presentCandle, presentPublicTrade } from '../../present/market-data.ts'
import { page } from '../../schemas/envelope.ts'
import { named } from '../../schemas/fields.ts'
import {
  Candle,
  CandlesQuery,
  candleIntervalDefault,
  candlesMax,
  PublicTrade,
  TapeQuery,
  tapePageSize,
} from '../../schemas/market-data.ts'
import type { Context } from '../context.ts'
import { publicOutcome } from '../visible-market.ts'
import type { Routes } from './routes.ts'

export function addCandles(routes: Routes, context: Context): void {
  const { shards } = context
  routes.public(
    {
      method: 'GET',
      path: '/api/v1/markets/:marketId/candles/:outcomeId',
      tag: 'Market data',
      name: 'getCandles',
      summary: 'Get the candles of an outcome',
      description:
        'At most 1000 candles in ascending order; without from, the latest. ' +
        'An interval without trades has no candle.',
      query: CandlesQuery,
      answer: Type.Array(named(Candle)),
      errors: ['MARKET_NOT_FOUND', 'OUTCOME_NOT_FOUND'],
    },
    async ({ params, query, readsIn }) => {
      const shard = shards.ofId(params.marketId)
      const reads = readsIn(shard)
      const outcome = await publicOutcome(shard, reads, params)
      if (outcome instanceof Refusal) return outcome
      const candles = await reads.candles({
        outcomeSerial: outcome,
        interval: query.interval ?? candleIntervalDefault,
        from: timeOf(query.from),
        to: timeOf(query.to),
        limit: candlesMax,
      })
      return new Done(candles.map(presentCandle))
    },
  )
  addTape(routes, context)
}

function addTape(routes: Routes, { shards }: Context): void {
  routes.public(
    {
      method: 'GET',
      path: '/api/v1/markets/:marketId/trades/:outcomeId',
      tag: 'Market data',
      name: 'listPublicTrades',
      summary: 'List the trades of an outcome, newest first',
      query: TapeQuery,
      answer: page('trades', named(PublicTrade)),
      csv: { field: 'trades', row: PublicTrade },
      errors: ['MARKET_NOT_FOUND', 'OUTCOME_NOT_FOUND'],
    },
    async ({ params, query, readsIn }) => {
      const shard = shards.ofId(params.marketId)
      const { ids } = shard
      const reads = readsIn(shard)
      const after = afterOf(ids, 'tape', query.cursor)
      if (after instanceof Refusal) return after
      const outcome = await publicOutcome(shard, reads, params)
      if (outcome instanceof Refusal) return outcome
      const found = await reads.tape({
        outcomeSerial: outcome,
        after,
        limit: query.limit ?? tapePageSize,
      })
      const last = found.rows.at(-1)
      // The time 0 makes it an id of no record: the real id of a trade is not public.
      const cursorAfter = (serial: Serial) => cursorOf('tape', ids.textOf(serial, 0))
      return new Done({
        trades: found.rows.map(presentPublicTrade),
        total: found.total,
        totalIsExact: found.totalIsExact,
        hasMore: found.hasMore,
        nextCursor: found.hasMore && last !== undefined ? cursorAfter(last.serial) : null,
      })
    },
  )
}
