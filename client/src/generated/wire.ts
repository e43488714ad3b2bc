// Generated from the API documents of the service. Do not edit: run
// npm run generate:client.

export type ChangeTradingWindow = {
  /** In the future, and after the tradingStartsAt of the market. */
  readonly tradingEndsAt: string
  readonly reason: string
}

export type CreateMarket = {
  readonly title: string
  readonly description?: string | null | undefined
  readonly categoryId?: string | null | undefined
  /** An https URL. */
  readonly imageUrl?: string | null | undefined
  readonly currency?: string | undefined
  readonly tradingStartsAt?: string | null | undefined
  readonly tradingEndsAt?: string | null | undefined
  /** Defaults to Yes and No. Names must be unique within the market. */
  readonly outcomes?: readonly ({
    readonly name: string
    readonly description?: string | null | undefined
  })[] | undefined
  /** Any JSON object of at most 16 KiB and 8 levels, without the keys `__proto__`, `constructor` and `prototype`. */
  readonly metadata?: { readonly [name: string]: unknown } | null | undefined
  /** Whether other operators may trade in the market. */
  readonly shared?: boolean | undefined
  /** Whether orders also match by minting and merging complete sets. */
  readonly completeSetMatching?: boolean | undefined
  /** Whether anybody may read the title, the outcomes, prices, volume, status and times at `/m/{id}` and `/api/v1/public/markets/{id}`, once the market is no DRAFT any more. */
  readonly publicPage?: boolean | undefined
  /** What the owner's own side of a trade pays in this market; null for the owner's usual fees. It cannot be changed once the market is OPEN. */
  readonly feeSchedule?: {
    /** LINEAR: shares x price x percent. QUADRATIC: shares x price x (1 - price) x percent, rounded down to 0.0000000001 for each trade. */
    readonly model: 'LINEAR' | 'QUADRATIC'
    /** Of the incoming order; a multiple of 0.01. */
    readonly takerPercent: number
    /** Of an order that rested; a multiple of 0.01. */
    readonly makerPercent: number
  } | null | undefined
  /** null for no band. It can be changed until the market is RESOLVED or CANCELLED, and holds for the orders that come after. */
  readonly priceBand?: {
    /** The furthest from the reference price at which one command may trade: the lastPrice of the outcome before the command, or else its midPrice; without either, at any price. A multiple of 0.0001. */
    readonly maxMove: number
    /** Whether the market becomes SUSPENDED, with the reason PRICE_BAND, when an order meets prices outside of the band. */
    readonly suspendOnBand?: boolean | undefined
  } | null | undefined
}

export type EditMarket = {
  readonly title?: string | undefined
  readonly description?: string | null | undefined
  /** An https URL. */
  readonly imageUrl?: string | null | undefined
  readonly categoryId?: string | null | undefined
  readonly tradingStartsAt?: string | null | undefined
  readonly tradingEndsAt?: string | null | undefined
  /** Any JSON object of at most 16 KiB and 8 levels, without the keys `__proto__`, `constructor` and `prototype`. */
  readonly metadata?: { readonly [name: string]: unknown } | null | undefined
  /** Whether anybody may read the title, the outcomes, prices, volume, status and times at `/m/{id}` and `/api/v1/public/markets/{id}`, once the market is no DRAFT any more. */
  readonly publicPage?: boolean | undefined
  /** What the owner's own side of a trade pays in this market; null for the owner's usual fees. It cannot be changed once the market is OPEN. */
  readonly feeSchedule?: {
    /** LINEAR: shares x price x percent. QUADRATIC: shares x price x (1 - price) x percent, rounded down to 0.0000000001 for each trade. */
    readonly model: 'LINEAR' | 'QUADRATIC'
    /** Of the incoming order; a multiple of 0.01. */
    readonly takerPercent: number
    /** Of an order that rested; a multiple of 0.01. */
    readonly makerPercent: number
  } | null | undefined
  /** null for no band. It can be changed until the market is RESOLVED or CANCELLED, and holds for the orders that come after. */
  readonly priceBand?: {
    /** The furthest from the reference price at which one command may trade: the lastPrice of the outcome before the command, or else its midPrice; without either, at any price. A multiple of 0.0001. */
    readonly maxMove: number
    /** Whether the market becomes SUSPENDED, with the reason PRICE_BAND, when an order meets prices outside of the band. */
    readonly suspendOnBand?: boolean | undefined
  } | null | undefined
}

export type GiveReason = {
  readonly reason: string
}

export type Market = {
  readonly id: string
  readonly operatorId: string
  readonly categoryId: string | null
  readonly title: string
  readonly description: string | null
  readonly imageUrl: string | null
  readonly status: 'DRAFT' | 'UPCOMING' | 'OPEN' | 'SUSPENDED' | 'CLOSED' | 'RESOLVED' | 'SETTLED' | 'CANCELLED'
  readonly currency: string
  readonly tradingStartsAt: string | null
  readonly tradingEndsAt: string | null
  readonly resolvedAt: string | null
  readonly winningOutcomeId: string | null
  readonly resolutionSource: string | null
  readonly resolutionNotes: string | null
  /** The payout of every outcome; null unless the market was resolved by payouts. */
  readonly payouts: readonly {
    readonly outcomeId: string
    readonly payoutPerShare: string
  }[] | null
  /** Shares traded, each trade counted once. */
  readonly totalVolume: string
  readonly totalTrades: number
  readonly metadata: { readonly [name: string]: unknown } | null
  /** Whether other operators may trade in the market. */
  readonly shared: boolean
  readonly completeSetMatching: boolean
  /** Whether anybody may read it at /m/{id}. */
  readonly publicPage: boolean
  readonly feeSchedule: {
    /** LINEAR: shares x price x percent. QUADRATIC: shares x price x (1 - price) x percent, rounded down to 0.0000000001 for each trade. */
    readonly model: 'LINEAR' | 'QUADRATIC'
    readonly takerPercent: string
    readonly makerPercent: string
  } | null
  /** How far from the reference price one command may trade; null for any price. */
  readonly priceBand: {
    readonly maxMove: string
    /** Whether the market becomes SUSPENDED, with the reason PRICE_BAND, when an order meets prices outside of the band. */
    readonly suspendOnBand: boolean
  } | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly outcomes: readonly Outcome[]
  readonly category?: CategoryOfMarket | undefined
}

export type Outcome = {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly index: number
  readonly createdAt: string
  readonly updatedAt: string
}

export type PreviewSettlement = {
  readonly winningOutcomeId?: string | null | undefined
  /** Instead of winningOutcomeId, for a draw, a dead heat or a void market. They must add up to exactly 1; an omitted outcome pays 0. */
  readonly payouts?: readonly {
    readonly outcomeId: string
    /** A multiple of 0.0001. */
    readonly payoutPerShare: number
  }[] | null | undefined
}

export type ResolveMarket = {
  readonly winningOutcomeId?: string | null | undefined
  /** Instead of winningOutcomeId, for a draw, a dead heat or a void market. They must add up to exactly 1; an omitted outcome pays 0. */
  readonly payouts?: readonly {
    readonly outcomeId: string
    /** A multiple of 0.0001. */
    readonly payoutPerShare: number
  }[] | null | undefined
  readonly resolutionSource: string
  readonly resolutionNotes?: string | null | undefined
}

export type Category = {
  readonly id: string
  readonly operatorId: string | null
  readonly name: string
  readonly slug: string
  readonly description: string | null
  readonly iconUrl: string | null
  readonly isActive: boolean
  /** Categories with lower values are listed first. */
  readonly sortOrder: number
  readonly createdAt: string
}

export type CategoryOfMarket = {
  readonly id: string
  readonly name: string
  readonly slug: string
}

export type CreateCategory = {
  readonly name: string
  readonly slug: string
  readonly description?: string | null | undefined
  /** An https URL. */
  readonly iconUrl?: string | null | undefined
  readonly sortOrder?: number | undefined
}

export type EditCategory = {
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  /** An https URL. */
  readonly iconUrl?: string | null | undefined
  readonly sortOrder?: number | undefined
  readonly isActive?: boolean | undefined
}

export type AmendOrder = {
  /** The new total, greater than filledShares: a multiple of 0.01; 1 to 100000 unless configured otherwise. */
  readonly shares?: number | undefined
  /** A multiple of 0.0001; 0.01 to 0.99 unless configured otherwise. */
  readonly price?: number | undefined
}

export type Order = {
  readonly id: string
  readonly marketId: string
  readonly outcomeId: string
  readonly operatorId: string
  readonly playerId: string
  readonly side: 'BUY' | 'SELL'
  readonly type: 'MARKET' | 'LIMIT'
  readonly shares: string
  /** null for a MARKET order. */
  readonly price: string | null
  readonly filledShares: string
  /** 0 before the first fill. */
  readonly avgFillPrice: string
  /** 0 once the order is closed. */
  readonly remainingShares: string
  readonly status: 'PENDING' | 'PARTIAL' | 'FILLED' | 'CANCELLED' | 'EXPIRED' | 'REJECTED'
  /** Always GTC for a MARKET order, which never rests. */
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK'
  readonly postOnly: boolean
  readonly selfTradePrevention: 'NONE' | 'CANCEL_NEWEST' | 'CANCEL_OLDEST'
  /** The order group that it is in, or was in. */
  readonly orderGroupId: string | null
  readonly transactionId: string | null
  readonly expiresAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** What an order by amount may spend, fees included; its shares are those that it has filled. null for an order by shares. */
  readonly amount: string | null
}

export type PlaceOrder = {
  readonly marketId: string
  readonly outcomeId: string
  readonly playerId: string
  readonly side: 'BUY' | 'SELL'
  readonly type: 'MARKET' | 'LIMIT'
  /** A multiple of 0.01; 1 to 100000 unless configured otherwise. Required unless amount is given. */
  readonly shares?: number | undefined
  /** Instead of shares: the most that the order spends, fees included, in steps of 0.000001 from 0.01 to the largest number of shares that an order may have. For BUY orders that are MARKET, or LIMIT with timeInForce IOC or FOK. */
  readonly amount?: number | null | undefined
  /** A multiple of 0.0001; 0.01 to 0.99 unless configured otherwise. Required for LIMIT; ignored for MARKET. */
  readonly price?: number | null | undefined
  /** Idempotency key: repeating the request with the same key changes nothing. */
  readonly transactionId?: string | null | undefined
  readonly expiresAt?: string | null | undefined
  /** For LIMIT orders. GTC (the default): the remainder rests in the book. IOC: the remainder is cancelled. FOK: the order is filled in full or rejected. */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | null | null | undefined
  /** For GTC LIMIT orders: the order is rejected if it would match immediately. */
  readonly postOnly?: boolean | null | undefined
  /** If the order meets a resting order of the same player, NONE lets them trade, CANCEL_NEWEST cancels the remainder of this order, and CANCEL_OLDEST cancels the resting order and continues. */
  readonly selfTradePrevention?: 'NONE' | 'CANCEL_NEWEST' | 'CANCEL_OLDEST' | null | null | undefined
  /** An order group of the player: the order is cancelled once it is triggered. */
  readonly orderGroupId?: string | null | undefined
}

export type PlaceOrders = {
  readonly orders: readonly PlaceOrder[]
}

export type Placement = {
  readonly order: Order
  /** The trades of this placement, first to last: at most 1000 of an order and 5000 of a batch. */
  readonly trades: readonly Trade[]
  /** Whether trades does not list all of them; GET /api/v1/trades?orderId= does. */
  readonly hasMoreTrades: boolean
  readonly status: 'PENDING' | 'PARTIAL' | 'FILLED' | 'CANCELLED' | 'EXPIRED' | 'REJECTED'
  readonly filledShares: string
  readonly avgFillPrice: string
  readonly remainingShares: string
  /** What an order by amount has spent, fees included; only of an order by amount. */
  readonly spent?: string | undefined
  /** What is left of the amount; only of an order by amount. */
  readonly unspent?: string | undefined
}

export type Preview = {
  /** What the order would match immediately, best price first, one fill per price. */
  readonly fills: readonly {
    readonly price: string
    readonly shares: string
  }[]
  readonly filledShares: string
  /** 0 if nothing would match. */
  readonly avgFillPrice: string
  /** The shares that would rest in the book. */
  readonly restingShares: string
  /** What a BUY pays for the fills; 0 for a SELL. */
  readonly cost: string
  /** The fee of the fills. */
  readonly fee: string
  /** The most that the wallet must hold: the fills, the remainder at its limit price, and all fees. For a SELL, its fees. For an order by amount, what it would spend. */
  readonly maxCost: string
  /** What an order by amount would spend, fees included; only of an order by amount. */
  readonly spent?: string | undefined
  /** What would be left of the amount; only of an order by amount. */
  readonly unspent?: string | undefined
}

export type QueuePosition = {
  readonly orderId: string
  /** The orders at the same price that match before it, of all players. */
  readonly ordersAhead: number
  /** What remains of their shares. */
  readonly sharesAhead: string
  /** The version of the book in which it was counted. */
  readonly version: number
}

export type QueuePositions = {
  /** Newest first. */
  readonly orders: readonly QueuePosition[]
  /** Whether more than 1000 orders match. */
  readonly hasMore: boolean
}

export type Trade = {
  readonly id: string
  readonly marketId: string
  readonly outcomeId: string
  readonly buyOrderId: string
  readonly sellOrderId: string
  readonly buyerOperatorId: string
  readonly sellerOperatorId: string
  /** The resting order's price; in a MINT or MERGE, that order's part of the price of a set. */
  readonly price: string
  readonly shares: string
  readonly buyerFee: string
  readonly sellerFee: string
  /** TAKER: the incoming order. MAKER: an order that rested. ISSUER: the side of a leg without an order. */
  readonly buyerRole: 'MAKER' | 'TAKER' | 'ISSUER'
  /** As buyerRole. */
  readonly sellerRole: 'MAKER' | 'TAKER' | 'ISSUER'
  /** DIRECT: a BUY order met a SELL order. MINT and MERGE: one leg of a match by complete sets, whose side without an order has the matchId as its order id, the owner of the market as its operator, and a fee of 0. */
  readonly kind: 'DIRECT' | 'MINT' | 'MERGE'
  /** Shared by all legs of one match; null for DIRECT. */
  readonly matchId: string | null
  readonly createdAt: string
}

export type ArmDeadMan = {
  /** The switch is triggered so long after the last time that it was armed. */
  readonly timeoutMs: number
  /** The whole operator if omitted. */
  readonly playerId?: string | undefined
}

export type DeadMan = {
  /** null for the whole operator. */
  readonly playerId: string | null
  readonly state: 'ARMED' | 'TRIGGERED'
  /** When it is, or was, triggered. */
  readonly deadline: string
  readonly timeoutMs: number
}

export type CreateOrderGroup = {
  readonly playerId: string
  /** A multiple of 0.01. The group is triggered by the trade with which more than this is filled within the window. */
  readonly limitShares: number
  /** For how long a fill counts. */
  readonly windowMs?: number | undefined
}

export type LimitOrderGroup = {
  /** A multiple of 0.01. The group is triggered by the trade with which more than this is filled within the window. */
  readonly limitShares: number
}

export type OrderGroup = {
  readonly id: string
  readonly playerId: string
  readonly limitShares: string
  readonly windowMs: number
  /** What of its orders was filled within the window until now. */
  readonly matchedShares: string
  /** TRIGGERED until it is reset: it has no open orders, and takes no new ones. */
  readonly status: 'ACTIVE' | 'TRIGGERED'
  readonly createdAt: string
}

export type AcknowledgeSettlement = {
  readonly transactionId: string
  readonly status: 'COMPLETED' | 'FAILED'
  /** Why the payment failed; ignored with COMPLETED. */
  readonly errorMessage?: string | null | undefined
}

export type ChangeSets = {
  readonly playerId: string
  /** A multiple of 0.01; 1 to 100000 unless configured otherwise. */
  readonly shares: number
  readonly transactionId?: string | null | undefined
}

export type CompleteSets = {
  readonly id: string
  readonly marketId: string
  readonly playerId: string
  readonly kind: 'MINT' | 'REDEEM'
  readonly shares: string
  /** What the operator collects for a MINT or pays for a REDEEM. */
  readonly amount: string
  readonly positions: readonly Position[]
  readonly transactionId: string | null
  readonly createdAt: string
}

export type Exposure = {
  readonly playerId: string
  /** The currencies of the open orders and positions, sorted by name. */
  readonly currencies: readonly {
    readonly currency: string
    /** The cost of the remaining shares of open BUY orders. */
    readonly openBuyCost: string
    /** The most that these orders pay in fees while they rest: as makers, at your current fees. */
    readonly openBuyFees: string
    /** The sum of totalCost of the counted positions. */
    readonly positionsCost: string
  }[]
  /** The number of PENDING and PARTIAL orders, BUY and SELL. */
  readonly openOrders: number
  /** The number of positions with shares in markets that are neither SETTLED nor CANCELLED. */
  readonly positions: number
}

export type ListedPlayer = {
  readonly playerId: string
  /** All positions that the player has had, those without shares included. */
  readonly positions: number
  /** The number of PENDING and PARTIAL orders. */
  readonly openOrders: number
}

export type Position = {
  readonly id: string
  readonly marketId: string
  readonly outcomeId: string
  readonly operatorId: string
  readonly playerId: string
  readonly shares: string
  /** Shares reserved by open SELL orders. */
  readonly reservedShares: string
  readonly avgPrice: string
  readonly totalCost: string
  readonly realizedPnl: string
  readonly createdAt: string
  readonly updatedAt: string
}

export type Reconciliation = {
  /** Complete sets minted, by calls and by matching. */
  readonly setsMinted: string
  /** Complete sets redeemed by calls or merged by matching. */
  readonly setsRedeemed: string
  readonly outcomes: readonly {
    readonly outcomeId: string
    /** The shares that all players hold. */
    readonly shares: string
  }[]
  /** The operators whose players minted, redeemed or traded in the market. */
  readonly operators: readonly {
    readonly operatorId: string
    /** What its players paid for sets minted by calls. */
    readonly minted: string
    /** What its players received for sets redeemed by calls. */
    readonly redeemed: string
    /** What its BUY orders paid in trades. */
    readonly bought: string
    /** What its SELL orders received in trades. */
    readonly sold: string
    /** The fees of its side of these trades. */
    readonly fees: string
  }[]
  /** The sum of all settlement records. */
  readonly payouts: string
  /** Whether the shares of every outcome equal the sets minted minus the sets redeemed, and a SETTLED market has paid out 1 for each set. */
  readonly balanced: boolean
}

export type SettleResult = {
  readonly marketId: string
  /** The positions that this request has settled. */
  readonly totalPositions: number
  /** The settlement records that are COMPLETED: amounts that are final and due. */
  readonly successCount: number
  /** Positions without a final amount, which is none. */
  readonly failedCount: number
  /** The sum of the amounts due, of all operators. */
  readonly totalPayout: string
  /** The open orders that were cancelled. */
  readonly cancelledOrders: number
  /** The settlements of the calling operator. */
  readonly settlements: readonly Settlement[]
  readonly errors: readonly {
    readonly positionId: string
    readonly playerId: string
    readonly code: string
    readonly message: string
  }[]
}

export type Settlement = {
  readonly id: string
  readonly positionId: string
  readonly marketId: string
  readonly outcomeId: string
  readonly operatorId: string
  readonly playerId: string
  readonly shares: string
  /** What one share of the outcome pays, from 0 to 1. */
  readonly payoutPerShare: string
  /** The amount due to the player: shares x payoutPerShare. */
  readonly totalPayout: string
  /** Your reference of the payment, from your last acknowledgement; null until you have acknowledged the settlement. */
  readonly transactionId: string | null
  /** COMPLETED: the amount is final and due to the player, whether you have paid it or not. FAILED: you have reported that the payment failed. */
  readonly status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /** Why the payment failed, as you have reported it. */
  readonly errorMessage: string | null
  /** When the record was last made or reported COMPLETED; null while it is FAILED. */
  readonly settledAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export type SettlementPreview = {
  readonly marketId: string
  readonly payouts: readonly {
    readonly outcomeId: string
    readonly payoutPerShare: string
  }[]
  readonly positions: number
  readonly totalPayout: string
  /** Those with positions, in the order of the market. */
  readonly outcomes: readonly {
    readonly outcomeId: string
    readonly positions: number
    readonly shares: string
    /** shares x payoutPerShare of the outcome. */
    readonly payout: string
  }[]
  /** The operators with positions. */
  readonly operatorsTotal: number
  /** The 100 operators that are paid most, the largest first. */
  readonly operators: readonly {
    readonly operatorId: string
    readonly positions: number
    readonly totalPayout: string
    /** Those with positions, in the order of the market. */
    readonly outcomes: readonly {
      readonly outcomeId: string
      readonly positions: number
      readonly shares: string
      /** shares x payoutPerShare of the outcome. */
      readonly payout: string
    }[]
  }[]
}

export type SettlementSummary = {
  readonly marketId: string
  /** The positions in the market, settled or not. */
  readonly totalPositions: number
  /** Positions that have no settlement record yet. */
  readonly pendingCount: number
  /** Settlement records that are PROCESSING, which is none: one step makes a record. */
  readonly processingCount: number
  /** Settlement records that are COMPLETED: their amounts are final and due. This does not count payments. A record is COMPLETED as soon as it is made, before anybody was paid; GET /settlements?acknowledged=true lists what you have reported. */
  readonly completedCount: number
  /** Settlement records whose payment was reported as failed and not retried since. */
  readonly failedCount: number
  /** The sum of the amounts of all settlement records. */
  readonly totalPayout: string
  /** The sum of the amounts of the COMPLETED records. */
  readonly completedPayout: string
}

export type Valuation = {
  readonly playerId: string
  /** Sorted by name. */
  readonly currencies: readonly {
    readonly currency: string
    /** All that the player has had, empty ones included. */
    readonly positions: number
    readonly totalCost: string
    /** The sum of the values, as GET /positions has them. */
    readonly value: string
    readonly unrealizedPnl: string
    readonly realizedPnl: string
    /** realizedPnl + unrealizedPnl, without fees. */
    readonly totalPnl: string
  }[]
}

export type ValuedPosition = {
  readonly id: string
  readonly marketId: string
  readonly outcomeId: string
  readonly operatorId: string
  readonly playerId: string
  readonly shares: string
  /** Shares reserved by open SELL orders. */
  readonly reservedShares: string
  readonly avgPrice: string
  readonly totalCost: string
  readonly realizedPnl: string
  readonly createdAt: string
  readonly updatedAt: string
  /** What the position is valued at: PAYOUT, what a share pays, once the market is resolved; LAST, the price of the last trade of the outcome; COST, its cost, before the first trade and in a CANCELLED market. */
  readonly mark: 'PAYOUT' | 'LAST' | 'COST'
  /** Per share; null with COST. */
  readonly markPrice: string | null
  /** shares x markPrice, or totalCost with COST. */
  readonly value: string
  /** value - totalCost. */
  readonly unrealizedPnl: string
  /** realizedPnl + unrealizedPnl. */
  readonly totalPnl: string
  /** What the position pays if its outcome alone wins. */
  readonly payoutIfWins: string
}

export type Candle = {
  /** The start of the candle in Unix milliseconds. */
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Shares traded. */
  readonly volume: number
  readonly trades: number
}

export type Level = {
  readonly price: number
  readonly shares: number
  readonly orderCount: number
  /** true if complete sets would match here and no order rests at this price. */
  readonly implied?: boolean | undefined
}

export type OrderBook = {
  readonly marketId: string
  readonly outcomeId: string
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
  readonly bestBid: number | null
  readonly bestAsk: number | null
  readonly spread: number | null
  /** Increases by 1 with each change of this book. */
  readonly version: number
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type OutcomePrice = {
  readonly marketId: string
  readonly outcomeId: string
  readonly outcomeName: string
  readonly bestBid: number | null
  readonly bestAsk: number | null
  readonly lastPrice: number | null
  readonly midPrice: number | null
  readonly spread: number | null
  /** Shares traded in the last 24 hours. */
  readonly volume24h: number
}

export type PublicTrade = {
  readonly price: number
  readonly shares: number
  /** The side of the incoming order; BUY if sets were minted, SELL if they were merged. */
  readonly takerSide: 'BUY' | 'SELL'
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type Statistics = {
  readonly openMarkets: number
  readonly pendingResolution: number
  readonly resolved: number
}

export type MarketSummary = {
  readonly marketId: string
  /** Shares traded in the last 24 hours, in all outcomes. */
  readonly volume24h: number
  /** The outcome with the highest last price; null before the first trade. */
  readonly favourite: {
    readonly outcomeId: string
    readonly outcomeName: string
    readonly lastPrice: number
    /** lastPrice less the last price 24 hours ago, or less the first price if that was later. */
    readonly change24h: number
    /** In ascending order; an hour without trades has no point. */
    readonly points: readonly {
      /** The start of the hour in Unix milliseconds. */
      readonly time: number
      /** The last price of the hour. */
      readonly price: number
    }[]
  } | null
}

export type PublicMarket = {
  readonly id: string
  readonly title: string
  readonly description: string | null
  readonly status: 'DRAFT' | 'UPCOMING' | 'OPEN' | 'SUSPENDED' | 'CLOSED' | 'RESOLVED' | 'SETTLED' | 'CANCELLED'
  readonly tradingStartsAt: string | null
  readonly tradingEndsAt: string | null
  readonly resolvedAt: string | null
  /** Shares traded, each trade counted once. */
  readonly totalVolume: string
  readonly outcomes: readonly ({
    readonly id: string
    readonly name: string
    readonly description: string | null
    readonly bestBid: number | null
    readonly bestAsk: number | null
    readonly lastPrice: number | null
    /** null until the market is resolved. */
    readonly payoutPerShare: number | null
  })[]
}

export type DailyStatistics = {
  readonly days: readonly DayStatistics[]
}

export type DayStatistics = {
  /** A day of UTC. */
  readonly date: string
  /** Shares traded, each trade counted once. */
  readonly volume: string
  /** Fees of your own sides of the trades. */
  readonly fees: string
  readonly trades: number
  /** Your players with a trade, each counted once. */
  readonly activePlayers: number
}

export type CreateWebhook = {
  /** An https URL. */
  readonly url: string
  /** The event types to send; empty for all. */
  readonly events?: readonly ('MARKET_CREATED' | 'MARKET_STATUS_CHANGED' | 'MARKET_RESOLVED' | 'ORDER_BOOK_UPDATE' | 'PRICE_UPDATED' | 'ORDER_PLACED' | 'ORDER_MATCHED' | 'ORDER_CANCELLED' | 'POSITION_UPDATED' | 'SETTLEMENT_COMPLETED' | 'ORDER_AMENDED' | 'MARKET_UPDATED' | 'DEAD_MAN_TRIGGERED' | 'CONTROLS_CHANGED' | 'ORDER_GROUP_TRIGGERED')[] | undefined
  /** STANDARD, the default: 3 attempts within 35 seconds. LONG: 7 in about 18 hours, and 410 makes the webhook inactive. */
  readonly retrySchedule?: 'STANDARD' | 'LONG' | undefined
  /** The form of the body; OUTCRY is the default. */
  readonly format?: 'OUTCRY' | 'CLOUDEVENTS' | undefined
  readonly description?: string | null | undefined
}

export type EditWebhook = {
  /** An https URL. */
  readonly url?: string | undefined
  /** The event types to send; empty for all. */
  readonly events?: readonly ('MARKET_CREATED' | 'MARKET_STATUS_CHANGED' | 'MARKET_RESOLVED' | 'ORDER_BOOK_UPDATE' | 'PRICE_UPDATED' | 'ORDER_PLACED' | 'ORDER_MATCHED' | 'ORDER_CANCELLED' | 'POSITION_UPDATED' | 'SETTLEMENT_COMPLETED' | 'ORDER_AMENDED' | 'MARKET_UPDATED' | 'DEAD_MAN_TRIGGERED' | 'CONTROLS_CHANGED' | 'ORDER_GROUP_TRIGGERED')[] | undefined
  /** STANDARD, the default: 3 attempts within 35 seconds. LONG: 7 in about 18 hours, and 410 makes the webhook inactive. */
  readonly retrySchedule?: 'STANDARD' | 'LONG' | undefined
  /** The form of the body; OUTCRY is the default. */
  readonly format?: 'OUTCRY' | 'CLOUDEVENTS' | undefined
  readonly isActive?: boolean | undefined
  readonly description?: string | null | undefined
}

export type Event = {
  readonly id: string
  /** Counts 1, 2, 3 ... per operator, without gaps. */
  readonly sequence: number
  readonly operatorId: string
  readonly eventType: 'MARKET_CREATED' | 'MARKET_STATUS_CHANGED' | 'MARKET_RESOLVED' | 'ORDER_BOOK_UPDATE' | 'PRICE_UPDATED' | 'ORDER_PLACED' | 'ORDER_MATCHED' | 'ORDER_CANCELLED' | 'POSITION_UPDATED' | 'SETTLEMENT_COMPLETED' | 'ORDER_AMENDED' | 'MARKET_UPDATED' | 'DEAD_MAN_TRIGGERED' | 'CONTROLS_CHANGED' | 'ORDER_GROUP_TRIGGERED'
  readonly marketId: string | null
  readonly payload: { readonly [name: string]: unknown }
  readonly createdAt: string
  readonly expiresAt: string
} & ({
  readonly eventType: 'MARKET_CREATED'
  readonly payload: MarketCreated
} | {
  readonly eventType: 'MARKET_STATUS_CHANGED'
  readonly payload: MarketStatusChanged
} | {
  readonly eventType: 'MARKET_RESOLVED'
  readonly payload: MarketResolved
} | {
  readonly eventType: 'ORDER_BOOK_UPDATE'
  readonly payload: OrderBookUpdate
} | {
  readonly eventType: 'PRICE_UPDATED'
  readonly payload: PriceUpdated
} | {
  readonly eventType: 'ORDER_PLACED'
  readonly payload: OrderPlaced
} | {
  readonly eventType: 'ORDER_MATCHED'
  readonly payload: OrderMatched
} | {
  readonly eventType: 'ORDER_CANCELLED'
  readonly payload: OrderCancelled
} | {
  readonly eventType: 'POSITION_UPDATED'
  readonly payload: PositionUpdated
} | {
  readonly eventType: 'SETTLEMENT_COMPLETED'
  readonly payload: SettlementCompleted
} | {
  readonly eventType: 'ORDER_AMENDED'
  readonly payload: OrderAmended
} | {
  readonly eventType: 'MARKET_UPDATED'
  readonly payload: MarketUpdated
} | {
  readonly eventType: 'DEAD_MAN_TRIGGERED'
  readonly payload: DeadManTriggered
} | {
  readonly eventType: 'CONTROLS_CHANGED'
  readonly payload: ControlsChanged
} | {
  readonly eventType: 'ORDER_GROUP_TRIGGERED'
  readonly payload: OrderGroupTriggered
})

export type EventPage = {
  readonly events: readonly Event[]
  readonly hasMore: boolean
  /** Pass it as since to get the next page. */
  readonly lastSequence: number
  /** The sequence of the oldest stored event. */
  readonly earliestSequence: number
  /** The sequence of the operator's latest event, of any type or market; 0 before it. */
  readonly latestSequence: number
  /** The history of the database. A restore changes it; restarts and failovers do not. Store it with the sequence, and send both. */
  readonly historyId: string
}

export type RedeliverWebhook = {
  /** The first event; with toSequence. */
  readonly fromSequence?: number | undefined
  readonly toSequence?: number | undefined
  /** Every delivery that has failed, instead of a range. */
  readonly failed?: true | undefined
}

export type WebhookRedelivery = {
  /** How many deliveries are attempted once more. */
  readonly queued: number
  /** How many events are left out, because their stored record is damaged. */
  readonly unreadable: number
}

export type RotateSecret = {
  /** For so long deliveries are signed with the old secret, too. */
  readonly overlapHours?: number | undefined
}

export type Webhook = {
  readonly id: string
  readonly operatorId: string
  readonly url: string
  /** Complete only in the response that creates or rotates it. */
  readonly secret: string
  /** Until when deliveries are signed with the previous secret, too. */
  readonly previousSecretExpiresAt: string | null
  readonly events: readonly ('MARKET_CREATED' | 'MARKET_STATUS_CHANGED' | 'MARKET_RESOLVED' | 'ORDER_BOOK_UPDATE' | 'PRICE_UPDATED' | 'ORDER_PLACED' | 'ORDER_MATCHED' | 'ORDER_CANCELLED' | 'POSITION_UPDATED' | 'SETTLEMENT_COMPLETED' | 'ORDER_AMENDED' | 'MARKET_UPDATED' | 'DEAD_MAN_TRIGGERED' | 'CONTROLS_CHANGED' | 'ORDER_GROUP_TRIGGERED')[]
  readonly isActive: boolean
  readonly retrySchedule: 'STANDARD' | 'LONG'
  readonly format: 'OUTCRY' | 'CLOUDEVENTS'
  /** The attempts of the last hour, tests included; null if it is not known. */
  readonly health: {
    readonly attempts: number
    readonly delivered: number
    /** 0 to 1; null without attempts. */
    readonly successRate: number | null
  } | null
  readonly description: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export type WebhookAttempt = {
  /** The id of the delivery, which all its attempts share. */
  readonly id: string
  /** The sequence of the event; 0 for a test. */
  readonly sequence: number
  readonly eventType: 'MARKET_CREATED' | 'MARKET_STATUS_CHANGED' | 'MARKET_RESOLVED' | 'ORDER_BOOK_UPDATE' | 'PRICE_UPDATED' | 'ORDER_PLACED' | 'ORDER_MATCHED' | 'ORDER_CANCELLED' | 'POSITION_UPDATED' | 'SETTLEMENT_COMPLETED' | 'ORDER_AMENDED' | 'MARKET_UPDATED' | 'DEAD_MAN_TRIGGERED' | 'CONTROLS_CHANGED' | 'ORDER_GROUP_TRIGGERED' | 'PING'
  readonly attempt: number
  /** Whether it was made because of a request. */
  readonly isRedelivery: boolean
  /** RETRYING: another attempt follows. FAILED: no attempt follows. */
  readonly status: 'DELIVERED' | 'RETRYING' | 'FAILED'
  /** Whether this attempt has delivered the event. */
  readonly delivered: boolean
  /** null if no response was received. */
  readonly httpStatus: number | null
  /** null if the event was delivered. */
  readonly error: string | null
  /** The first 256 bytes of the response; null if there was none. */
  readonly response: string | null
  /** When the next attempt is due, if one follows. */
  readonly nextAttemptAt: string | null
  readonly durationMs: number
  readonly timestamp: string
}

export type WebhookAttempts = {
  readonly deliveries: readonly WebhookAttempt[]
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

export type WebhookWithSecret = {
  readonly id: string
  readonly operatorId: string
  readonly url: string
  /** Complete only in the response that creates or rotates it. */
  readonly secret: string
  /** Until when deliveries are signed with the previous secret, too. */
  readonly previousSecretExpiresAt: string | null
  readonly events: readonly ('MARKET_CREATED' | 'MARKET_STATUS_CHANGED' | 'MARKET_RESOLVED' | 'ORDER_BOOK_UPDATE' | 'PRICE_UPDATED' | 'ORDER_PLACED' | 'ORDER_MATCHED' | 'ORDER_CANCELLED' | 'POSITION_UPDATED' | 'SETTLEMENT_COMPLETED' | 'ORDER_AMENDED' | 'MARKET_UPDATED' | 'DEAD_MAN_TRIGGERED' | 'CONTROLS_CHANGED' | 'ORDER_GROUP_TRIGGERED')[]
  readonly isActive: boolean
  readonly retrySchedule: 'STANDARD' | 'LONG'
  readonly format: 'OUTCRY' | 'CLOUDEVENTS'
  /** The attempts of the last hour, tests included; null if it is not known. */
  readonly health: {
    readonly attempts: number
    readonly delivered: number
    /** 0 to 1; null without attempts. */
    readonly successRate: number | null
  } | null
  readonly description: string | null
  readonly createdAt: string
  readonly updatedAt: string
  /** The same secret, as the libraries for Standard Webhooks take it. */
  readonly signingSecret: string
}

export type CreateKey = {
  readonly label?: string | null | undefined
  /** Defaults to all scopes. */
  readonly scopes?: readonly ('read' | 'trade' | 'manage')[] | undefined
  readonly expiresAt?: string | null | undefined
}

export type CreateOperator = {
  readonly name: string
  readonly supportedCurrencies?: readonly string[] | undefined
  /** A multiple of 0.01; null for the default of the service. */
  readonly feePercent?: number | null | undefined
  /** Instead of feePercent; null for feePercent in both roles. */
  readonly feeSchedule?: {
    /** LINEAR: shares x price x percent. QUADRATIC: shares x price x (1 - price) x percent, rounded down to 0.0000000001 for each trade. */
    readonly model: 'LINEAR' | 'QUADRATIC'
    /** Of the incoming order; a multiple of 0.01. */
    readonly takerPercent: number
    /** Of an order that rested; a multiple of 0.01. */
    readonly makerPercent: number
  } | null | undefined
  /** Default: the shard with the fewest operators. */
  readonly shard?: number | undefined
}

export type EditOperator = {
  readonly name?: string | undefined
  readonly supportedCurrencies?: readonly string[] | undefined
  /** A multiple of 0.01; null for the default of the service. */
  readonly feePercent?: number | null | undefined
  /** Instead of feePercent; null for feePercent in both roles. */
  readonly feeSchedule?: {
    /** LINEAR: shares x price x percent. QUADRATIC: shares x price x (1 - price) x percent, rounded down to 0.0000000001 for each trade. */
    readonly model: 'LINEAR' | 'QUADRATIC'
    /** Of the incoming order; a multiple of 0.01. */
    readonly takerPercent: number
    /** Of an order that rested; a multiple of 0.01. */
    readonly makerPercent: number
  } | null | undefined
  readonly isActive?: boolean | undefined
}

export type Key = {
  readonly id: string
  readonly operatorId: string
  readonly label: string | null
  readonly scopes: readonly ('read' | 'trade' | 'manage')[]
  /** The first characters of the key, to tell keys apart. */
  readonly prefix: string
  readonly expiresAt: string | null
  /** When a request with the key was accepted, to about five minutes; null for never. */
  readonly lastUsedAt: string | null
  readonly createdAt: string
}

export type Me = {
  readonly operatorId: string
  readonly operatorName: string
  readonly keyId: string
  readonly keyLabel: string | null
  readonly scopes: readonly ('read' | 'trade' | 'manage')[]
  readonly expiresAt: string | null
}

export type NewKey = {
  readonly key: Key
  /** Shown only in this response. */
  readonly apiKey: string
}

export type NewOperator = {
  readonly operator: Operator
  /** Shown only in this response. */
  readonly apiKey: string
}

export type Operator = {
  readonly id: string
  readonly name: string
  readonly supportedCurrencies: readonly string[]
  readonly feePercent: string | null
  readonly feeSchedule: {
    /** LINEAR: shares x price x percent. QUADRATIC: shares x price x (1 - price) x percent, rounded down to 0.0000000001 for each trade. */
    readonly model: 'LINEAR' | 'QUADRATIC'
    readonly takerPercent: string
    readonly makerPercent: string
  } | null
  readonly isActive: boolean
  /** The shard with its records; it never changes. */
  readonly shard: number
  readonly createdAt: string
  readonly updatedAt: string
}

export type Cluster = {
  readonly nodes: readonly ClusterNode[]
  readonly shards: readonly ClusterShard[]
  /** The last 20, newest first. */
  readonly takeovers: readonly Takeover[]
}

export type ClusterNode = {
  readonly id: string
  /** Where other nodes reach it; null outside of a cluster. */
  readonly address: string | null
  readonly version: string
  /** DRAINING: it hands over its shards and claims none. LEAVING: it is stopping. DOWN: it has not reported in time. */
  readonly state: 'ACTIVE' | 'DRAINING' | 'LEAVING' | 'DOWN'
  /** The shards that it owns. */
  readonly shards: readonly number[]
  /** Without another beat it is DOWN from then on; null outside of a cluster. A node beats every second and is alive for three. */
  readonly aliveUntil: string | null
  /** The longest delay of its event loop in a second; null if it reports none. */
  readonly loopLagMs: number | null
}

export type ClusterShard = {
  readonly shard: number
  /** Its owner; null if it has none now. */
  readonly nodeId: string | null
  /** How often the shard was claimed. */
  readonly epoch: number
  /** Another node may own it from then on; null if the lease was released. */
  readonly leaseUntil: string | null
  /** The node that it was moved to. */
  readonly pinnedTo: string | null
  /** Operators with their records in this shard. */
  readonly operators: number
  /** As of the last beat of its owner; null if it is not known. */
  readonly openOrders: number | null
}

export type MoveShard = {
  /** The node that shall own the shard; null lets the nodes balance it again. */
  readonly nodeId: string | null
}

export type Takeover = {
  readonly shard: number
  readonly fromNodeId: string | null
  readonly toNodeId: string
  /** FIRST: nobody has owned the shard. LEASE_ENDED: its owner did not renew the lease. */
  readonly reason: 'FIRST' | 'HANDOVER' | 'LEASE_ENDED'
  readonly at: string
  /** From the end of the last ownership, as the new owner saw it. */
  readonly tookMs: number
}

export type AuditEntry = {
  readonly id: string
  /** When the request was accepted. */
  readonly at: string
  /** The key that was used; null for the administrator. */
  readonly keyId: string | null
  /** The label that the key had. */
  readonly keyLabel: string | null
  /** The operation id of the request. Later versions may add some. */
  readonly action: 'createMarket' | 'editMarket' | 'openMarket' | 'suspendMarket' | 'resumeMarket' | 'closeMarket' | 'changeTradingWindow' | 'resolveMarket' | 'cancelMarket' | 'settleMarket' | 'retrySettlements' | 'acknowledgeSettlement' | 'cancelOrders' | 'createCategory' | 'editCategory' | 'createWebhook' | 'editWebhook' | 'deleteWebhook' | 'rotateWebhookSecret' | 'testWebhook' | 'redeliverWebhook' | 'createOperator' | 'editOperator' | 'createKey' | 'revokeKey' | 'createGlobalCategory' | 'editGlobalCategory' | 'moveShard' | 'drainNode' | 'putPlayerControls' | 'putControls' | 'putOperatorControls' | 'putExchangeControls'
  /** What the act was about: the id of a market, settlement, category, webhook, operator, key or node, the number of a shard, or a player. Of cancelOrders: the market of its filter, else its outcome, else its player. */
  readonly targetId: string | null
  /** The reason of the request, or the source of a resolution. */
  readonly reason: string | null
  /** The X-Request-Id of the response. */
  readonly requestId: string
  /** UNKNOWN while the act is under way, and for good if it was answered with COMMIT_UNKNOWN or INTERNAL_ERROR, or if the service ended before its answer. Acts that were refused are not in the log. */
  readonly outcome: 'DONE' | 'UNKNOWN'
}

export type AuditEntryOfAll = {
  readonly id: string
  /** When the request was accepted. */
  readonly at: string
  /** The key that was used; null for the administrator. */
  readonly keyId: string | null
  /** The label that the key had. */
  readonly keyLabel: string | null
  /** The operation id of the request. Later versions may add some. */
  readonly action: 'createMarket' | 'editMarket' | 'openMarket' | 'suspendMarket' | 'resumeMarket' | 'closeMarket' | 'changeTradingWindow' | 'resolveMarket' | 'cancelMarket' | 'settleMarket' | 'retrySettlements' | 'acknowledgeSettlement' | 'cancelOrders' | 'createCategory' | 'editCategory' | 'createWebhook' | 'editWebhook' | 'deleteWebhook' | 'rotateWebhookSecret' | 'testWebhook' | 'redeliverWebhook' | 'createOperator' | 'editOperator' | 'createKey' | 'revokeKey' | 'createGlobalCategory' | 'editGlobalCategory' | 'moveShard' | 'drainNode' | 'putPlayerControls' | 'putControls' | 'putOperatorControls' | 'putExchangeControls'
  /** What the act was about: the id of a market, settlement, category, webhook, operator, key or node, the number of a shard, or a player. Of cancelOrders: the market of its filter, else its outcome, else its player. */
  readonly targetId: string | null
  /** The reason of the request, or the source of a resolution. */
  readonly reason: string | null
  /** The X-Request-Id of the response. */
  readonly requestId: string
  /** UNKNOWN while the act is under way, and for good if it was answered with COMMIT_UNKNOWN or INTERNAL_ERROR, or if the service ended before its answer. Acts that were refused are not in the log. */
  readonly outcome: 'DONE' | 'UNKNOWN'
  /** The operator whose key was used, or that the administrator has created or changed; null for what concerns no operator. */
  readonly operatorId: string | null
}

export type ExchangeControls = {
  readonly mode: 'OPEN' | 'REDUCE_ONLY' | 'HALTED'
  /** null while OPEN. */
  readonly reason: string | null
  readonly until: string | null
  /** null if there is no brake. */
  readonly updatedAt: string | null
}

export type ExchangeControlsChange = {
  readonly controls: ExchangeControls
  /** How many orders were cancelled. */
  readonly cancelled: number
}

export type OperatorBrake = {
  readonly operatorId: string
  readonly mode: 'OPEN' | 'REDUCE_ONLY' | 'HALTED'
  /** null while OPEN. */
  readonly reason: string | null
  readonly until: string | null
  /** null if there is no brake. */
  readonly updatedAt: string | null
}

export type OperatorBrakeChange = {
  readonly controls: OperatorBrake
  /** How many orders were cancelled. */
  readonly cancelled: number
}

export type OperatorControls = {
  readonly mode: 'OPEN' | 'REDUCE_ONLY' | 'HALTED'
  /** null while OPEN. */
  readonly reason: string | null
  readonly until: string | null
  /** null if there is no brake. */
  readonly updatedAt: string | null
  readonly playerDefaults: {
    /** What one BUY order or mint may cost, without fees: shares x price; what a MARKET order would match now; the whole amount of an order by amount; 1 for each complete set. null: no limit. */
    readonly maxOrderCost?: string | null | undefined
    /** Of one outcome: shares held, wanted by open BUY orders and by this one. null: no limit. */
    readonly maxOutcomeShares?: string | null | undefined
    /** In one market: the cost of positions, of open BUY orders and of this one. null: no limit. */
    readonly maxMarketCost?: string | null | undefined
  } | null
}

export type OperatorControlsChange = {
  readonly controls: OperatorControls
  /** How many orders were cancelled. */
  readonly cancelled: number
}

export type PlayerControls = {
  readonly playerId: string
  readonly mode: 'OPEN' | 'REDUCE_ONLY' | 'HALTED'
  /** null while OPEN. */
  readonly reason: string | null
  readonly until: string | null
  /** null if there is no brake. */
  readonly updatedAt: string | null
  readonly limits: {
    /** What one BUY order or mint may cost, without fees: shares x price; what a MARKET order would match now; the whole amount of an order by amount; 1 for each complete set. null: no limit. */
    readonly maxOrderCost?: string | null | undefined
    /** Of one outcome: shares held, wanted by open BUY orders and by this one. null: no limit. */
    readonly maxOutcomeShares?: string | null | undefined
    /** In one market: the cost of positions, of open BUY orders and of this one. null: no limit. */
    readonly maxMarketCost?: string | null | undefined
  } | null
  /** The player's own limits, and the operator's defaults for the others. */
  readonly limitsInForce: {
    /** What one BUY order or mint may cost, without fees: shares x price; what a MARKET order would match now; the whole amount of an order by amount; 1 for each complete set. null: no limit. */
    readonly maxOrderCost: string | null
    /** Of one outcome: shares held, wanted by open BUY orders and by this one. null: no limit. */
    readonly maxOutcomeShares: string | null
    /** In one market: the cost of positions, of open BUY orders and of this one. null: no limit. */
    readonly maxMarketCost: string | null
  }
  readonly usage: {
    /** Those that have not ended and in which anything is used, oldest first. */
    readonly markets: readonly {
      readonly marketId: string
      /** Of the positions and, at their limits, of the open BUY orders. */
      readonly cost: string
      readonly outcomes: readonly {
        readonly outcomeId: string
        /** Held, and wanted by open BUY orders. */
        readonly shares: string
      }[]
    }[]
  }
}

export type PlayerControlsChange = {
  readonly controls: PlayerControls
  /** How many orders were cancelled. */
  readonly cancelled: number
}

export type PutControls = {
  /** REDUCE_ONLY: only selling, redeeming and cancelling. HALTED: only cancelling. The strictest mode of the player, the operator and the exchange is in force. */
  readonly mode: 'OPEN' | 'REDUCE_ONLY' | 'HALTED'
  /** Required unless the mode is OPEN, which has none. */
  readonly reason?: string | null | undefined
  /** When it is OPEN again by itself; null for never, and if the mode is OPEN. */
  readonly until?: string | null | undefined
  /** Cancels what the mode forbids: with REDUCE_ONLY the open BUY orders, with HALTED all. The answer comes after the last. Otherwise these orders stay, and may still match. */
  readonly cancelOrders?: boolean | undefined
}

export type PutOperatorBrake = {
  /** REDUCE_ONLY: only selling, redeeming and cancelling. HALTED: only cancelling. The strictest mode of the player, the operator and the exchange is in force. */
  readonly mode: 'OPEN' | 'REDUCE_ONLY' | 'HALTED'
  /** Required unless the mode is OPEN, which has none. */
  readonly reason?: string | null | undefined
  /** When it is OPEN again by itself; null for never, and if the mode is OPEN. */
  readonly until?: string | null | undefined
  /** Cancels what the mode forbids: with REDUCE_ONLY the open BUY orders, with HALTED all. The answer comes after the last. Otherwise these orders stay, and may still match. */
  readonly cancelOrders?: boolean | undefined
}

export type PutOperatorControls = {
  /** REDUCE_ONLY: only selling, redeeming and cancelling. HALTED: only cancelling. The strictest mode of the player, the operator and the exchange is in force. */
  readonly mode: 'OPEN' | 'REDUCE_ONLY' | 'HALTED'
  /** Required unless the mode is OPEN, which has none. */
  readonly reason?: string | null | undefined
  /** When it is OPEN again by itself; null for never, and if the mode is OPEN. */
  readonly until?: string | null | undefined
  /** Cancels what the mode forbids: with REDUCE_ONLY the open BUY orders, with HALTED all. The answer comes after the last. Otherwise these orders stay, and may still match. */
  readonly cancelOrders?: boolean | undefined
  readonly playerDefaults?: {
    /** What one BUY order or mint may cost, without fees: shares x price; what a MARKET order would match now; the whole amount of an order by amount; 1 for each complete set. A multiple of 0.000001. null: no limit. Left out: the operator's default, if it is of a player. */
    readonly maxOrderCost?: number | null | undefined
    /** Of one outcome: shares held, wanted by open BUY orders and by this one. A multiple of 0.01. null: no limit. Left out: the operator's default, if it is of a player. */
    readonly maxOutcomeShares?: number | null | undefined
    /** In one market: the cost of positions, of open BUY orders and of this one. A multiple of 0.000001. null: no limit. Left out: the operator's default, if it is of a player. */
    readonly maxMarketCost?: number | null | undefined
  } | null | undefined
}

export type PutPlayerControls = {
  /** REDUCE_ONLY: only selling, redeeming and cancelling. HALTED: only cancelling. The strictest mode of the player, the operator and the exchange is in force. */
  readonly mode: 'OPEN' | 'REDUCE_ONLY' | 'HALTED'
  /** Required unless the mode is OPEN, which has none. */
  readonly reason?: string | null | undefined
  /** When it is OPEN again by itself; null for never, and if the mode is OPEN. */
  readonly until?: string | null | undefined
  /** Cancels what the mode forbids: with REDUCE_ONLY the open BUY orders, with HALTED all. The answer comes after the last. Otherwise these orders stay, and may still match. */
  readonly cancelOrders?: boolean | undefined
  readonly limits?: {
    /** What one BUY order or mint may cost, without fees: shares x price; what a MARKET order would match now; the whole amount of an order by amount; 1 for each complete set. A multiple of 0.000001. null: no limit. Left out: the operator's default, if it is of a player. */
    readonly maxOrderCost?: number | null | undefined
    /** Of one outcome: shares held, wanted by open BUY orders and by this one. A multiple of 0.01. null: no limit. Left out: the operator's default, if it is of a player. */
    readonly maxOutcomeShares?: number | null | undefined
    /** In one market: the cost of positions, of open BUY orders and of this one. A multiple of 0.000001. null: no limit. Left out: the operator's default, if it is of a player. */
    readonly maxMarketCost?: number | null | undefined
  } | null | undefined
}

export type TradingStatus = {
  /** false while the whole exchange is HALTED. */
  readonly trading: boolean
  readonly mode: 'OPEN' | 'REDUCE_ONLY' | 'HALTED'
  readonly reason: string | null
  /** Since when; null if it was never another. */
  readonly since: string | null
}

export type Problem = {
  /** `urn:outcry:error:` and the code. */
  readonly type: string
  /** The code in words. */
  readonly title: string
  readonly status: number
  /** The message of the error. */
  readonly detail: string
  /** `urn:outcry:request:` and the X-Request-Id. */
  readonly instance: string
  readonly code: string
  /** What a program may need. With VALIDATION_ERROR: `faults`, an array of `{ field, message }`. */
  readonly details?: { readonly [name: string]: unknown } | undefined
  readonly success: false
  readonly error: {
    readonly code: string
    readonly message: string
    /** What a program may need. With VALIDATION_ERROR: `faults`, an array of `{ field, message }`. */
    readonly details?: { readonly [name: string]: unknown } | undefined
  }
}

export type RateLimits = {
  readonly limits: readonly ({
    /** As in the headers RateLimit and RateLimit-Policy. `public` is that of requests without a key from your address. */
    readonly name: 'orders' | 'cancels' | 'requests' | 'public'
    /** The cost allowed per second; 0 for no limit. */
    readonly perSecond: number
    /** What is left of it now; null if there is no limit. */
    readonly remaining: number | null
  })[]
}

export type Subscribe = {
  /** Always `subscribe`. */
  readonly op: 'subscribe'
  /** Returned in the response to this message. */
  readonly id?: string | undefined
  /** `orderbook`, `prices` and `trades` are public; `events` needs a key. */
  readonly channels: readonly ('orderbook' | 'prices' | 'trades' | 'events')[]
  /** Required with a public channel; `events` always covers all markets. */
  readonly marketIds?: readonly string[] | undefined
  /** Only these outcomes of the markets; all outcomes if omitted. */
  readonly outcomeIds?: readonly string[] | undefined
  /** With `events`: all stored events with a greater sequence are sent first. If omitted, or greater than the last sequence, only new events are sent. */
  readonly since?: number | undefined
  /** The historyId of an earlier answer. If the database has another one, or since is greater than the latest sequence, the request is rejected with EVENTS_REWOUND. */
  readonly historyId?: string | undefined
}

export type Unsubscribe = {
  /** Always `unsubscribe`. */
  readonly op: 'unsubscribe'
  /** Returned in the response to this message. */
  readonly id?: string | undefined
  /** `orderbook`, `prices` and `trades` are public; `events` needs a key. */
  readonly channels: readonly ('orderbook' | 'prices' | 'trades' | 'events')[]
  /** Only these markets; all markets if omitted. `events` always ends for all markets. */
  readonly marketIds?: readonly string[] | undefined
  /** Only these outcomes; all outcomes if omitted. */
  readonly outcomeIds?: readonly string[] | undefined
}

export type Auth = {
  /** Always `auth`. */
  readonly op: 'auth'
  /** Returned in the response to this message. */
  readonly id?: string | undefined
  /** An API key with the scope `read`. */
  readonly apiKey: string
}

export type DeadManOp = {
  /** Always `deadMan`. */
  readonly op: 'deadMan'
  /** Returned in the response to this message. */
  readonly id?: string | undefined
  /** The switch is triggered so long after the last time that it was armed. */
  readonly timeoutMs: number
  /** The whole operator if omitted. */
  readonly playerId?: string | undefined
}

export type Ping = {
  /** Always `ping`. */
  readonly op: 'ping'
  /** Returned in the response to this message. */
  readonly id?: string | undefined
}

export type Subscribed = {
  /** Always `subscribed`. */
  readonly type: 'subscribed'
  /** The id of the message that is answered; null if it had none. */
  readonly id: string | null
  readonly channels: readonly ('orderbook' | 'prices' | 'trades' | 'events')[]
  readonly marketIds: readonly string[]
  /** All outcomes of this subscription. */
  readonly outcomeIds: readonly string[]
  /** With `since`: the sequence of the oldest stored event. If it is greater than since + 1, the events in between are no longer stored. */
  readonly earliestSequence?: number | undefined
  /** With `events`: the sequence of the operator's latest event. Without `since`, the events after it are sent. */
  readonly latestSequence?: number | undefined
  /** With `events`. The history of the database. A restore changes it; restarts and failovers do not. Store it with the sequence, and send both. */
  readonly historyId?: string | undefined
}

export type BookSnapshot = {
  /** Always `orderbook.snapshot`. */
  readonly type: 'orderbook.snapshot'
  readonly marketId: string
  readonly outcomeId: string
  /** Increases by 1 with each change of this book. */
  readonly version: number
  /** Best price first; at most 1000. */
  readonly bids: readonly Level[]
  /** Best price first; at most 1000. */
  readonly asks: readonly Level[]
  /** null if there is none. */
  readonly bestBid: number | null
  /** null if there is none. */
  readonly bestAsk: number | null
  /** The best ask minus the best bid; null unless both exist. */
  readonly spread: number | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type BookUpdate = {
  /** Always `orderbook.update`. */
  readonly type: 'orderbook.update'
  readonly marketId: string
  readonly outcomeId: string
  /** Increases by 1 with each change of this book. */
  readonly version: number
  /** The levels that changed, with their new values; shares is 0 if a level was removed. */
  readonly bids: readonly Level[]
  /** The levels that changed, with their new values; shares is 0 if a level was removed. */
  readonly asks: readonly Level[]
  /** null if there is none. */
  readonly bestBid: number | null
  /** null if there is none. */
  readonly bestAsk: number | null
  /** The best ask minus the best bid; null unless both exist. */
  readonly spread: number | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type PriceMessage = {
  /** Always `price`. */
  readonly type: 'price'
  readonly marketId: string
  readonly outcomeId: string
  /** null if there is none. */
  readonly bestBid: number | null
  /** null if there is none. */
  readonly bestAsk: number | null
  /** null if there is none. */
  readonly lastPrice: number | null
  /** The midpoint of the best bid and the best ask; null unless both exist. */
  readonly midPrice: number | null
  /** The best ask minus the best bid; null unless both exist. */
  readonly spread: number | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type TradeMessage = {
  /** Always `trade`. */
  readonly type: 'trade'
  readonly marketId: string
  readonly outcomeId: string
  /** A multiple of 0.0001. */
  readonly price: number
  /** A multiple of 0.01. */
  readonly shares: number
  readonly takerSide: 'BUY' | 'SELL'
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type Authenticated = {
  /** Always `authenticated`. */
  readonly type: 'authenticated'
  /** The id of the message that is answered; null if it had none. */
  readonly id: string | null
  readonly operatorId: string
}

export type DeadManAnswer = {
  /** Always `deadMan`. */
  readonly type: 'deadMan'
  /** The id of the message that is answered; null if it had none. */
  readonly id: string | null
  /** null for the whole operator. */
  readonly playerId: string | null
  readonly state: 'ARMED' | 'TRIGGERED'
  /** When it is, or was, triggered. */
  readonly deadline: string
  readonly timeoutMs: number
}

export type EventMessage = {
  /** Always `event`. */
  readonly type: 'event'
  readonly event: Event
}

export type Heartbeat = {
  /** Always `heartbeat`. */
  readonly type: 'heartbeat'
  /** Unix milliseconds. */
  readonly timestamp: number
  /** The current version of each subscribed book. */
  readonly books: readonly {
    readonly outcomeId: string
    /** Increases by 1 with each change of this book. */
    readonly version: number
  }[]
}

export type Unsubscribed = {
  /** Always `unsubscribed`. */
  readonly type: 'unsubscribed'
  /** The id of the message that is answered; null if it had none. */
  readonly id: string | null
  readonly channels: readonly ('orderbook' | 'prices' | 'trades' | 'events')[]
  readonly marketIds: readonly string[]
  /** All outcomes whose subscription ended. */
  readonly outcomeIds: readonly string[]
}

export type Pong = {
  /** Always `pong`. */
  readonly type: 'pong'
  /** The id of the message that is answered; null if it had none. */
  readonly id: string | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type ErrorMessage = {
  /** Always `error`. */
  readonly type: 'error'
  /** The id of the message that is answered; null if it had none. */
  readonly id: string | null
  readonly error: {
    readonly code: 'VALIDATION_ERROR' | 'ORDER_INVALID_SHARES' | 'ORDER_INVALID_PRICE' | 'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND' | 'MARKET_NOT_FOUND' | 'OUTCOME_NOT_FOUND' | 'ORDER_NOT_FOUND' | 'CATEGORY_NOT_FOUND' | 'WEBHOOK_NOT_FOUND' | 'TRADE_NOT_FOUND' | 'SETTLEMENT_NOT_FOUND' | 'ORDER_GROUP_NOT_FOUND' | 'OPERATOR_NOT_FOUND' | 'KEY_NOT_FOUND' | 'SHARD_NOT_FOUND' | 'NODE_NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'REQUEST_TIMEOUT' | 'MARKET_NOT_OPEN' | 'MARKET_INVALID_TRANSITION' | 'MARKET_NOT_EDITABLE' | 'ORDER_CANNOT_CANCEL' | 'ORDER_CANNOT_AMEND' | 'ORDER_NOT_OPEN' | 'ORDER_NO_LIQUIDITY' | 'ORDER_OUTSIDE_BAND' | 'ORDER_WOULD_MATCH' | 'ORDER_DUPLICATE_TRANSACTION' | 'DEAD_MAN_TRIGGERED' | 'ORDER_GROUP_TRIGGERED' | 'ORDER_GROUP_LIMIT' | 'TRADING_RESTRICTED' | 'POSITION_INSUFFICIENT_SHARES' | 'LIMIT_EXCEEDED' | 'ORDER_LIMIT' | 'CATEGORY_DUPLICATE_SLUG' | 'WEBHOOK_LIMIT' | 'SUBSCRIPTION_LIMIT' | 'EVENTS_REWOUND' | 'OPERATOR_LIMIT' | 'NODE_CANNOT_OWN' | 'NOT_IN_CLUSTER' | 'SETTLEMENT_ALREADY_COMPLETED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'IDEMPOTENCY_KEY_REUSED' | 'RATE_LIMITED' | 'HEADERS_TOO_LARGE' | 'SETTLEMENT_FAILED' | 'INTERNAL_ERROR' | 'UNAVAILABLE' | 'COMMIT_UNKNOWN'
    /** A description for humans. */
    readonly message: string
    readonly details?: { readonly [name: string]: unknown } | undefined
  }
}

export type MarketCreated = {
  readonly marketId: string
  /** The operator that the market, order, position or settlement belongs to. */
  readonly operatorId: string
  readonly title: string
  readonly status: 'DRAFT' | 'UPCOMING' | 'OPEN' | 'SUSPENDED' | 'CLOSED' | 'RESOLVED' | 'SETTLED' | 'CANCELLED'
  readonly currency: string
  readonly categoryId: string | null
  readonly outcomes: readonly {
    readonly id: string
    readonly name: string
    readonly index: number
  }[]
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type MarketStatusChanged = {
  readonly marketId: string
  /** The operator that the market, order, position or settlement belongs to. */
  readonly operatorId: string
  readonly previousStatus: 'DRAFT' | 'UPCOMING' | 'OPEN' | 'SUSPENDED' | 'CLOSED' | 'RESOLVED' | 'SETTLED' | 'CANCELLED'
  readonly status: 'DRAFT' | 'UPCOMING' | 'OPEN' | 'SUSPENDED' | 'CLOSED' | 'RESOLVED' | 'SETTLED' | 'CANCELLED'
  readonly reason: string | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type MarketUpdated = {
  readonly marketId: string
  /** The present end of trading, ISO 8601. */
  readonly tradingEndsAt: string | null
  /** Of a change of the trading window; null otherwise. */
  readonly reason: string | null
  readonly priceBand: {
    readonly maxMove: number
    readonly suspendOnBand: boolean
  } | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type MarketResolved = {
  readonly marketId: string
  /** The operator that the market, order, position or settlement belongs to. */
  readonly operatorId: string
  readonly winningOutcomeId: string | null
  readonly resolutionSource: string
  readonly resolutionNotes: string | null
  /** The payout of every outcome; null if the market has a winning outcome. */
  readonly payouts: readonly {
    readonly outcomeId: string
    readonly payoutPerShare: number
  }[] | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type OrderPlaced = {
  readonly orderId: string
  readonly marketId: string
  readonly outcomeId: string
  /** The operator that the market, order, position or settlement belongs to. */
  readonly operatorId: string
  readonly side: 'BUY' | 'SELL'
  /** The operator's own identifier of the player; null only in an event that an earlier version of the service has recorded. */
  readonly playerId: string | null
  /** The transactionId of the request that placed the order; null if it had none, and in an event that an earlier version of the service has recorded. */
  readonly transactionId: string | null
  readonly type: 'LIMIT' | 'MARKET'
  /** A multiple of 0.01. */
  readonly shares: number
  /** null for a MARKET order. */
  readonly price: number | null
  readonly status: 'PENDING' | 'PARTIAL' | 'FILLED' | 'CANCELLED' | 'EXPIRED' | 'REJECTED'
  /** The filled shares after matching. */
  readonly filledShares: number
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type OrderAmended = {
  readonly orderId: string
  readonly marketId: string
  readonly outcomeId: string
  /** The operator that the market, order, position or settlement belongs to. */
  readonly operatorId: string
  readonly side: 'BUY' | 'SELL'
  /** The operator's own identifier of the player; null only in an event that an earlier version of the service has recorded. */
  readonly playerId: string | null
  /** The transactionId of the request that placed the order; null if it had none, and in an event that an earlier version of the service has recorded. */
  readonly transactionId: string | null
  readonly type: 'LIMIT' | 'MARKET'
  /** A multiple of 0.01. */
  readonly shares: number
  /** null for a MARKET order. */
  readonly price: number | null
  readonly status: 'PENDING' | 'PARTIAL' | 'FILLED' | 'CANCELLED' | 'EXPIRED' | 'REJECTED'
  /** The filled shares after matching. */
  readonly filledShares: number
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type OrderMatched = {
  readonly orderId: string
  readonly tradeId: string
  readonly marketId: string
  readonly outcomeId: string
  /** The operator that the market, order, position or settlement belongs to. */
  readonly operatorId: string
  readonly side: 'BUY' | 'SELL'
  /** The operator's own identifier of the player; null only in an event that an earlier version of the service has recorded. */
  readonly playerId: string | null
  /** The transactionId of the request that placed the order; null if it had none, and in an event that an earlier version of the service has recorded. */
  readonly transactionId: string | null
  /** TAKER: the order was the incoming order of this trade. MAKER: it was resting in its book; null only in an event that an earlier version of the service has recorded. */
  readonly role: 'MAKER' | 'TAKER' | null | null
  /** A multiple of 0.0001. */
  readonly price: number
  /** The shares of this trade. */
  readonly shares: number
  /** The fee of this order for this trade, as in the record of the trade. It has up to 10 decimals, all of them exact below 500,000; null only in an event that an earlier version of the service has recorded. */
  readonly fee: number | null
  /** The filled shares of the order after this trade. */
  readonly filledShares: number
  /** The remaining shares of the order after this trade. */
  readonly remainingShares: number
  readonly status: 'PENDING' | 'PARTIAL' | 'FILLED' | 'CANCELLED' | 'EXPIRED' | 'REJECTED'
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type OrderCancelled = {
  readonly orderId: string
  readonly marketId: string
  readonly outcomeId: string
  /** The operator that the market, order, position or settlement belongs to. */
  readonly operatorId: string
  readonly side: 'BUY' | 'SELL'
  /** The operator's own identifier of the player. */
  readonly playerId: string
  /** The transactionId of the request that placed the order; null if it had none, and in an event that an earlier version of the service has recorded. */
  readonly transactionId: string | null
  /** null for a MARKET order. */
  readonly price: number | null
  /** A multiple of 0.01. */
  readonly shares: number
  /** A multiple of 0.01. */
  readonly filledShares: number
  /** A multiple of 0.01. */
  readonly cancelledShares: number
  readonly status: 'PENDING' | 'PARTIAL' | 'FILLED' | 'CANCELLED' | 'EXPIRED' | 'REJECTED'
  readonly reason: 'REQUESTED' | 'EXPIRED' | 'IMMEDIATE' | 'SELF_TRADE' | 'MARKET_CANCELLED' | 'SETTLEMENT' | 'FILL_LIMIT' | 'DEAD_MAN' | 'TRADING_RESTRICTED' | 'PRICE_BAND' | 'ORDER_GROUP'
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type PositionUpdated = {
  readonly positionId: string
  readonly marketId: string
  readonly outcomeId: string
  /** The operator that the market, order, position or settlement belongs to. */
  readonly operatorId: string
  /** The operator's own identifier of the player. */
  readonly playerId: string
  /** A multiple of 0.01. */
  readonly shares: number
  /** Up to 8 decimals. */
  readonly avgPrice: number
  readonly totalCost: number
  readonly realizedPnl: number
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type OrderBookUpdate = {
  readonly marketId: string
  readonly outcomeId: string
  /** Increases by 1 with each change of this book. */
  readonly version: number
  /** The levels that changed, with their new values; shares is 0 if a level was removed. */
  readonly bids: readonly {
    /** A multiple of 0.0001. */
    readonly price: number
    /** A multiple of 0.01. */
    readonly shares: number
    readonly orderCount: number
  }[]
  /** The levels that changed, with their new values; shares is 0 if a level was removed. */
  readonly asks: readonly {
    /** A multiple of 0.0001. */
    readonly price: number
    /** A multiple of 0.01. */
    readonly shares: number
    readonly orderCount: number
  }[]
  /** null if there is none. */
  readonly bestBid: number | null
  /** null if there is none. */
  readonly bestAsk: number | null
  /** The best ask minus the best bid; null unless both exist. */
  readonly spread: number | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type PriceUpdated = {
  readonly marketId: string
  readonly outcomeId: string
  /** null if there is none. */
  readonly bestBid: number | null
  /** null if there is none. */
  readonly bestAsk: number | null
  /** null if there is none. */
  readonly lastPrice: number | null
  /** The midpoint of the best bid and the best ask; null unless both exist. */
  readonly midPrice: number | null
  /** The best ask minus the best bid; null unless both exist. */
  readonly spread: number | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type SettlementCompleted = {
  readonly settlementId: string
  readonly positionId: string
  readonly marketId: string
  readonly outcomeId: string
  /** The operator that the market, order, position or settlement belongs to. */
  readonly operatorId: string
  /** The operator's own identifier of the player. */
  readonly playerId: string
  /** A multiple of 0.01. */
  readonly shares: number
  readonly payoutPerShare: number
  readonly totalPayout: number
  readonly status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type DeadManTriggered = {
  /** null for the switch of the whole operator. */
  readonly playerId: string | null
  /** When it was to be renewed at last, ISO 8601. */
  readonly deadline: string
  readonly timeoutMs: number
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type ControlsChanged = {
  readonly scope: 'EXCHANGE' | 'OPERATOR' | 'PLAYER'
  /** null if the scope is not PLAYER. */
  readonly playerId: string | null
  readonly mode: 'OPEN' | 'REDUCE_ONLY' | 'HALTED'
  /** null while OPEN, and where the reason is the administrator's. */
  readonly reason: string | null
  /** When it is OPEN again by itself, ISO 8601. */
  readonly until: string | null
  /** Of the player, or the defaults of the operator for its players, as they were sent: null for no limit; one that is left out is the default. null where there are none. */
  readonly limits: {
    /** What one BUY order or mint may cost, without fees: shares x price; what a MARKET order would match now; the whole amount of an order by amount; 1 for each complete set. */
    readonly maxOrderCost?: number | null | undefined
    /** Of one outcome: shares held, wanted by open BUY orders and by this one. */
    readonly maxOutcomeShares?: number | null | undefined
    /** In one market: the cost of positions, of open BUY orders and of this one. */
    readonly maxMarketCost?: number | null | undefined
  } | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type OrderGroupTriggered = {
  readonly groupId: string
  /** The operator's own identifier of the player. */
  readonly playerId: string
  /** What was filled within the window, the trade that triggers it included. */
  readonly matchedShares: number
  readonly limitShares: number
  /** LIMIT: by a trade. REQUESTED: by the operator. */
  readonly cause: 'LIMIT' | 'REQUESTED'
  /** Unix milliseconds. */
  readonly timestamp: number
}

/** A message from the client. */
export type ClientMessage = Subscribe | Unsubscribe | Auth | DeadManOp | Ping

/** A message from the service. */
export type ServerMessage = Subscribed | BookSnapshot | BookUpdate | PriceMessage | TradeMessage | Authenticated | DeadManAnswer | EventMessage | Heartbeat | Unsubscribed | Pong | ErrorMessage

/** Every error code of the service. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'ORDER_INVALID_SHARES'
  | 'ORDER_INVALID_PRICE'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'MARKET_NOT_FOUND'
  | 'OUTCOME_NOT_FOUND'
  | 'ORDER_NOT_FOUND'
  | 'CATEGORY_NOT_FOUND'
  | 'WEBHOOK_NOT_FOUND'
  | 'TRADE_NOT_FOUND'
  | 'SETTLEMENT_NOT_FOUND'
  | 'ORDER_GROUP_NOT_FOUND'
  | 'OPERATOR_NOT_FOUND'
  | 'KEY_NOT_FOUND'
  | 'SHARD_NOT_FOUND'
  | 'NODE_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'MARKET_NOT_OPEN'
  | 'MARKET_INVALID_TRANSITION'
  | 'MARKET_NOT_EDITABLE'
  | 'ORDER_CANNOT_CANCEL'
  | 'ORDER_CANNOT_AMEND'
  | 'ORDER_NOT_OPEN'
  | 'ORDER_NO_LIQUIDITY'
  | 'ORDER_OUTSIDE_BAND'
  | 'ORDER_WOULD_MATCH'
  | 'ORDER_DUPLICATE_TRANSACTION'
  | 'DEAD_MAN_TRIGGERED'
  | 'ORDER_GROUP_TRIGGERED'
  | 'ORDER_GROUP_LIMIT'
  | 'TRADING_RESTRICTED'
  | 'POSITION_INSUFFICIENT_SHARES'
  | 'LIMIT_EXCEEDED'
  | 'ORDER_LIMIT'
  | 'CATEGORY_DUPLICATE_SLUG'
  | 'WEBHOOK_LIMIT'
  | 'SUBSCRIPTION_LIMIT'
  | 'EVENTS_REWOUND'
  | 'OPERATOR_LIMIT'
  | 'NODE_CANNOT_OWN'
  | 'NOT_IN_CLUSTER'
  | 'SETTLEMENT_ALREADY_COMPLETED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'RATE_LIMITED'
  | 'HEADERS_TOO_LARGE'
  | 'SETTLEMENT_FAILED'
  | 'INTERNAL_ERROR'
  | 'UNAVAILABLE'
  | 'COMMIT_UNKNOWN'

/** Every route: its query, its body, and the data of its answer. */
export type Routes = {
  'POST /api/v1/markets': {
    query: undefined
    body: CreateMarket
    data: Market
  }
  'GET /api/v1/markets': {
    query: {
      readonly categoryId?: string | undefined
      readonly status?: string | undefined
      readonly search?: string | undefined
      readonly shared?: boolean | undefined
      readonly attention?: boolean | undefined
      readonly sort?: 'createdAt' | 'title' | 'totalVolume' | 'totalTrades' | 'tradingEndsAt' | undefined
      readonly order?: 'asc' | 'desc' | undefined
      readonly cursor?: string | undefined
      readonly limit?: number | undefined
    }
    body: undefined
    data: {
      readonly markets: readonly Market[]
      /** The number of items on all pages. A filtered list is counted up to 10000. */
      readonly total: number
      /** false if there are more items than total. */
      readonly totalIsExact: boolean
      readonly hasMore: boolean
      readonly nextCursor: string | null
    }
  }
  'PATCH /api/v1/markets/{}': {
    query: undefined
    body: EditMarket
    data: Market
  }
  'GET /api/v1/markets/{}': {
    query: undefined
    body: undefined
    data: Market
  }
  'GET /api/v1/markets/summaries': {
    query: {
      readonly marketIds: string
    }
    body: undefined
    data: {
      readonly summaries: readonly MarketSummary[]
    }
  }
  'GET /api/v1/admin/operators/{}/markets': {
    query: {
      readonly categoryId?: string | undefined
      readonly status?: string | undefined
      readonly search?: string | undefined
      readonly shared?: boolean | undefined
      readonly attention?: boolean | undefined
      readonly sort?: 'createdAt' | 'title' | 'totalVolume' | 'totalTrades' | 'tradingEndsAt' | undefined
      readonly order?: 'asc' | 'desc' | undefined
      readonly cursor?: string | undefined
      readonly limit?: number | undefined
    }
    body: undefined
    data: {
      readonly markets: readonly Market[]
      /** The number of items on all pages. A filtered list is counted up to 10000. */
      readonly total: number
      /** false if there are more items than total. */
      readonly totalIsExact: boolean
      readonly hasMore: boolean
      readonly nextCursor: string | null
    }
  }
  'POST /api/v1/markets/{}/open': {
    query: undefined
    body: undefined
    data: Market
  }
  'POST /api/v1/markets/{}/resume': {
    query: undefined
    body: undefined
    data: Market
  }
  'POST /api/v1/markets/{}/close': {
    query: undefined
    body: undefined
    data: Market
  }
  'POST /api/v1/markets/{}/suspend': {
    query: undefined
    body: GiveReason
    data: Market
  }
  'POST /api/v1/markets/{}/cancel': {
    query: undefined
    body: GiveReason
    data: Market
  }
  'POST /api/v1/markets/{}/resolve': {
    query: undefined
    body: ResolveMarket
    data: Market
  }
  'POST /api/v1/markets/{}/trading-window': {
    query: undefined
    body: ChangeTradingWindow
    data: Market
  }
  'POST /api/v1/orders': {
    query: undefined
    body: PlaceOrder
    data: Placement
  }
  'GET /api/v1/orders': {
    query: {
      readonly playerId?: string | undefined
      readonly marketId?: string | undefined
      readonly outcomeId?: string | undefined
      readonly side?: 'BUY' | 'SELL' | undefined
      readonly type?: 'MARKET' | 'LIMIT' | undefined
      readonly status?: string | undefined
      readonly transactionId?: string | undefined
      readonly cursor?: string | undefined
      readonly limit?: number | undefined
    }
    body: undefined
    data: {
      readonly orders: readonly Order[]
      /** The number of items on all pages. A filtered list is counted up to 10000. */
      readonly total: number
      /** false if there are more items than total. */
      readonly totalIsExact: boolean
      readonly hasMore: boolean
      readonly nextCursor: string | null
    }
  }
  'DELETE /api/v1/orders': {
    query: {
      readonly marketId?: string | undefined
      readonly playerId?: string | undefined
      readonly outcomeId?: string | undefined
      readonly side?: 'BUY' | 'SELL' | undefined
    }
    body: undefined
    data: {
      /** The number of cancelled orders. */
      readonly cancelled: number
    }
  }
  'POST /api/v1/orders/preview': {
    query: undefined
    body: PlaceOrder
    data: Preview
  }
  'PATCH /api/v1/orders/{}': {
    query: undefined
    body: AmendOrder
    data: Placement
  }
  'DELETE /api/v1/orders/{}': {
    query: undefined
    body: undefined
    data: Order
  }
  'GET /api/v1/orders/{}': {
    query: undefined
    body: undefined
    data: Order
  }
  'POST /api/v1/orders/batch': {
    query: undefined
    body: PlaceOrders
    data: {
      /** One result per order, in the order of the request. */
      readonly results: readonly ({
        readonly success: true
        readonly data: Placement
        /** The order was already carried out; nothing was done again. */
        readonly replayed?: true | undefined
      } | {
        readonly success: false
        readonly error: {
          readonly code: 'VALIDATION_ERROR' | 'ORDER_INVALID_SHARES' | 'ORDER_INVALID_PRICE' | 'MARKET_NOT_FOUND' | 'MARKET_NOT_OPEN' | 'TRADING_RESTRICTED' | 'DEAD_MAN_TRIGGERED' | 'ORDER_GROUP_NOT_FOUND' | 'ORDER_GROUP_TRIGGERED' | 'POSITION_INSUFFICIENT_SHARES' | 'LIMIT_EXCEEDED' | 'ORDER_LIMIT' | 'ORDER_OUTSIDE_BAND' | 'ORDER_NO_LIQUIDITY' | 'ORDER_WOULD_MATCH' | 'ORDER_DUPLICATE_TRANSACTION' | 'UNAVAILABLE' | 'COMMIT_UNKNOWN' | 'INTERNAL_ERROR'
          readonly message: string
          /** What a program may need. With VALIDATION_ERROR: `faults`, an array of `{ field, message }`. */
          readonly details?: { readonly [name: string]: unknown } | undefined
        }
        /** The order was already carried out; nothing was done again. */
        readonly replayed?: true | undefined
      })[]
    }
  }
  'PUT /api/v1/dead-man': {
    query: undefined
    body: ArmDeadMan
    data: DeadMan
  }
  'GET /api/v1/dead-man': {
    query: {
      readonly playerId?: string | undefined
    }
    body: undefined
    data: DeadMan
  }
  'DELETE /api/v1/dead-man': {
    query: {
      readonly playerId?: string | undefined
    }
    body: undefined
    data: {
      readonly message: string
    }
  }
  'POST /api/v1/order-groups': {
    query: undefined
    body: CreateOrderGroup
    data: OrderGroup
  }
  'GET /api/v1/order-groups': {
    query: {
      readonly playerId?: string | undefined
      readonly cursor?: string | undefined
      readonly limit?: number | undefined
    }
    body: undefined
    data: {
      readonly orderGroups: readonly OrderGroup[]
      /** The number of items on all pages. A filtered list is counted up to 10000. */
      readonly total: number
      /** false if there are more items than total. */
      readonly totalIsExact: boolean
      readonly hasMore: boolean
      readonly nextCursor: string | null
    }
  }
  'GET /api/v1/order-groups/{}': {
    query: undefined
    body: undefined
    data: OrderGroup
  }
  'PATCH /api/v1/order-groups/{}': {
    query: undefined
    body: LimitOrderGroup
    data: OrderGroup
  }
  'DELETE /api/v1/order-groups/{}': {
    query: undefined
    body: undefined
    data: {
      readonly message: string
    }
  }
  'POST /api/v1/order-groups/{}/trigger': {
    query: undefined
    body: undefined
    data: OrderGroup
  }
  'POST /api/v1/order-groups/{}/reset': {
    query: undefined
    body: undefined
    data: OrderGroup
  }
  'GET /api/v1/orders/{}/queue': {
    query: undefined
    body: undefined
    data: QueuePosition
  }
  'GET /api/v1/orders/queue': {
    query: {
      readonly marketId?: string | undefined
      readonly playerId?: string | undefined
    }
    body: undefined
    data: QueuePositions
  }
  'GET /api/v1/trades': {
    query: {
      readonly marketId?: string | undefined
      readonly outcomeId?: string | undefined
      readonly orderId?: string | undefined
      readonly playerId?: string | undefined
      readonly cursor?: string | undefined
      readonly limit?: number | undefined
    }
    body: undefined
    data: {
      readonly trades: readonly Trade[]
      /** The number of items on all pages. A filtered list is counted up to 10000. */
      readonly total: number
      /** false if there are more items than total. */
      readonly totalIsExact: boolean
      readonly hasMore: boolean
      readonly nextCursor: string | null
    }
  }
  'GET /api/v1/trades/{}': {
    query: undefined
    body: undefined
    data: Trade
  }
  'GET /api/v1/positions': {
    query: {
      readonly marketId?: string | undefined
      readonly playerId?: string | undefined
      readonly cursor?: string | undefined
      readonly limit?: number | undefined
    }
    body: undefined
    data: readonly ValuedPosition[] | {
      readonly positions: readonly ValuedPosition[]
      /** The number of items on all pages. A filtered list is counted up to 10000. */
      readonly total: number
      /** false if there are more items than total. */
      readonly totalIsExact: boolean
      readonly hasMore: boolean
      readonly nextCursor: string | null
    }
  }
  'POST /api/v1/markets/{}/mint': {
    query: undefined
    body: ChangeSets
    data: CompleteSets
  }
  'POST /api/v1/markets/{}/redeem': {
    query: undefined
    body: ChangeSets
    data: CompleteSets
  }
  'GET /api/v1/players': {
    query: {
      readonly search?: string | undefined
      readonly cursor?: string | undefined
      readonly limit?: number | undefined
    }
    body: undefined
    data: {
      readonly players: readonly ListedPlayer[]
      /** The number of items on all pages. A filtered list is counted up to 10000. */
      readonly total: number
      /** false if there are more items than total. */
      readonly totalIsExact: boolean
      readonly hasMore: boolean
      readonly nextCursor: string | null
    }
  }
  'POST /api/v1/markets/{}/settlement-preview': {
    query: undefined
    body: PreviewSettlement
    data: SettlementPreview
  }
  'POST /api/v1/markets/{}/settle': {
    query: undefined
    body: undefined
    data: SettleResult
  }
  'POST /api/v1/markets/{}/retry-settlements': {
    query: undefined
    body: undefined
    data: SettleResult
  }
  'POST /api/v1/settlements/{}/acknowledge': {
    query: undefined
    body: AcknowledgeSettlement
    data: Settlement
  }
  'GET /api/v1/settlements': {
    query: {
      readonly marketId?: string | undefined
      readonly playerId?: string | undefined
      readonly cursor?: string | undefined
      readonly limit?: number | undefined
      readonly acknowledged?: boolean | undefined
    }
    body: undefined
    data: readonly Settlement[] | {
      readonly settlements: readonly Settlement[]
      /** The number of items on all pages. A filtered list is counted up to 10000. */
      readonly total: number
      /** false if there are more items than total. */
      readonly totalIsExact: boolean
      readonly hasMore: boolean
      readonly nextCursor: string | null
    }
  }
  'GET /api/v1/markets/{}/settlement-status': {
    query: undefined
    body: undefined
    data: SettlementSummary
  }
  'GET /api/v1/players/{}/exposure': {
    query: undefined
    body: undefined
    data: Exposure
  }
  'GET /api/v1/players/{}/valuation': {
    query: undefined
    body: undefined
    data: Valuation
  }
  'GET /api/v1/markets/{}/reconciliation': {
    query: undefined
    body: undefined
    data: Reconciliation
  }
  'POST /api/v1/categories': {
    query: undefined
    body: CreateCategory
    data: Category
  }
  'GET /api/v1/categories': {
    query: {
      readonly includeGlobal?: boolean | undefined
      readonly activeOnly?: boolean | undefined
    }
    body: undefined
    data: readonly Category[]
  }
  'POST /api/v1/admin/categories': {
    query: undefined
    body: CreateCategory
    data: Category
  }
  'GET /api/v1/admin/categories': {
    query: {
      readonly activeOnly?: boolean | undefined
    }
    body: undefined
    data: readonly Category[]
  }
  'PATCH /api/v1/categories/{}': {
    query: undefined
    body: EditCategory
    data: Category
  }
  'GET /api/v1/categories/{}': {
    query: undefined
    body: undefined
    data: Category
  }
  'PATCH /api/v1/admin/categories/{}': {
    query: undefined
    body: EditCategory
    data: Category
  }
  'GET /api/v1/markets/{}/orderbook/{}': {
    query: {
      readonly depth?: number | undefined
      readonly implied?: boolean | undefined
    }
    body: undefined
    data: OrderBook
  }
  'GET /api/v1/markets/{}/prices': {
    query: undefined
    body: undefined
    data: readonly OutcomePrice[]
  }
  'GET /api/v1/markets/{}/prices/{}': {
    query: undefined
    body: undefined
    data: OutcomePrice
  }
  'GET /api/v1/stats/overview': {
    query: undefined
    body: undefined
    data: Statistics
  }
  'GET /api/v1/stats/daily': {
    query: {
      readonly from?: string | undefined
      readonly to?: string | undefined
      readonly marketId?: string | undefined
      readonly categoryId?: string | undefined
    }
    body: undefined
    data: DailyStatistics
  }
  'GET /api/v1/public/markets/{}': {
    query: undefined
    body: undefined
    data: PublicMarket
  }
  'GET /api/v1/markets/{}/candles/{}': {
    query: {
      readonly interval?: '1m' | '5m' | '1h' | '1d' | undefined
      readonly from?: string | undefined
      readonly to?: string | undefined
    }
    body: undefined
    data: readonly Candle[]
  }
  'GET /api/v1/markets/{}/trades/{}': {
    query: {
      readonly cursor?: string | undefined
      readonly limit?: number | undefined
    }
    body: undefined
    data: {
      readonly trades: readonly PublicTrade[]
      /** The number of items on all pages. A filtered list is counted up to 10000. */
      readonly total: number
      /** false if there are more items than total. */
      readonly totalIsExact: boolean
      readonly hasMore: boolean
      readonly nextCursor: string | null
    }
  }
  'POST /api/v1/webhooks': {
    query: undefined
    body: CreateWebhook
    data: WebhookWithSecret
  }
  'GET /api/v1/webhooks': {
    query: undefined
    body: undefined
    data: readonly Webhook[]
  }
  'PATCH /api/v1/webhooks/{}': {
    query: undefined
    body: EditWebhook
    data: Webhook
  }
  'DELETE /api/v1/webhooks/{}': {
    query: undefined
    body: undefined
    data: {
      readonly message: string
    }
  }
  'POST /api/v1/webhooks/{}/rotate-secret': {
    query: undefined
    body: RotateSecret
    data: WebhookWithSecret
  }
  'GET /api/v1/webhooks/{}/deliveries': {
    query: {
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
    }
    body: undefined
    data: WebhookAttempts
  }
  'POST /api/v1/webhooks/{}/test': {
    query: undefined
    body: undefined
    data: WebhookAttempt
  }
  'POST /api/v1/webhooks/{}/redeliver': {
    query: undefined
    body: RedeliverWebhook
    data: WebhookRedelivery
  }
  'GET /api/v1/events': {
    query: {
      readonly since?: number | undefined
      readonly eventType?: 'MARKET_CREATED' | 'MARKET_STATUS_CHANGED' | 'MARKET_RESOLVED' | 'ORDER_BOOK_UPDATE' | 'PRICE_UPDATED' | 'ORDER_PLACED' | 'ORDER_MATCHED' | 'ORDER_CANCELLED' | 'POSITION_UPDATED' | 'SETTLEMENT_COMPLETED' | 'ORDER_AMENDED' | 'MARKET_UPDATED' | 'DEAD_MAN_TRIGGERED' | 'CONTROLS_CHANGED' | 'ORDER_GROUP_TRIGGERED' | undefined
      readonly marketId?: string | undefined
      readonly limit?: number | undefined
      readonly historyId?: string | undefined
    }
    body: undefined
    data: EventPage
  }
  'POST /api/v1/admin/operators': {
    query: undefined
    body: CreateOperator
    data: NewOperator
  }
  'GET /api/v1/admin/operators': {
    query: undefined
    body: undefined
    data: readonly Operator[]
  }
  'PATCH /api/v1/admin/operators/{}': {
    query: undefined
    body: EditOperator
    data: Operator
  }
  'GET /api/v1/admin/operators/{}': {
    query: undefined
    body: undefined
    data: Operator
  }
  'POST /api/v1/admin/operators/{}/keys': {
    query: undefined
    body: CreateKey
    data: NewKey
  }
  'GET /api/v1/admin/operators/{}/keys': {
    query: undefined
    body: undefined
    data: readonly Key[]
  }
  'DELETE /api/v1/admin/operators/{}/keys/{}': {
    query: undefined
    body: undefined
    data: {
      readonly message: string
    }
  }
  'GET /api/v1/admin/cluster': {
    query: undefined
    body: undefined
    data: Cluster
  }
  'POST /api/v1/admin/shards/{}/move': {
    query: undefined
    body: MoveShard
    data: ClusterShard
  }
  'POST /api/v1/admin/nodes/{}/drain': {
    query: undefined
    body: undefined
    data: ClusterNode
  }
  'GET /api/v1/me': {
    query: undefined
    body: undefined
    data: Me
  }
  'GET /api/v1/audit': {
    query: {
      readonly action?: 'createMarket' | 'editMarket' | 'openMarket' | 'suspendMarket' | 'resumeMarket' | 'closeMarket' | 'changeTradingWindow' | 'resolveMarket' | 'cancelMarket' | 'settleMarket' | 'retrySettlements' | 'acknowledgeSettlement' | 'cancelOrders' | 'createCategory' | 'editCategory' | 'createWebhook' | 'editWebhook' | 'deleteWebhook' | 'rotateWebhookSecret' | 'testWebhook' | 'redeliverWebhook' | 'createOperator' | 'editOperator' | 'createKey' | 'revokeKey' | 'createGlobalCategory' | 'editGlobalCategory' | 'moveShard' | 'drainNode' | 'putPlayerControls' | 'putControls' | 'putOperatorControls' | 'putExchangeControls' | undefined
      readonly targetId?: string | undefined
      readonly keyId?: string | undefined
      readonly from?: string | undefined
      readonly to?: string | undefined
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
    }
    body: undefined
    data: {
      readonly entries: readonly AuditEntry[]
      /** The number of items on all pages. A filtered list is counted up to 10000. */
      readonly total: number
      /** false if there are more items than total. */
      readonly totalIsExact: boolean
      readonly hasMore: boolean
      readonly nextCursor: string | null
    }
  }
  'GET /api/v1/admin/audit': {
    query: {
      readonly action?: 'createMarket' | 'editMarket' | 'openMarket' | 'suspendMarket' | 'resumeMarket' | 'closeMarket' | 'changeTradingWindow' | 'resolveMarket' | 'cancelMarket' | 'settleMarket' | 'retrySettlements' | 'acknowledgeSettlement' | 'cancelOrders' | 'createCategory' | 'editCategory' | 'createWebhook' | 'editWebhook' | 'deleteWebhook' | 'rotateWebhookSecret' | 'testWebhook' | 'redeliverWebhook' | 'createOperator' | 'editOperator' | 'createKey' | 'revokeKey' | 'createGlobalCategory' | 'editGlobalCategory' | 'moveShard' | 'drainNode' | 'putPlayerControls' | 'putControls' | 'putOperatorControls' | 'putExchangeControls' | undefined
      readonly targetId?: string | undefined
      readonly keyId?: string | undefined
      readonly from?: string | undefined
      readonly to?: string | undefined
      readonly limit?: number | undefined
      readonly cursor?: string | undefined
      readonly operatorId?: string | undefined
    }
    body: undefined
    data: {
      readonly entries: readonly AuditEntryOfAll[]
      /** The number of items on all pages. A filtered list is counted up to 10000. */
      readonly total: number
      /** false if there are more items than total. */
      readonly totalIsExact: boolean
      readonly hasMore: boolean
      readonly nextCursor: string | null
    }
  }
  'GET /api/v1/limits': {
    query: undefined
    body: undefined
    data: RateLimits
  }
  'PUT /api/v1/players/{}/controls': {
    query: undefined
    body: PutPlayerControls
    data: PlayerControlsChange
  }
  'GET /api/v1/players/{}/controls': {
    query: undefined
    body: undefined
    data: PlayerControls
  }
  'PUT /api/v1/controls': {
    query: undefined
    body: PutOperatorControls
    data: OperatorControlsChange
  }
  'GET /api/v1/controls': {
    query: undefined
    body: undefined
    data: OperatorControls
  }
  'PUT /api/v1/admin/operators/{}/controls': {
    query: undefined
    body: PutOperatorBrake
    data: OperatorBrakeChange
  }
  'GET /api/v1/admin/operators/{}/controls': {
    query: undefined
    body: undefined
    data: OperatorBrake
  }
  'PUT /api/v1/admin/controls': {
    query: undefined
    body: PutControls
    data: ExchangeControlsChange
  }
  'GET /api/v1/admin/controls': {
    query: undefined
    body: undefined
    data: ExchangeControls
  }
  'GET /api/v1/status': {
    query: undefined
    body: undefined
    data: TradingStatus
  }
  'GET /health': {
    query: undefined
    body: undefined
    data: {
      readonly status: string
      readonly version: string
    }
  }
  'GET /ready': {
    query: undefined
    body: undefined
    data: {
      readonly status: string
      /** How far the system clock is behind the time of the service, which then passes at half the pace of the clock; 0 otherwise. */
      readonly clockBehindMs: number
    }
  }
}
