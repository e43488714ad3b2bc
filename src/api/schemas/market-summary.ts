// The summaries of markets for a list, in plain numbers as other market data.

import { type Static, Type } from 'typebox'
import { Id, named, nullable, record } from './fields.ts'

export const summariesMax = 25
const idLength = 36

const SummaryPoint = Type.Object({
  time: Type.Integer({ description: 'The start of the hour in Unix milliseconds.' }),
  price: Type.Number({ description: 'The last price of the hour.' }),
})

const Favourite = Type.Object(
  {
    outcomeId: Id,
    outcomeName: Type.String(),
    lastPrice: Type.Number(),
    change24h: Type.Number({
      description:
        'lastPrice less the last price 24 hours ago, or less the first price if that was later.',
    }),
    points: Type.Array(SummaryPoint, {
      description: 'In ascending order; an hour without trades has no point.',
    }),
  },
  { description: 'The outcome with the highest last price; null before the first trade.' },
)

export const MarketSummary = record('MarketSummary', {
  marketId: Id,
  volume24h: Type.Number({ description: 'Shares traded in the last 24 hours, in all outcomes.' }),
  favourite: nullable(Favourite),
})
export type MarketSummary = Static<typeof MarketSummary>

export const MarketSummaries = Type.Object({ summaries: Type.Array(named(MarketSummary)) })

export const SummariesQuery = Type.Object({
  marketIds: Type.String({
    minLength: idLength,
    maxLength: summariesMax * (idLength + 2),
    description: `Up to ${summariesMax} ids, separated by commas.`,
  }),
})
