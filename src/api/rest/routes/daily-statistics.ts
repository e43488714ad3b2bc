// The trades of the operator by day.

import type { Serial } from '../../../core/ids.ts'
import { type DailyTotalsQuery, dayMs } from '../../../store/store.ts'
import { invalidField, Refusal } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { KeptDays } from '../../kept-days.ts'
import { dayOf } from '../../parse/time.ts'
import { dateText, presentDay } from '../../present/statistics.ts'
import { named } from '../../schemas/fields.ts'
import {
  DailyStatistics,
  DailyStatisticsQuery,
  DayStatistics,
  statisticsDaysDefault,
  statisticsDaysMax,
} from '../../schemas/statistics.ts'
import type { Context } from '../context.ts'
import { visibleMarket } from '../visible-market.ts'
import type { Routes } from './routes.ts'

type Days = Pick<DailyTotalsQuery, 'firstDay' | 'lastDay'>

export function addDailyStatistics(routes: Routes, { now }: Context): void {
  const keptDays = new KeptDays()
  routes.operator(
    {
      method: 'GET',
      path: '/api/v1/stats/daily',
      scope: 'read',
      tag: 'Statistics',
      name: 'getDailyStatistics',
      summary: 'Add up your trades by day',
      description:
        'Every day from `from` to `to`, those without trades included. The trades are those of ' +
        'GET /trades, each on the UTC day of its time. marketId and categoryId exclude each other.',
      query: DailyStatisticsQuery,
      answer: named(DailyStatistics),
      csv: { field: 'days', row: DayStatistics },
      errors: ['MARKET_NOT_FOUND'],
    },
    async ({ operator, shard, query, reads }) => {
      const days = daysOf(query, Math.floor(now() / dayMs))
      if (days instanceof Refusal) return days
      const { marketId, categoryId } = query
      if (marketId !== undefined && categoryId !== undefined) {
        return invalidField('categoryId', 'must not be sent together with marketId')
      }
      let marketSerial: Serial | null = null
      if (marketId !== undefined) {
        const market = await visibleMarket({ operator, shard, reads }, marketId)
        if (market instanceof Refusal) return market
        marketSerial = market.serial
      }
      const totals = await keptDays.totals(reads, {
        operatorNumber: operator.number,
        marketSerial,
        categoryId: categoryId?.toLowerCase() ?? null,
        ...days,
      })
      if ('unreadFrom' in totals) return tooManyTrades(totals.unreadFrom)
      const byDay = new Map(totals.map((each) => [each.day, each]))
      return new Done({ days: daysIn(days).map((day) => presentDay(byDay.get(day) ?? none(day))) })
    },
  )
}

function daysOf({ from, to }: DailyStatisticsQuery, today: number): Days | Refusal {
  const lastDay = to === undefined ? today : dayOf(to)!
  const firstDay =
    from === undefined ? Math.max(0, lastDay - statisticsDaysDefault + 1) : dayOf(from)!
  if (firstDay > lastDay) {
    return invalidField('from', `must not be after ${dateText(lastDay)}, got ${from}`)
  }
  const count = lastDay - firstDay + 1
  if (count <= statisticsDaysMax) return { firstDay, lastDay }
  const last = `${dateText(firstDay + statisticsDaysMax - 1)}`
  return invalidField('to', `must be at most ${last}, ${statisticsDaysMax} days, got ${count} days`)
}

function daysIn({ firstDay, lastDay }: Days): number[] {
  return Array.from({ length: lastDay - firstDay + 1 }, (_, index) => firstDay + index)
}

function none(day: number) {
  return { day, trades: 0, shares: 0n, fees: 0n, players: 0 }
}

function tooManyTrades(unreadFrom: number): Refusal {
  return invalidField(
    'to',
    `must be before ${dateText(unreadFrom)}: the days before it already have as many trades as ` +
      'one request adds up; another request can ask for the rest',
  )
}
