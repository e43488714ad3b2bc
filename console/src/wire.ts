// What the service says: records as the client has them, and what the console reads of the rest.
// Decimals of records are texts; market data are numbers.

import type * as wire from '../../client/src/generated/wire.ts'

export type {
  Category,
  Key,
  Operator,
  Order,
  Outcome,
  Placement,
  Position,
  Settlement,
  SettlementSummary,
  Statistics,
  Webhook,
  WebhookAttempt as Attempt,
} from '../../client/src/generated/wire.ts'

export type MarketStatus = wire.Market['status']
export type Side = wire.Order['side']
export type OrderType = wire.Order['type']

export type Payout = { readonly outcomeId: string; readonly payoutPerShare: string | number }

/** Payouts only where it was resolved by them. */
export type Market = Omit<wire.Market, 'payouts'> & {
  readonly payouts?: readonly Payout[] | null | undefined
}

export type Level = Pick<wire.Level, 'price' | 'shares' | 'orderCount'> & {
  /** What complete sets offer. */
  readonly implied?: boolean | undefined
}

export type Paged = {
  readonly total: number
  readonly hasMore: boolean
  readonly nextCursor: string | null
}
export type MarketPage = Paged & { readonly markets: readonly Market[] }
export type OrderPage = Paged & { readonly orders: readonly wire.Order[] }
export type TapePage = Paged & { readonly trades: readonly TapeTrade[] }
export type PositionPage = Paged & { readonly positions: readonly wire.Position[] }
export type SettlementPage = Paged & { readonly settlements: readonly wire.Settlement[] }

export type Preview = {
  readonly fills: readonly { readonly price: string; readonly shares: string }[]
  readonly filledShares: string
  readonly avgFillPrice: string
  readonly restingShares: string
  readonly cost: string
  readonly fee: string
  readonly maxCost: string
}

/** As REST and the stream say it; the stream leaves out the volume. */
export type Prices = {
  readonly marketId: string
  readonly outcomeId: string
  readonly bestBid: number | null
  readonly bestAsk: number | null
  readonly lastPrice: number | null
  readonly midPrice: number | null
  readonly spread: number | null
  readonly volume24h?: number
}

export type TapeTrade = {
  readonly price: number
  readonly shares: number
  readonly takerSide: Side
  readonly timestamp: number
}

export type Candle = {
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
  readonly trades: number
}

export type StoredEvent = {
  readonly id: string
  readonly sequence: number
  readonly eventType: string
  readonly marketId: string | null
  readonly payload: Readonly<Record<string, unknown>>
  readonly createdAt: string
}

export type EventPage = {
  readonly events: readonly StoredEvent[]
  readonly hasMore: boolean
  readonly lastSequence: number
  readonly earliestSequence: number
}

export type Exposure = {
  readonly playerId: string
  readonly currencies: readonly {
    readonly currency: string
    readonly openBuyCost: string
    readonly openBuyFees: string
    readonly positionsCost: string
  }[]
  readonly openOrders: number
  readonly positions: number
}

export type Reconciliation = {
  readonly setsMinted: string
  readonly setsRedeemed: string
  readonly outcomes: readonly { readonly outcomeId: string; readonly shares: string }[]
  readonly operators: readonly {
    readonly operatorId: string
    readonly minted: string
    readonly redeemed: string
    readonly bought: string
    readonly sold: string
    readonly fees: string
  }[]
  readonly payouts: string
  readonly balanced: boolean
}
