// What everybody may see of a market: its books and its prices, in plain numbers.

import { type Static, Type } from 'typebox'
import { Id, named, nullable, record } from './fields.ts'

export const depthDefault = 10
const depthMax = 1_000

export const Level = record('Level', {
  price: Type.Number(),
  shares: Type.Number(),
  orderCount: Type.Integer(),
  implied: Type.Optional(
    Type.Boolean({ description: 'What complete sets would offer: no order rests there.' }),
  ),
})

const Levels = Type.Array(named(Level))
const PriceOrNull = nullable(Type.Number())

export const OrderBook = record('OrderBook', {
  marketId: Id,
  outcomeId: Id,
  bids: Levels,
  asks: Levels,
  bestBid: PriceOrNull,
  bestAsk: PriceOrNull,
  spread: PriceOrNull,
  version: Type.Integer({ description: 'One more with each change of this book.' }),
  timestamp: Type.Integer({ description: 'Unix milliseconds.' }),
})
export type OrderBook = Static<typeof OrderBook>

export const OutcomePrice = record('OutcomePrice', {
  marketId: Id,
  outcomeId: Id,
  outcomeName: Type.String(),
  bestBid: PriceOrNull,
  bestAsk: PriceOrNull,
  lastPrice: PriceOrNull,
  midPrice: PriceOrNull,
  spread: PriceOrNull,
  volume24h: Type.Number({ description: 'Shares traded in the last 24 hours.' }),
})
export type OutcomePrice = Static<typeof OutcomePrice>

export const DepthQuery = Type.Object({
  depth: Type.Optional(Type.Integer({ minimum: 1, maximum: depthMax, default: depthDefault })),
  implied: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Adds the levels at which an order would match by complete sets, each marked `implied`. ' +
        'The best prices stay those of orders.',
    }),
  ),
})

export const Statistics = record('Statistics', {
  openMarkets: Type.Integer(),
  pendingResolution: Type.Integer(),
  resolved: Type.Integer(),
})
export type Statistics = Static<typeof Statistics>
