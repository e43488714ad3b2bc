// The payload of each event type, for the documents and for clients that validate events. A payload
// of the core that differs from its schema does not compile.

import { type Static, type TSchema, Type } from 'typebox'
import type * as core from '../../core/events/event-payload.ts'
import {
  cancelReasons,
  controlScopes,
  type EventType,
  type GroupCause,
  groupCauses,
  marketStatuses,
  orderStatuses,
  settlementStatuses,
  sides,
  type TradeRole,
  tradeRoles,
  tradingModes,
} from '../../core/words.ts'
import { Id, nullable, Time, words } from './fields.ts'
import { LimitsInEvents } from './player-limits.ts'
import { PublishedPriceBand } from './price-band.ts'

const Timestamp = Type.Integer({ description: 'Unix milliseconds.' })
const OperatorId = Type.String({
  ...Id,
  description: 'The operator that the market, order, position or settlement belongs to.',
})
const Price = Type.Number({ description: 'A multiple of 0.0001.' })
const LimitPrice = nullable(Type.Number({ description: 'null for a MARKET order.' }))
const Shares = Type.Number({ description: 'A multiple of 0.01.' })
const PriceOrNull = nullable(Type.Number({ description: 'null if there is none.' }))
const MidPrice = nullable(
  Type.Number({
    description: 'The midpoint of the best bid and the best ask; null unless both exist.',
  }),
)
const Spread = nullable(
  Type.Number({ description: 'The best ask minus the best bid; null unless both exist.' }),
)
const PlayerId = Type.String({ description: "The operator's own identifier of the player." })
const earlier = 'null only in an event that an earlier version of the service has recorded.'
const PlayerIdOrNull = nullable(
  Type.String({ description: `The operator's own identifier of the player; ${earlier}` }),
)
const TransactionId = nullable(
  Type.String({
    description:
      'The transactionId of the request that placed the order; null if it had none, and in an ' +
      'event that an earlier version of the service has recorded.',
  }),
)
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
  payouts: Type.Unsafe<readonly core.OutcomePayout[] | null>({
    ...Type.Array(Type.Object({ outcomeId: Id, payoutPerShare: Type.Number() })),
    type: ['array', 'null'],
    description: 'The payout of every outcome; null if the market has a winning outcome.',
  }),
  timestamp: Timestamp,
})

const MarketUpdated = Type.Object({
  marketId: Id,
  tradingEndsAt: nullable({ ...Time, description: 'The present end of trading, ISO 8601.' }),
  reason: nullable(
    Type.String({ description: 'Of a change of the trading window; null otherwise.' }),
  ),
  priceBand: PublishedPriceBand,
  timestamp: Timestamp,
})

const ChangedLevels = Type.Array(
  Type.Object({ price: Price, shares: Shares, orderCount: Type.Integer() }),
  {
    description:
      'The levels that changed, with their new values; shares is 0 if a level was removed.',
  },
)

const OrderBookUpdate = Type.Object({
  marketId: Id,
  outcomeId: Id,
  version: Type.Integer({ description: 'Increases by 1 with each change of this book.' }),
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
  playerId: PlayerIdOrNull,
  transactionId: TransactionId,
  type: words(['LIMIT', 'MARKET']),
  shares: Shares,
  price: LimitPrice,
  status: words(orderStatuses),
  filledShares: Type.Number({ description: 'The filled shares after matching.' }),
  timestamp: Timestamp,
})

const OrderMatched = Type.Object({
  orderId: Id,
  tradeId: Id,
  ...outcome,
  side: words(sides),
  playerId: PlayerIdOrNull,
  transactionId: TransactionId,
  role: Type.Unsafe<TradeRole | null>({
    ...words(tradeRoles),
    type: ['string', 'null'],
    enum: [...tradeRoles, null],
    description:
      'TAKER: the order was the incoming order of this trade. MAKER: it was resting in its book; ' +
      earlier,
  }),
  price: Price,
  shares: Type.Number({ description: 'The shares of this trade.' }),
  fee: nullable(
    Type.Number({
      description:
        'The fee of this order for this trade, as in the record of the trade. It has up to 10 ' +
        `decimals, all of them exact below 500,000; ${earlier}`,
    }),
  ),
  filledShares: Type.Number({ description: 'The filled shares of the order after this trade.' }),
  remainingShares: Type.Number({
    description: 'The remaining shares of the order after this trade.',
  }),
  status: words(orderStatuses),
  timestamp: Timestamp,
})

const OrderCancelled = Type.Object({
  orderId: Id,
  ...outcome,
  side: words(sides),
  playerId: PlayerId,
  transactionId: TransactionId,
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

const DeadManTriggered = Type.Object({
  playerId: nullable(Type.String({ description: 'null for the switch of the whole operator.' })),
  deadline: Type.String({ ...Time, description: 'When it was to be renewed at last, ISO 8601.' }),
  timeoutMs: Type.Integer(),
  timestamp: Timestamp,
})

const OrderGroupTriggered = Type.Object({
  groupId: Id,
  playerId: PlayerId,
  matchedShares: Type.Number({
    description: 'What was filled within the window, the trade that triggers it included.',
  }),
  limitShares: Type.Number(),
  cause: Type.Unsafe<GroupCause>({
    ...words(groupCauses),
    description: 'LIMIT: by a trade. REQUESTED: by the operator.',
  }),
  timestamp: Timestamp,
})

const ControlsChanged = Type.Object({
  scope: words(controlScopes),
  playerId: nullable(Type.String({ description: 'null if the scope is not PLAYER.' })),
  mode: words(tradingModes),
  reason: nullable(
    Type.String({ description: "null while OPEN, and where the reason is the administrator's." }),
  ),
  until: nullable(
    Type.String({ ...Time, description: 'When it is OPEN again by itself, ISO 8601.' }),
  ),
  limits: {
    ...LimitsInEvents,
    description:
      'Of the player, or the defaults of the operator for its players, as they were sent: null ' +
      'for no limit; one that is left out is the default. null where there are none.',
  },
  timestamp: Timestamp,
})

/** In the order in which documents show them. */
export const payloads = {
  MARKET_CREATED: MarketCreated,
  MARKET_STATUS_CHANGED: MarketStatusChanged,
  MARKET_UPDATED: MarketUpdated,
  MARKET_RESOLVED: MarketResolved,
  ORDER_PLACED: OrderPlaced,
  ORDER_AMENDED: OrderPlaced,
  ORDER_MATCHED: OrderMatched,
  ORDER_CANCELLED: OrderCancelled,
  POSITION_UPDATED: PositionUpdated,
  ORDER_BOOK_UPDATE: OrderBookUpdate,
  PRICE_UPDATED: PriceUpdated,
  SETTLEMENT_COMPLETED: SettlementCompleted,
  DEAD_MAN_TRIGGERED: DeadManTriggered,
  CONTROLS_CHANGED: ControlsChanged,
  ORDER_GROUP_TRIGGERED: OrderGroupTriggered,
} satisfies Readonly<Record<EventType, TSchema>>

/** Every field that the core publishes is described, and no other field. */
type Published = {
  MARKET_CREATED: core.MarketCreated
  MARKET_STATUS_CHANGED: core.MarketStatusChanged
  MARKET_UPDATED: core.MarketUpdated
  MARKET_RESOLVED: core.MarketResolved
  ORDER_PLACED: core.OrderPlaced
  ORDER_AMENDED: core.OrderPlaced
  ORDER_MATCHED: core.OrderMatched
  ORDER_CANCELLED: core.OrderCancelled
  POSITION_UPDATED: core.PositionUpdated
  ORDER_BOOK_UPDATE: core.OrderBookUpdate
  PRICE_UPDATED: core.PriceUpdated
  SETTLEMENT_COMPLETED: core.SettlementCompleted
  DEAD_MAN_TRIGGERED: core.DeadManTriggered
  CONTROLS_CHANGED: core.ControlsChangedPayload
  ORDER_GROUP_TRIGGERED: core.OrderGroupTriggered
}
type Same<Type extends EventType> = keyof Published[Type] extends keyof Static<
  (typeof payloads)[Type]
>
  ? keyof Static<(typeof payloads)[Type]> extends keyof Published[Type]
    ? true
    : never
  : never
export const isComplete: { readonly [Type in EventType]: Same<Type> } = {
  MARKET_CREATED: true,
  MARKET_STATUS_CHANGED: true,
  MARKET_UPDATED: true,
  MARKET_RESOLVED: true,
  ORDER_PLACED: true,
  ORDER_AMENDED: true,
  ORDER_MATCHED: true,
  ORDER_CANCELLED: true,
  POSITION_UPDATED: true,
  ORDER_BOOK_UPDATE: true,
  PRICE_UPDATED: true,
  SETTLEMENT_COMPLETED: true,
  DEAD_MAN_TRIGGERED: true,
  CONTROLS_CHANGED: true,
  ORDER_GROUP_TRIGGERED: true,
}
