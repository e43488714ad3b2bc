// What anybody may read of a market with a public page, and nothing else of it.

import { type Static, Type } from 'typebox'
import { marketStatuses } from '../../core/words.ts'
import { decimal, Id, nullable, record, Time, words } from './fields.ts'

const PriceOrNull = nullable(Type.Number())

export const PublicMarket = record('PublicMarket', {
  id: Id,
  title: Type.String(),
  description: nullable(Type.String()),
  status: words(marketStatuses),
  tradingStartsAt: nullable(Time),
  tradingEndsAt: nullable(Time),
  resolvedAt: nullable(Time),
  totalVolume: decimal('250', 'Shares traded, each trade counted once.'),
  outcomes: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      description: nullable(Type.String()),
      bestBid: PriceOrNull,
      bestAsk: PriceOrNull,
      lastPrice: PriceOrNull,
      payoutPerShare: nullable(Type.Number({ description: 'null until the market is resolved.' })),
    }),
  ),
})
export type PublicMarket = Static<typeof PublicMarket>
