// Trades of an operator by day.

import { type Static, Type } from 'typebox'
import { decimal, Id, named, record } from './fields.ts'

export const statisticsDaysMax = 366
export const statisticsDaysDefault = 30

const AnyDate = Type.String({ format: 'date', examples: ['2026-01-31'] })

export const DailyStatisticsQuery = Type.Object({
  from: Type.Optional(
    Type.String({
      ...AnyDate,
      description: `The first day; ${statisticsDaysDefault} days up to \`to\` if it is left out.`,
    }),
  ),
  to: Type.Optional(
    Type.String({ ...AnyDate, description: 'The last day; today if it is left out.' }),
  ),
  marketId: Type.Optional(Id),
  categoryId: Type.Optional(
    Type.String({ ...Id, description: 'Of the category that a market has now.' }),
  ),
})
export type DailyStatisticsQuery = Static<typeof DailyStatisticsQuery>

export const DayStatistics = record('DayStatistics', {
  date: Type.String({ ...AnyDate, description: 'A day of UTC.' }),
  volume: decimal('250', 'Shares traded, each trade counted once.'),
  fees: decimal('1.25', 'Fees of your own sides of the trades.'),
  trades: Type.Integer(),
  activePlayers: Type.Integer({ description: 'Your players with a trade, each counted once.' }),
})
export type DayStatistics = Static<typeof DayStatistics>

export const DailyStatistics = record('DailyStatistics', {
  days: Type.Array(named(DayStatistics)),
})
export type DailyStatistics = Static<typeof DailyStatistics>
