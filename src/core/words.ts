// The words of the exchange that are chosen from a list, spelt as they are on the wire. What is
// stored names a word by its place in its list: a new one goes to the end.

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
/** In facts a status is its place in the list. */
export const PENDING = 0
export const PARTIAL = 1
export const FILLED = 2
export const CANCELLED = 3
export const EXPIRED = 4
export const REJECTED = 5

export const timesInForce = ['GTC', 'IOC', 'FOK'] as const
export type TimeInForce = (typeof timesInForce)[number]

export const selfTradePreventions = ['NONE', 'CANCEL_NEWEST', 'CANCEL_OLDEST'] as const
export type SelfTradePrevention = (typeof selfTradePreventions)[number]

export const tradeKinds = ['DIRECT', 'MINT', 'MERGE'] as const
export type TradeKind = (typeof tradeKinds)[number]
/** In facts a kind is its place in the list. */
export const DIRECT = 0
export const MINT = 1
export const MERGE = 2

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
] as const
export type CancelReason = (typeof cancelReasons)[number]
/** In facts a reason is its place in the list. */
export const NO_REASON = -1
export const BY_REQUEST = 0
export const BY_EXPIRY = 1
export const BY_IMMEDIACY = 2
export const BY_SELF_TRADE = 3
export const BY_MARKET_CANCEL = 4
export const BY_SETTLEMENT = 5

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
] as const
export type EventType = (typeof eventTypes)[number]
/** In tellings a type is its place in the list. */
export const MARKET_CREATED = 0
export const MARKET_STATUS_CHANGED = 1
export const MARKET_RESOLVED = 2
export const ORDER_BOOK_UPDATE = 3
export const PRICE_UPDATED = 4
export const ORDER_PLACED = 5
export const ORDER_MATCHED = 6
export const ORDER_CANCELLED = 7
export const POSITION_UPDATED = 8
export const SETTLEMENT_COMPLETED = 9
export const ORDER_AMENDED = 10
