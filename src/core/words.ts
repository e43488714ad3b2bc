// The words of the exchange that are chosen from a list, spelt as on the wire. Stored rows and
// event bodies name a word by its place in its list, so a new word goes to the end.

export const sides = ['BUY', 'SELL'] as const
export type Side = (typeof sides)[number]
export type OrderType = 'LIMIT' | 'MARKET'

export const orderStatuses = [
  'PENDING',
  'PARTIAL',
  'FILLED',
  'CANCELLED',
  'EXPIRED',
  'REJECTED',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

export const timesInForce = ['GTC', 'IOC', 'FOK'] as const
export type TimeInForce = (typeof timesInForce)[number]

export const selfTradePreventions = ['NONE', 'CANCEL_NEWEST', 'CANCEL_OLDEST'] as const
export type SelfTradePrevention = (typeof selfTradePreventions)[number]

export const tradeKinds = ['DIRECT', 'MINT', 'MERGE'] as const
export type TradeKind = (typeof tradeKinds)[number]
/** The places of the kinds, for stored rows. */
export const DIRECT = 0
export const MINT = 1
export const MERGE = 2

export const tradeRoles = ['MAKER', 'TAKER'] as const
/** Of an order in a trade: the incoming order is the taker, a resting one the maker. */
export type TradeRole = (typeof tradeRoles)[number]
/** Of a side of a trade; the issuer has no order. */
export const partyRoles = [...tradeRoles, 'ISSUER'] as const
export type PartyRole = (typeof partyRoles)[number]

export const marketStatuses = [
  'DRAFT',
  'UPCOMING',
  'OPEN',
  'SUSPENDED',
  'CLOSED',
  'RESOLVED',
  'SETTLED',
  'CANCELLED',
] as const
export type MarketStatus = (typeof marketStatuses)[number]

export const cancelReasons = [
  'REQUESTED',
  'EXPIRED',
  'IMMEDIATE',
  'SELF_TRADE',
  'MARKET_CANCELLED',
  'SETTLEMENT',
  'FILL_LIMIT',
  'DEAD_MAN',
  'TRADING_RESTRICTED',
  'PRICE_BAND',
  'ORDER_GROUP',
] as const
export type CancelReason = (typeof cancelReasons)[number]

export const tradingModes = ['OPEN', 'REDUCE_ONLY', 'HALTED'] as const
/** What a player may do, from everything to nothing but cancelling. */
export type TradingMode = (typeof tradingModes)[number]

export const controlScopes = ['EXCHANGE', 'OPERATOR', 'PLAYER'] as const
/** Whom a brake on trading is about. */
export type ControlScope = (typeof controlScopes)[number]

/** In the order in which they are checked. */
export const limitNames = ['maxOrderCost', 'maxOutcomeShares', 'maxMarketCost'] as const
/** Of how much a player may buy. */
export type LimitName = (typeof limitNames)[number]

export const groupCauses = ['LIMIT', 'REQUESTED'] as const
/** Why an order group was triggered: by what was filled, or by its operator. */
export type GroupCause = (typeof groupCauses)[number]

export const settlementStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const
export type SettlementStatus = (typeof settlementStatuses)[number]

export const eventTypes = [
  'MARKET_CREATED',
  'MARKET_STATUS_CHANGED',
  'MARKET_RESOLVED',
  'ORDER_BOOK_UPDATE',
  'PRICE_UPDATED',
  'ORDER_PLACED',
  'ORDER_MATCHED',
  'ORDER_CANCELLED',
  'POSITION_UPDATED',
  'SETTLEMENT_COMPLETED',
  'ORDER_AMENDED',
  'MARKET_UPDATED',
  'DEAD_MAN_TRIGGERED',
  'CONTROLS_CHANGED',
  'ORDER_GROUP_TRIGGERED',
] as const
export type EventType = (typeof eventTypes)[number]
