// The types of the client, under the names that the console uses. Decimals of records are strings;
// market data has numbers.

import type * as client from '../../client/src/outcry.ts'

export type {
  AuditEntry,
  AuditEntryOfAll,
  Candle,
  Category,
  Cluster,
  ClusterNode,
  ClusterShard,
  DayStatistics,
  DeadMan,
  Event as StoredEvent,
  Exposure,
  Key,
  Level,
  ListedPlayer,
  Market,
  MarketSummary,
  Me,
  Operator,
  Order,
  OrderGroup,
  Outcome,
  Placement,
  Preview,
  PublicTrade as TapeTrade,
  Reconciliation,
  Settlement,
  SettlementPreview,
  SettlementSummary,
  Trade,
  Valuation,
  ValuedPosition as Position,
  Webhook,
  WebhookAttempt as Attempt,
} from '../../client/src/outcry.ts'

export type AuditedAction = client.AuditEntry['action']
export type MarketStatus = client.Market['status']
export type FeeSchedule = NonNullable<client.Market['feeSchedule']>
export type FeeScheduleRequest = NonNullable<client.EditMarket['feeSchedule']>
export type PriceBand = NonNullable<client.Market['priceBand']>
export type PriceBandRequest = NonNullable<client.EditMarket['priceBand']>
export type Side = client.Order['side']
export type OrderType = client.Order['type']
export type TradingMode = client.ExchangeControls['mode']
/** A brake on trading, without whose it is. */
export type Brake = client.ExchangeControls
export type BrakeChange = client.ExchangeControlsChange
export type BrakeRequest = client.PutControls
export type OperatorControls = client.OperatorControls
export type PlayerControls = client.PlayerControls
/** Without those that are left out. */
export type Limits = NonNullable<client.OperatorControls['playerDefaults']>
export type LimitsRequest = NonNullable<client.PutPlayerControls['limits']>

export type Paged = {
  readonly total: number
  /** If it is false, there are more than `total`. */
  readonly totalIsExact: boolean
  readonly hasMore: boolean
  readonly nextCursor: string | null
}
export type MarketPage = Paged & { readonly markets: readonly client.Market[] }
export type OrderPage = Paged & { readonly orders: readonly client.Order[] }
export type TradePage = Paged & { readonly trades: readonly client.Trade[] }
export type SettlementPage = Paged & { readonly settlements: readonly client.Settlement[] }
export type PositionPage = Paged & { readonly positions: readonly client.ValuedPosition[] }

/** The prices of an outcome, as the stream sends them. */
export type Prices = Omit<client.PriceMessage, 'type'>
