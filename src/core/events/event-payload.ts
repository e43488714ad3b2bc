// The payload of each type of event, field for field as on the wire: quantities are JSON numbers,
// `timestamp` is in Unix milliseconds. A price is null where there is none.

import type {
  CancelReason,
  ControlScope,
  GroupCause,
  LimitName,
  MarketStatus,
  OrderStatus,
  OrderType,
  SettlementStatus,
  Side,
  TradeRole,
  TradingMode,
} from '../words.ts'
import type { WirePrices } from './wire-prices.ts'

type AboutMarket = {
  readonly marketId: string
  readonly operatorId: string
  readonly timestamp: number
}
type AboutOutcome = AboutMarket & { readonly outcomeId: string }
/** A field is also null if an earlier version, which did not store it, has written the record. */
type AboutOrder = AboutOutcome & {
  readonly orderId: string
  readonly side: Side
  readonly playerId: string | null
  readonly transactionId: string | null
}

export type OrderPlaced = AboutOrder & {
  readonly type: OrderType
  readonly shares: number
  readonly price: number | null
  readonly status: OrderStatus
  readonly filledShares: number
}

/** As of that trade. */
export type OrderMatched = AboutOrder & {
  readonly tradeId: string
  /** null only in the records of an earlier version. */
  readonly role: TradeRole | null
  readonly price: number
  readonly shares: number
  /** What the order's operator owes for this trade; null only in records of an earlier version. */
  readonly fee: number | null
  readonly filledShares: number
  readonly remainingShares: number
  readonly status: OrderStatus
}

export type OrderCancelled = AboutOrder & {
  readonly playerId: string
  readonly price: number | null
  readonly shares: number
  readonly filledShares: number
  readonly cancelledShares: number
  readonly status: OrderStatus
  readonly reason: CancelReason
}

export type PositionUpdated = AboutOutcome & {
  readonly positionId: string
  readonly playerId: string
  readonly shares: number
  readonly avgPrice: number
  readonly totalCost: number
  readonly realizedPnl: number
}

export type SettlementCompleted = AboutOutcome & {
  readonly settlementId: string
  readonly positionId: string
  readonly playerId: string
  readonly shares: number
  readonly payoutPerShare: number
  readonly totalPayout: number
  readonly status: SettlementStatus
}

export type MarketCreated = AboutMarket & {
  readonly title: string
  readonly status: MarketStatus
  readonly currency: string
  readonly categoryId: string | null
  readonly outcomes: readonly { readonly id: string; readonly name: string; index: number }[]
}

export type MarketStatusChanged = AboutMarket & {
  readonly previousStatus: MarketStatus
  readonly status: MarketStatus
  readonly reason: string | null
}

export type MarketUpdated = {
  readonly marketId: string
  /** ISO 8601, as the market has it. */
  readonly tradingEndsAt: string | null
  /** Of a change of the trading window; null otherwise. */
  readonly reason: string | null
  /** As the market has it. */
  readonly priceBand: WirePriceBand | null
  readonly timestamp: number
}

export type WirePriceBand = { readonly maxMove: number; readonly suspendOnBand: boolean }

export type MarketResolved = AboutMarket & {
  readonly winningOutcomeId: string | null
  readonly resolutionSource: string
  readonly resolutionNotes: string | null
  /** Of every outcome; null where a winner gets everything. */
  readonly payouts: readonly OutcomePayout[] | null
}

export type OutcomePayout = { readonly outcomeId: string; readonly payoutPerShare: number }

/** Only the levels that changed; shares and orderCount are 0 where one is gone. */
export type ChangedLevel = {
  readonly price: number
  readonly shares: number
  readonly orderCount: number
}

export type OrderBookUpdate = Pick<WirePrices, 'bestBid' | 'bestAsk' | 'spread'> & {
  readonly marketId: string
  readonly outcomeId: string
  readonly version: number
  readonly bids: readonly ChangedLevel[]
  readonly asks: readonly ChangedLevel[]
  readonly timestamp: number
}

export type PriceUpdated = WirePrices & {
  readonly marketId: string
  readonly outcomeId: string
  readonly timestamp: number
}

export type DeadManTriggered = {
  /** null for the whole operator. */
  readonly playerId: string | null
  /** ISO 8601. */
  readonly deadline: string
  readonly timeoutMs: number
  readonly timestamp: number
}

/** null for no limit; one that is left out is the operator's default. */
export type WireLimits = { readonly [Name in LimitName]?: number | null }

export type OrderGroupTriggered = {
  readonly groupId: string
  readonly playerId: string
  /** What was filled within the window, the trade that exceeds the limit included. */
  readonly matchedShares: number
  readonly limitShares: number
  readonly cause: GroupCause
  readonly timestamp: number
}

export type ControlsChangedPayload = {
  readonly scope: ControlScope
  /** Of the scope PLAYER. */
  readonly playerId: string | null
  readonly mode: TradingMode
  /** null where it is not the operator's own. */
  readonly reason: string | null
  /** ISO 8601. */
  readonly until: string | null
  /** Of the player, or the defaults of the operator for its players. */
  readonly limits: WireLimits | null
  readonly timestamp: number
}

export type Payload =
  | OrderPlaced
  | OrderMatched
  | OrderCancelled
  | PositionUpdated
  | SettlementCompleted
  | MarketCreated
  | MarketStatusChanged
  | MarketUpdated
  | MarketResolved
  | OrderBookUpdate
  | PriceUpdated
  | DeadManTriggered
  | OrderGroupTriggered
  | ControlsChangedPayload
