// What each type of event carries in its payload, for documents and for those who check what they
// get. The compiler holds these against what the core tells.

import { type Static, type TSchema, Type } from 'typebox'
import type * as told from '../../core/events/event-payload.ts'
import {
  cancelReasons,
  type EventType,
  marketStatuses,
  orderStatuses,
  settlementStatuses,
  sides,
} from '../../core/words.ts'
import { Id, nullable, words } from './fields.ts'

const Timestamp = Type.Integer({ description: 'Unix milliseconds.' })
const OperatorId = Type.String({ ...Id, description: 'Whose it is.' })
const Price = Type.Number({ description: 'In steps of 0.0001.' })
const LimitPrice = nullable(Type.Number({ description: 'null for a MARKET order.' }))
const Shares = Type.Number({ description: 'In steps of 0.01.' })
const PriceOrNull = nullable(Type.Number({ description: 'null where there is none.' }))
const MidPrice = nullable(Type.Number({ description: 'Between the two bests; null without both.' }))
const Spread = nullable(Type.Number({ description: 'Best ask less best bid; null without both.' }))
const PlayerId = Type.String({ description: "The operator's own name for the player." })
const TextOrNull = nullable(Type.String())
const IdOrNull = nullable(Type.String({ format: 'uuid' }))

const market = { marketId: Id, operatorId: OperatorId }
const outcome = { marketId: Id, outcomeId: Id, operatorId: OperatorId }

const MarketCreated = Type.Object({
  ...market,
  title: Type.String(),
  status: words(marketStatuses),
  currency: Type.String(),
  categoryId: IdOrNull,
  outcomes: Type.Array(Type.Object({ id: Id, name: Type.String(), index: Type.Integer() })),
  timestamp: Timestamp,
})

const MarketStatusChanged = Type.Object({
  ...market,
  previousStatus: words(marketStatuses),
  status: words(marketStatuses),
  reason: TextOrNull,
  timestamp: Timestamp,
})

const MarketResolved = Type.Object({
  ...market,
  winningOutcomeId: IdOrNull,
  resolutionSource: Type.String(),
  resolutionNotes: TextOrNull,
  payouts: Type.Unsafe<readonly told.OutcomePayout[] | null>({
    ...Type.Array(Type.Object({ outcomeId: Id, payoutPerShare: Type.Number() })),
    type: ['array', 'null'],
    description: 'Of every outcome; null where a winner gets everything.',
  }),
  timestamp: Timestamp,
})

const ChangedLevels = Type.Array(
  Type.Object({ price: Price, shares: Shares, orderCount: Type.Integer() }),
  { description: 'Those that changed, as they are now; shares 0 where one is gone.' },
)

const OrderBookUpdate = Type.Object({
  marketId: Id,
  outcomeId: Id,
  version: Type.Integer({ description: 'One more with each change of this book.' }),
  bids: ChangedLevels,
  asks: ChangedLevels,
  bestBid: PriceOrNull,
  bestAsk: PriceOrNull,
  spread: Spread,
  timestamp: Timestamp,
})

const PriceUpdated = Type.Object({
  marketId: Id,
  outcomeId: Id,
  bestBid: PriceOrNull,
  bestAsk: PriceOrNull,
  lastPrice: PriceOrNull,
  midPrice: MidPrice,
  spread: Spread,
  timestamp: Timestamp,
})

const OrderPlaced = Type.Object({
  orderId: Id,
  ...outcome,
  side: words(sides),
  type: words(['LIMIT', 'MARKET']),
  shares: Shares,
  price: LimitPrice,
  status: words(orderStatuses),
  filledShares: Type.Number({ description: 'When it had been matched.' }),
  timestamp: Timestamp,
})

const OrderMatched = Type.Object({
  orderId: Id,
  tradeId: Id,
  ...outcome,
  side: words(sides),
  price: Price,
  shares: Type.Number({ description: 'Of this trade.' }),
  filledShares: Type.Number({ description: 'As of this trade.' }),
  remainingShares: Type.Number({ description: 'As of this trade.' }),
  status: words(orderStatuses),
  timestamp: Timestamp,
})

const OrderCancelled = Type.Object({
  orderId: Id,
  ...outcome,
  playerId: PlayerId,
  side: words(sides),
  price: LimitPrice,
  shares: Shares,
  filledShares: Shares,
  cancelledShares: Shares,
  status: words(orderStatuses),
  reason: words(cancelReasons),
  timestamp: Timestamp,
})

const PositionUpdated = Type.Object({
  positionId: Id,
  ...outcome,
  playerId: PlayerId,
  shares: Shares,
  avgPrice: Type.Number({ description: 'Up to 8 decimals.' }),
  totalCost: Type.Number(),
  realizedPnl: Type.Number(),
  timestamp: Timestamp,
})

const SettlementCompleted = Type.Object({
  settlementId: Id,
  positionId: Id,
  ...outcome,
  playerId: PlayerId,
  shares: Shares,
  payoutPerShare: Type.Number(),
  totalPayout: Type.Number(),
  status: words(settlementStatuses),
  timestamp: Timestamp,
})

/** In the order in which documents show them. */
export const payloads = {
  MARKET_CREATED: MarketCreated,
  MARKET_STATUS_CHANGED: MarketStatusChanged,
  MARKET_RESOLVED: MarketResolved,
  ORDER_PLACED: OrderPlaced,
  ORDER_AMENDED: OrderPlaced,
  ORDER_MATCHED: OrderMatched,
  ORDER_CANCELLED: OrderCancelled,
  POSITION_UPDATED: PositionUpdated,
  ORDER_BOOK_UPDATE: OrderBookUpdate,
  PRICE_UPDATED: PriceUpdated,
  SETTLEMENT_COMPLETED: SettlementCompleted,
} satisfies Readonly<Record<EventType, TSchema>>

/** The core tells nothing that is not described here, and nothing is described that it does not. */
type Told = {
  MARKET_CREATED: told.MarketCreated
  MARKET_STATUS_CHANGED: told.MarketStatusChanged
  MARKET_RESOLVED: told.MarketResolved
  ORDER_PLACED: told.OrderPlaced
  ORDER_AMENDED: told.OrderPlaced
  ORDER_MATCHED: told.OrderMatched
  ORDER_CANCELLED: told.OrderCancelled
  POSITION_UPDATED: told.PositionUpdated
  ORDER_BOOK_UPDATE: told.OrderBookUpdate
  PRICE_UPDATED: told.PriceUpdated
  SETTLEMENT_COMPLETED: told.SettlementCompleted
}
type Same<Type extends EventType> = keyof Told[Type] extends keyof Static<(typeof payloads)[Type]>
  ? keyof Static<(typeof payloads)[Type]> extends keyof Told[Type]
    ? true
    : never
  : never
export const isComplete: { readonly [Type in EventType]: Same<Type> } = {
  MARKET_CREATED: true,
  MARKET_STATUS_CHANGED: true,
  MARKET_RESOLVED: true,
  ORDER_PLACED: true,
  ORDER_AMENDED: true,
  ORDER_MATCHED: true,
  ORDER_CANCELLED: true,
  POSITION_UPDATED: true,
  ORDER_BOOK_UPDATE: true,
  PRICE_UPDATED: true,
  SETTLEMENT_COMPLETED: true,
}
