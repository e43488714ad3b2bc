// Public market data: books, prices, candles and trades, in plain numbers.

import { type Static, Type } from 'typebox'
import { type Side, sides } from '../../core/words.ts'
import { type CandleInterval, candleIntervals } from '../../store/store.ts'
import { Cursor, Id, limitOf, named, nullable, record, words } from './fields.ts'

export const depthDefault = 10
export const depthMax = 1_000
export const candlesMax = 1_000
export const candleIntervalDefault = '1m'
export const tapePageSize = 50

export const Level = record('Level', {
  price: Type.Number(),
  shares: Type.Number(),
  orderCount: Type.Integer(),
  implied: Type.Optional(
    Type.Boolean({
      description: 'true if complete sets would match here and no order rests at this price.',
    }),
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
  version: Type.Integer({ description: 'Increases by 1 with each change of this book.' }),
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
        'bestBid, bestAsk and spread count resting orders only.',
    }),
  ),
})

export const Candle = record('Candle', {
  time: Type.Integer({ description: 'The start of the candle in Unix milliseconds.' }),
  open: Type.Number(),
  high: Type.Number(),
  low: Type.Number(),
  close: Type.Number(),
  volume: Type.Number({ description: 'Shares traded.' }),
  trades: Type.Integer(),
})
export type Candle = Static<typeof Candle>

export const CandlesQuery = Type.Object({
  interval: Type.Optional(
    Type.Unsafe<CandleInterval>({
      ...words(candleIntervals),
      default: candleIntervalDefault,
      description: 'The length of a candle. Days are UTC days.',
    }),
  ),
  from: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Returns the first 1000 candles that start at this time or later.',
    }),
  ),
  to: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Returns candles that start before this time.',
    }),
  ),
})

export const PublicTrade = record('PublicTrade', {
  price: Type.Number(),
  shares: Type.Number(),
  takerSide: Type.Unsafe<Side>({
    ...words(sides),
    description:
      'The side of the incoming order; BUY if sets were minted, SELL if they were merged.',
  }),
  timestamp: Type.Integer({ description: 'Unix milliseconds.' }),
})
export type PublicTrade = Static<typeof PublicTrade>

export const TapeQuery = Type.Object({ cursor: Cursor, limit: limitOf(tapePageSize) })

export const Statistics = record('Statistics', {
  openMarkets: Type.Integer(),
  pendingResolution: Type.Integer(),
  resolved: Type.Integer(),
})
export type Statistics = Static<typeof Statistics>
