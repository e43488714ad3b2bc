// What the service says: the types of the client, which are made from the service's documents, by
// the names that the console uses. Decimals of records are texts; market data are numbers.

import type * as wire from '../../client/src/generated/wire.ts'

export type {
  Candle,
  Category,
  Event as StoredEvent,
  EventPage,
  Exposure,
  Key,
  Level,
  Market,
  Operator,
  Order,
  Outcome,
  Placement,
  Position,
  Preview,
  PublicTrade as TapeTrade,
  Reconciliation,
  Settlement,
  SettlementSummary,
  Statistics,
  Webhook,
  WebhookAttempt as Attempt,
} from '../../client/src/generated/wire.ts'

export type MarketStatus = wire.Market['status']
export type Side = wire.Order['side']
export type OrderType = wire.Order['type']

export type Paged = {
  readonly total: number
  readonly hasMore: boolean
  readonly nextCursor: string | null
}
export type MarketPage = Paged & { readonly markets: readonly wire.Market[] }
export type OrderPage = Paged & { readonly orders: readonly wire.Order[] }
export type TapePage = Paged & { readonly trades: readonly wire.PublicTrade[] }
export type PositionPage = Paged & { readonly positions: readonly wire.Position[] }
export type SettlementPage = Paged & { readonly settlements: readonly wire.Settlement[] }

/** As REST and the stream say it; the stream leaves out the name and the volume. */
export type Prices = Omit<wire.OutcomePrice, 'outcomeName' | 'volume24h'> &
  Partial<Pick<wire.OutcomePrice, 'volume24h'>>
