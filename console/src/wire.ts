// What the service says, as far as the console reads it. Decimals of records are texts; market data
// are numbers.

export type MarketStatus =
  | 'DRAFT'
  | 'UPCOMING'
  | 'OPEN'
  | 'SUSPENDED'
  | 'CLOSED'
  | 'RESOLVED'
  | 'SETTLED'
  | 'CANCELLED'
export type Side = 'BUY' | 'SELL'
export type OrderType = 'LIMIT' | 'MARKET'

export type Outcome = { readonly id: string; readonly name: string; readonly index: number }

export type Payout = { readonly outcomeId: string; readonly payoutPerShare: string | number }

export type Market = {
  readonly id: string
  readonly operatorId: string
  readonly categoryId: string | null
  readonly title: string
  readonly description: string | null
  readonly status: MarketStatus
  readonly currency: string
  readonly tradingStartsAt: string | null
  readonly tradingEndsAt: string | null
  readonly resolvedAt: string | null
  readonly winningOutcomeId: string | null
  readonly payouts?: readonly Payout[] | null
  readonly resolutionSource: string | null
  readonly resolutionNotes: string | null
  readonly totalVolume: string
  readonly totalTrades: number
  readonly shared: boolean
  readonly completeSetMatching: boolean
  readonly createdAt: string
  readonly updatedAt: string
  readonly outcomes: readonly Outcome[]
  readonly category?: { readonly id: string; readonly name: string }
}

export type Category = { readonly id: string; readonly name: string; readonly slug: string }

export type Paged = {
  readonly total: number
  readonly hasMore: boolean
  readonly nextCursor: string | null
}
export type MarketPage = Paged & { readonly markets: readonly Market[] }
export type OrderPage = Paged & { readonly orders: readonly Order[] }
export type TapePage = Paged & { readonly trades: readonly TapeTrade[] }
export type PositionPage = Paged & { readonly positions: readonly Position[] }
export type SettlementPage = Paged & { readonly settlements: readonly Settlement[] }

export type Order = {
  readonly id: string
  readonly marketId: string
  readonly outcomeId: string
  readonly playerId: string
  readonly side: Side
  readonly type: OrderType
  readonly shares: string
  readonly price: string | null
  readonly filledShares: string
  readonly avgFillPrice: string
  readonly remainingShares: string
  readonly status: string
  readonly expiresAt: string | null
  readonly createdAt: string
}

export type Placement = {
  readonly order: Order
  readonly status: string
  readonly filledShares: string
  readonly avgFillPrice: string
  readonly remainingShares: string
}

export type Preview = {
  readonly fills: readonly { readonly price: string; readonly shares: string }[]
  readonly filledShares: string
  readonly avgFillPrice: string
  readonly restingShares: string
  readonly cost: string
  readonly fee: string
  readonly maxCost: string
}

export type Position = {
  readonly id: string
  readonly marketId: string
  readonly outcomeId: string
  readonly playerId: string
  readonly shares: string
  readonly reservedShares: string
  readonly avgPrice: string
  readonly totalCost: string
  readonly realizedPnl: string
}

export type Level = {
  readonly price: number
  readonly shares: number
  readonly orderCount: number
  readonly implied?: boolean
}

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

export type Settlement = {
  readonly id: string
  readonly outcomeId: string
  readonly playerId: string
  readonly shares: string
  readonly payoutPerShare: string
  readonly totalPayout: string
  readonly status: string
  readonly errorMessage: string | null
}

export type SettlementSummary = {
  readonly totalPositions: number
  readonly pendingCount: number
  readonly processingCount: number
  readonly completedCount: number
  readonly failedCount: number
  readonly totalPayout: string
  readonly completedPayout: string
}

export type Statistics = {
  readonly openMarkets: number
  readonly pendingResolution: number
  readonly resolved: number
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

export type Webhook = {
  readonly id: string
  readonly url: string
  readonly secret: string
  readonly events: readonly string[]
  readonly isActive: boolean
  readonly description: string | null
  readonly createdAt: string
}

export type Attempt = {
  readonly id: string
  readonly sequence: number
  readonly eventType: string
  readonly attempt: number
  readonly status: 'DELIVERED' | 'RETRYING' | 'FAILED'
  readonly httpStatus: number | null
  readonly error: string | null
  readonly durationMs: number
  readonly timestamp: string
}

export type Operator = {
  readonly id: string
  readonly name: string
  readonly supportedCurrencies: readonly string[]
  readonly feePercent: string | null
  readonly isActive: boolean
  readonly createdAt: string
}

export type Key = {
  readonly id: string
  readonly label: string | null
  readonly scopes: readonly string[]
  readonly prefix: string
  readonly expiresAt: string | null
  readonly createdAt: string
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
