// Made by client/generate from the documents of the service. Do not edit: run
// npm run generate:client.

export type CreateMarket = {
  readonly title: string
  readonly description?: string | null | undefined
  readonly categoryId?: string | null | undefined
  readonly imageUrl?: string | null | undefined
  readonly currency?: string | undefined
  readonly tradingStartsAt?: string | null | undefined
  readonly tradingEndsAt?: string | null | undefined
  /** Left out: Yes and No. Names are unique within the market. */
  readonly outcomes?: readonly ({
    readonly name: string
    readonly description?: string | null | undefined
  })[] | undefined
  /** Your own JSON: at most 16 KiB, at most 8 levels deep, without the keys `__proto__`, `constructor` and `prototype`. */
  readonly metadata?: { readonly [name: string]: unknown } | null | undefined
  readonly shared?: boolean | undefined
  /** Orders also match by minting and merging complete sets. */
  readonly completeSetMatching?: boolean | undefined
}

export type EditMarket = {
  readonly title?: string | undefined
  readonly description?: string | null | undefined
  readonly imageUrl?: string | null | undefined
  readonly categoryId?: string | null | undefined
  readonly tradingStartsAt?: string | null | undefined
  readonly tradingEndsAt?: string | null | undefined
  /** Your own JSON: at most 16 KiB, at most 8 levels deep, without the keys `__proto__`, `constructor` and `prototype`. */
  readonly metadata?: { readonly [name: string]: unknown } | null | undefined
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
  /** Of every outcome; null unless the market was resolved by payouts. */
  readonly payouts: readonly {
    readonly outcomeId: string
    readonly payoutPerShare: string
  }[] | null
  /** Shares traded, each trade counted once. */
  readonly totalVolume: string
  readonly totalTrades: number
  readonly metadata: { readonly [name: string]: unknown } | null
  /** Other operators may trade in it. */
  readonly shared: boolean
  readonly completeSetMatching: boolean
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

export type ResolveMarket = {
  readonly winningOutcomeId?: string | null | undefined
  /** Instead of winningOutcomeId: a draw, a dead heat or a void. They add up to exactly 1; outcomes that are left out pay 0. */
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
  /** Lower ones are shown first. */
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
  readonly iconUrl?: string | null | undefined
  readonly sortOrder?: number | undefined
}

export type EditCategory = {
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  readonly iconUrl?: string | null | undefined
  readonly sortOrder?: number | undefined
  readonly isActive?: boolean | undefined
}

export type AmendOrder = {
  /** The new total, more than is filled: a multiple of 0.01; 1 to 100000 unless configured otherwise. */
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
  /** GTC says nothing of a MARKET order, which never rests. */
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK'
  readonly postOnly: boolean
  readonly selfTradePrevention: 'NONE' | 'CANCEL_NEWEST' | 'CANCEL_OLDEST'
  readonly transactionId: string | null
  readonly expiresAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export type PlaceOrder = {
  readonly marketId: string
  readonly outcomeId: string
  readonly playerId: string
  readonly side: 'BUY' | 'SELL'
  readonly type: 'MARKET' | 'LIMIT'
  /** A multiple of 0.01; 1 to 100000 unless configured otherwise. */
  readonly shares: number
  /** A multiple of 0.0001; 0.01 to 0.99 unless configured otherwise. Required for LIMIT; ignored for MARKET. */
  readonly price?: number | null | undefined
  /** The same one again changes nothing. */
  readonly transactionId?: string | null | undefined
  readonly expiresAt?: string | null | undefined
  /** Of LIMIT orders. GTC (left out): the rest waits in the book. IOC: it is cancelled. FOK: all at once or nothing at all. */
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK' | null | null | undefined
  /** Of GTC LIMIT orders: refused where it would match at once. */
  readonly postOnly?: boolean | null | undefined
  /** When the order meets one of the same player: NONE trades, CANCEL_NEWEST cancels the rest of this order, CANCEL_OLDEST cancels the one that rests and goes on. */
  readonly selfTradePrevention?: 'NONE' | 'CANCEL_NEWEST' | 'CANCEL_OLDEST' | null | null | undefined
}

export type PlaceOrders = {
  readonly orders: readonly PlaceOrder[]
}

export type Placement = {
  readonly order: Order
  readonly trades: readonly Trade[]
  readonly status: 'PENDING' | 'PARTIAL' | 'FILLED' | 'CANCELLED' | 'EXPIRED' | 'REJECTED'
  readonly filledShares: string
  readonly avgFillPrice: string
  readonly remainingShares: string
}

export type Preview = {
  /** What it would match at once: best price first, one for each price. */
  readonly fills: readonly {
    readonly price: string
    readonly shares: string
  }[]
  readonly filledShares: string
  /** 0 where nothing would match. */
  readonly avgFillPrice: string
  /** What would wait in the book. */
  readonly restingShares: string
  /** What a buyer pays for the fills; 0 for a SELL. */
  readonly cost: string
  /** On the fills. */
  readonly fee: string
  /** The most that the wallet must hold: the fills, the rest at its limit, and all fees. For a SELL its fees. */
  readonly maxCost: string
}

export type Trade = {
  readonly id: string
  readonly marketId: string
  readonly outcomeId: string
  readonly buyOrderId: string
  readonly sellOrderId: string
  readonly buyerOperatorId: string
  readonly sellerOperatorId: string
  /** The resting order's price; of a leg, that order's part of the set. */
  readonly price: string
  readonly shares: string
  readonly buyerFee: string
  readonly sellerFee: string
  /** DIRECT: a BUY met a SELL. MINT, MERGE: a leg of a match by complete sets; on the side without an order stands the matchId, the operator of the market, and a fee of 0. */
  readonly kind: 'DIRECT' | 'MINT' | 'MERGE'
  /** The same for all legs of one match; null for DIRECT. */
  readonly matchId: string | null
  readonly createdAt: string
}

export type AcknowledgeSettlement = {
  readonly transactionId: string
  readonly status: 'COMPLETED' | 'FAILED'
  /** Of a FAILED one; not kept with COMPLETED. */
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
  /** What the operator collects or pays. */
  readonly amount: string
  readonly positions: readonly Position[]
  readonly transactionId: string | null
  readonly createdAt: string
}

export type Exposure = {
  readonly playerId: string
  /** Those in which the player has something at stake, by name. */
  readonly currencies: readonly {
    readonly currency: string
    /** What the rest of open BUY orders costs at their limits. */
    readonly openBuyCost: string
    /** The fees of those, at the rate that you pay now. */
    readonly openBuyFees: string
    /** The totalCost of the positions that are counted. */
    readonly positionsCost: string
  }[]
  /** PENDING and PARTIAL orders, BUY and SELL. */
  readonly openOrders: number
  /** Positions with shares, in markets neither SETTLED nor CANCELLED. */
  readonly positions: number
}

export type Position = {
  readonly id: string
  readonly marketId: string
  readonly outcomeId: string
  readonly operatorId: string
  readonly playerId: string
  readonly shares: string
  /** Offered in open SELL orders. */
  readonly reservedShares: string
  readonly avgPrice: string
  readonly totalCost: string
  readonly realizedPnl: string
  readonly createdAt: string
  readonly updatedAt: string
}

export type Reconciliation = {
  /** Complete sets, minted by calls and by matching. */
  readonly setsMinted: string
  /** Complete sets, redeemed by calls and merged by matching. */
  readonly setsRedeemed: string
  readonly outcomes: readonly {
    readonly outcomeId: string
    /** What all players hold. */
    readonly shares: string
  }[]
  /** Those whose players minted, redeemed or traded here. */
  readonly operators: readonly {
    readonly operatorId: string
    /** Money for sets that its players minted by calls. */
    readonly minted: string
    /** Money back for sets that they redeemed by calls. */
    readonly redeemed: string
    /** What its BUY orders paid in trades. */
    readonly bought: string
    /** What its SELL orders got in trades. */
    readonly sold: string
    /** The fees of its side of those trades. */
    readonly fees: string
  }[]
  /** Of all settlement records. */
  readonly payouts: string
  /** Whether every outcome has as many shares as sets were minted and not redeemed, and a SETTLED market has paid out 1 for each. */
  readonly balanced: boolean
}

export type SettleResult = {
  readonly marketId: string
  readonly totalPositions: number
  readonly successCount: number
  readonly failedCount: number
  readonly totalPayout: string
  readonly cancelledOrders: number
  /** Your own, whole. */
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
  readonly payoutPerShare: string
  readonly totalPayout: string
  readonly transactionId: string | null
  readonly status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  readonly errorMessage: string | null
  readonly settledAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export type SettlementSummary = {
  readonly marketId: string
  readonly totalPositions: number
  readonly pendingCount: number
  readonly processingCount: number
  readonly completedCount: number
  readonly failedCount: number
  readonly totalPayout: string
  readonly completedPayout: string
}

export type Candle = {
  /** When it starts, in Unix milliseconds. */
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
  /** What complete sets would offer: no order rests there. */
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
  /** One more with each change of this book. */
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
  /** Of the order that came in. BUY where sets were minted, SELL where merged. */
  readonly takerSide: 'BUY' | 'SELL'
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type Statistics = {
  readonly openMarkets: number
  readonly pendingResolution: number
  readonly resolved: number
}

export type CreateWebhook = {
  /** An https address. */
  readonly url: string
  /** Empty: all of them. */
  readonly events?: readonly ('MARKET_CREATED' | 'MARKET_STATUS_CHANGED' | 'MARKET_RESOLVED' | 'ORDER_BOOK_UPDATE' | 'PRICE_UPDATED' | 'ORDER_PLACED' | 'ORDER_MATCHED' | 'ORDER_CANCELLED' | 'POSITION_UPDATED' | 'SETTLEMENT_COMPLETED' | 'ORDER_AMENDED')[] | undefined
  readonly description?: string | null | undefined
}

export type EditWebhook = {
  /** An https address. */
  readonly url?: string | undefined
  /** Empty: all of them. */
  readonly events?: readonly ('MARKET_CREATED' | 'MARKET_STATUS_CHANGED' | 'MARKET_RESOLVED' | 'ORDER_BOOK_UPDATE' | 'PRICE_UPDATED' | 'ORDER_PLACED' | 'ORDER_MATCHED' | 'ORDER_CANCELLED' | 'POSITION_UPDATED' | 'SETTLEMENT_COMPLETED' | 'ORDER_AMENDED')[] | undefined
  readonly isActive?: boolean | undefined
  readonly description?: string | null | undefined
}

export type Event = {
  readonly id: string
  /** Counts 1, 2, 3 ... for each operator, with no gap. */
  readonly sequence: number
  readonly operatorId: string
  readonly eventType: 'MARKET_CREATED' | 'MARKET_STATUS_CHANGED' | 'MARKET_RESOLVED' | 'ORDER_BOOK_UPDATE' | 'PRICE_UPDATED' | 'ORDER_PLACED' | 'ORDER_MATCHED' | 'ORDER_CANCELLED' | 'POSITION_UPDATED' | 'SETTLEMENT_COMPLETED' | 'ORDER_AMENDED'
  readonly marketId: string
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
})

export type EventPage = {
  readonly events: readonly Event[]
  readonly hasMore: boolean
  /** Pass it as since to get the next page. */
  readonly lastSequence: number
  /** Of the first event that is still kept. */
  readonly earliestSequence: number
}

export type Webhook = {
  readonly id: string
  readonly operatorId: string
  readonly url: string
  /** Whole in the answer to its creation only. */
  readonly secret: string
  readonly events: readonly ('MARKET_CREATED' | 'MARKET_STATUS_CHANGED' | 'MARKET_RESOLVED' | 'ORDER_BOOK_UPDATE' | 'PRICE_UPDATED' | 'ORDER_PLACED' | 'ORDER_MATCHED' | 'ORDER_CANCELLED' | 'POSITION_UPDATED' | 'SETTLEMENT_COMPLETED' | 'ORDER_AMENDED')[]
  readonly isActive: boolean
  readonly description: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

export type WebhookAttempt = {
  /** Of the delivery: all its attempts share it. */
  readonly id: string
  /** Of the event; 0 for a test. */
  readonly sequence: number
  readonly eventType: 'MARKET_CREATED' | 'MARKET_STATUS_CHANGED' | 'MARKET_RESOLVED' | 'ORDER_BOOK_UPDATE' | 'PRICE_UPDATED' | 'ORDER_PLACED' | 'ORDER_MATCHED' | 'ORDER_CANCELLED' | 'POSITION_UPDATED' | 'SETTLEMENT_COMPLETED' | 'ORDER_AMENDED' | 'PING'
  readonly attempt: number
  /** RETRYING: another attempt follows. FAILED: none does. */
  readonly status: 'DELIVERED' | 'RETRYING' | 'FAILED'
  /** null where no answer came. */
  readonly httpStatus: number | null
  /** null exactly where it was delivered. */
  readonly error: string | null
  readonly durationMs: number
  readonly timestamp: string
}

export type WebhookAttempts = {
  readonly deliveries: readonly WebhookAttempt[]
}

export type CreateKey = {
  readonly label?: string | null | undefined
  /** Left out: all of them. */
  readonly scopes?: readonly ('read' | 'trade' | 'manage')[] | undefined
  readonly expiresAt?: string | null | undefined
}

export type CreateOperator = {
  readonly name: string
  readonly supportedCurrencies?: readonly string[] | undefined
  /** A multiple of 0.01; null for the exchange's own. */
  readonly feePercent?: number | null | undefined
}

export type EditOperator = {
  readonly name?: string | undefined
  readonly supportedCurrencies?: readonly string[] | undefined
  /** A multiple of 0.01; null for the exchange's own. */
  readonly feePercent?: number | null | undefined
  readonly isActive?: boolean | undefined
}

export type Key = {
  readonly id: string
  readonly operatorId: string
  readonly label: string | null
  readonly scopes: readonly ('read' | 'trade' | 'manage')[]
  /** The first characters, to tell keys apart. */
  readonly prefix: string
  readonly expiresAt: string | null
  readonly createdAt: string
}

export type NewKey = {
  readonly key: Key
  /** Shown this once. */
  readonly apiKey: string
}

export type NewOperator = {
  readonly operator: Operator
  /** Shown this once. */
  readonly apiKey: string
}

export type Operator = {
  readonly id: string
  readonly name: string
  readonly supportedCurrencies: readonly string[]
  readonly feePercent: string | null
  readonly isActive: boolean
  readonly createdAt: string
  readonly updatedAt: string
}

export type Subscribe = {
  /** Always `subscribe`. */
  readonly op: 'subscribe'
  /** Comes back with the answer. */
  readonly id?: string | undefined
  /** `orderbook`, `prices` and `trades` are public; `events` needs a key. */
  readonly channels: readonly ('orderbook' | 'prices' | 'trades' | 'events')[]
  /** Of which markets; required with a public channel. `events` are of all of them. */
  readonly marketIds?: readonly string[] | undefined
  /** Only these outcomes of those markets; left out: all of them. */
  readonly outcomeIds?: readonly string[] | undefined
  /** With `events`: every stored event with a greater sequence comes first. Left out, or greater than any: only what happens from now on. */
  readonly since?: number | undefined
}

export type Unsubscribe = {
  /** Always `unsubscribe`. */
  readonly op: 'unsubscribe'
  /** Comes back with the answer. */
  readonly id?: string | undefined
  /** `orderbook`, `prices` and `trades` are public; `events` needs a key. */
  readonly channels: readonly ('orderbook' | 'prices' | 'trades' | 'events')[]
  /** Only of these markets; left out: of all. `events` end for all of them. */
  readonly marketIds?: readonly string[] | undefined
  /** Only of these outcomes; left out: of all. */
  readonly outcomeIds?: readonly string[] | undefined
}

export type Auth = {
  /** Always `auth`. */
  readonly op: 'auth'
  /** Comes back with the answer. */
  readonly id?: string | undefined
  /** A key with the scope `read`. */
  readonly apiKey: string
}

export type Ping = {
  /** Always `ping`. */
  readonly op: 'ping'
  /** Comes back with the answer. */
  readonly id?: string | undefined
}

export type Subscribed = {
  /** Always `subscribed`. */
  readonly type: 'subscribed'
  /** The message's own id, or null. */
  readonly id: string | null
  readonly channels: readonly ('orderbook' | 'prices' | 'trades' | 'events')[]
  readonly marketIds: readonly string[]
  /** Every outcome that is now listened to by this. */
  readonly outcomeIds: readonly string[]
  /** With `since`: of the first event that is still kept. If it is greater than since + 1, the events in between are gone. */
  readonly earliestSequence?: number | undefined
}

export type BookSnapshot = {
  /** Always `orderbook.snapshot`. */
  readonly type: 'orderbook.snapshot'
  readonly marketId: string
  readonly outcomeId: string
  /** One more with each change of this book. */
  readonly version: number
  /** Best first; at most 1000. */
  readonly bids: readonly Level[]
  /** Best first; at most 1000. */
  readonly asks: readonly Level[]
  /** null where there is none. */
  readonly bestBid: number | null
  /** null where there is none. */
  readonly bestAsk: number | null
  /** Best ask less best bid; null without both. */
  readonly spread: number | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type BookUpdate = {
  /** Always `orderbook.update`. */
  readonly type: 'orderbook.update'
  readonly marketId: string
  readonly outcomeId: string
  /** One more with each change of this book. */
  readonly version: number
  /** Those that changed, as they are now; shares 0 where one is gone. */
  readonly bids: readonly Level[]
  /** Those that changed, as they are now; shares 0 where one is gone. */
  readonly asks: readonly Level[]
  /** null where there is none. */
  readonly bestBid: number | null
  /** null where there is none. */
  readonly bestAsk: number | null
  /** Best ask less best bid; null without both. */
  readonly spread: number | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type PriceMessage = {
  /** Always `price`. */
  readonly type: 'price'
  readonly marketId: string
  readonly outcomeId: string
  /** null where there is none. */
  readonly bestBid: number | null
  /** null where there is none. */
  readonly bestAsk: number | null
  /** null where there is none. */
  readonly lastPrice: number | null
  /** Between the two bests; null without both. */
  readonly midPrice: number | null
  /** Best ask less best bid; null without both. */
  readonly spread: number | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type TradeMessage = {
  /** Always `trade`. */
  readonly type: 'trade'
  readonly marketId: string
  readonly outcomeId: string
  /** In steps of 0.0001. */
  readonly price: number
  /** In steps of 0.01. */
  readonly shares: number
  readonly takerSide: 'BUY' | 'SELL'
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type Authenticated = {
  /** Always `authenticated`. */
  readonly type: 'authenticated'
  /** The message's own id, or null. */
  readonly id: string | null
  readonly operatorId: string
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
  /** The version that each book subscribed to has now. */
  readonly books: readonly {
    readonly outcomeId: string
    /** One more with each change of this book. */
    readonly version: number
  }[]
}

export type Unsubscribed = {
  /** Always `unsubscribed`. */
  readonly type: 'unsubscribed'
  /** The message's own id, or null. */
  readonly id: string | null
  readonly channels: readonly ('orderbook' | 'prices' | 'trades' | 'events')[]
  readonly marketIds: readonly string[]
  /** Every outcome that is no longer listened to. */
  readonly outcomeIds: readonly string[]
}

export type Pong = {
  /** Always `pong`. */
  readonly type: 'pong'
  /** The message's own id, or null. */
  readonly id: string | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type ErrorMessage = {
  /** Always `error`. */
  readonly type: 'error'
  /** The message's own id, or null. */
  readonly id: string | null
  readonly error: {
    readonly code: 'VALIDATION_ERROR' | 'ORDER_INVALID_SHARES' | 'ORDER_INVALID_PRICE' | 'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND' | 'MARKET_NOT_FOUND' | 'OUTCOME_NOT_FOUND' | 'ORDER_NOT_FOUND' | 'CATEGORY_NOT_FOUND' | 'WEBHOOK_NOT_FOUND' | 'SETTLEMENT_NOT_FOUND' | 'OPERATOR_NOT_FOUND' | 'KEY_NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'REQUEST_TIMEOUT' | 'MARKET_NOT_OPEN' | 'MARKET_INVALID_TRANSITION' | 'MARKET_NOT_EDITABLE' | 'ORDER_CANNOT_CANCEL' | 'ORDER_CANNOT_AMEND' | 'ORDER_NO_LIQUIDITY' | 'ORDER_WOULD_MATCH' | 'ORDER_DUPLICATE_TRANSACTION' | 'POSITION_INSUFFICIENT_SHARES' | 'ORDER_LIMIT' | 'CATEGORY_DUPLICATE_SLUG' | 'WEBHOOK_LIMIT' | 'SUBSCRIPTION_LIMIT' | 'SETTLEMENT_ALREADY_COMPLETED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'RATE_LIMITED' | 'HEADERS_TOO_LARGE' | 'SETTLEMENT_FAILED' | 'INTERNAL_ERROR' | 'UNAVAILABLE' | 'COMMIT_UNKNOWN'
    /** For people. */
    readonly message: string
  }
}

export type MarketCreated = {
  readonly marketId: string
  /** Whose it is. */
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
  /** Whose it is. */
  readonly operatorId: string
  readonly previousStatus: 'DRAFT' | 'UPCOMING' | 'OPEN' | 'SUSPENDED' | 'CLOSED' | 'RESOLVED' | 'SETTLED' | 'CANCELLED'
  readonly status: 'DRAFT' | 'UPCOMING' | 'OPEN' | 'SUSPENDED' | 'CLOSED' | 'RESOLVED' | 'SETTLED' | 'CANCELLED'
  readonly reason: string | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type MarketResolved = {
  readonly marketId: string
  /** Whose it is. */
  readonly operatorId: string
  readonly winningOutcomeId: string | null
  readonly resolutionSource: string
  readonly resolutionNotes: string | null
  /** Of every outcome; null where a winner gets everything. */
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
  /** Whose it is. */
  readonly operatorId: string
  readonly side: 'BUY' | 'SELL'
  readonly type: 'LIMIT' | 'MARKET'
  /** In steps of 0.01. */
  readonly shares: number
  /** null for a MARKET order. */
  readonly price: number | null
  readonly status: 'PENDING' | 'PARTIAL' | 'FILLED' | 'CANCELLED' | 'EXPIRED' | 'REJECTED'
  /** When it had been matched. */
  readonly filledShares: number
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type OrderAmended = {
  readonly orderId: string
  readonly marketId: string
  readonly outcomeId: string
  /** Whose it is. */
  readonly operatorId: string
  readonly side: 'BUY' | 'SELL'
  readonly type: 'LIMIT' | 'MARKET'
  /** In steps of 0.01. */
  readonly shares: number
  /** null for a MARKET order. */
  readonly price: number | null
  readonly status: 'PENDING' | 'PARTIAL' | 'FILLED' | 'CANCELLED' | 'EXPIRED' | 'REJECTED'
  /** When it had been matched. */
  readonly filledShares: number
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type OrderMatched = {
  readonly orderId: string
  readonly tradeId: string
  readonly marketId: string
  readonly outcomeId: string
  /** Whose it is. */
  readonly operatorId: string
  readonly side: 'BUY' | 'SELL'
  /** In steps of 0.0001. */
  readonly price: number
  /** Of this trade. */
  readonly shares: number
  /** As of this trade. */
  readonly filledShares: number
  /** As of this trade. */
  readonly remainingShares: number
  readonly status: 'PENDING' | 'PARTIAL' | 'FILLED' | 'CANCELLED' | 'EXPIRED' | 'REJECTED'
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type OrderCancelled = {
  readonly orderId: string
  readonly marketId: string
  readonly outcomeId: string
  /** Whose it is. */
  readonly operatorId: string
  /** The operator's own name for the player. */
  readonly playerId: string
  readonly side: 'BUY' | 'SELL'
  /** null for a MARKET order. */
  readonly price: number | null
  /** In steps of 0.01. */
  readonly shares: number
  /** In steps of 0.01. */
  readonly filledShares: number
  /** In steps of 0.01. */
  readonly cancelledShares: number
  readonly status: 'PENDING' | 'PARTIAL' | 'FILLED' | 'CANCELLED' | 'EXPIRED' | 'REJECTED'
  readonly reason: 'REQUESTED' | 'EXPIRED' | 'IMMEDIATE' | 'SELF_TRADE' | 'MARKET_CANCELLED' | 'SETTLEMENT'
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type PositionUpdated = {
  readonly positionId: string
  readonly marketId: string
  readonly outcomeId: string
  /** Whose it is. */
  readonly operatorId: string
  /** The operator's own name for the player. */
  readonly playerId: string
  /** In steps of 0.01. */
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
  /** One more with each change of this book. */
  readonly version: number
  /** Those that changed, as they are now; shares 0 where one is gone. */
  readonly bids: readonly {
    /** In steps of 0.0001. */
    readonly price: number
    /** In steps of 0.01. */
    readonly shares: number
    readonly orderCount: number
  }[]
  /** Those that changed, as they are now; shares 0 where one is gone. */
  readonly asks: readonly {
    /** In steps of 0.0001. */
    readonly price: number
    /** In steps of 0.01. */
    readonly shares: number
    readonly orderCount: number
  }[]
  /** null where there is none. */
  readonly bestBid: number | null
  /** null where there is none. */
  readonly bestAsk: number | null
  /** Best ask less best bid; null without both. */
  readonly spread: number | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type PriceUpdated = {
  readonly marketId: string
  readonly outcomeId: string
  /** null where there is none. */
  readonly bestBid: number | null
  /** null where there is none. */
  readonly bestAsk: number | null
  /** null where there is none. */
  readonly lastPrice: number | null
  /** Between the two bests; null without both. */
  readonly midPrice: number | null
  /** Best ask less best bid; null without both. */
  readonly spread: number | null
  /** Unix milliseconds. */
  readonly timestamp: number
}

export type SettlementCompleted = {
  readonly settlementId: string
  readonly positionId: string
  readonly marketId: string
  readonly outcomeId: string
  /** Whose it is. */
  readonly operatorId: string
  /** The operator's own name for the player. */
  readonly playerId: string
  /** In steps of 0.01. */
  readonly shares: number
  readonly payoutPerShare: number
  readonly totalPayout: number
  readonly status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /** Unix milliseconds. */
  readonly timestamp: number
}

/** What a client may say on the stream. */
export type Heard = Subscribe | Unsubscribe | Auth | Ping

/** What the stream says. */
export type Said = Subscribed | BookSnapshot | BookUpdate | PriceMessage | TradeMessage | Authenticated | EventMessage | Heartbeat | Unsubscribed | Pong | ErrorMessage

/** Every code that the service refuses with. */
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
  | 'SETTLEMENT_NOT_FOUND'
  | 'OPERATOR_NOT_FOUND'
  | 'KEY_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'MARKET_NOT_OPEN'
  | 'MARKET_INVALID_TRANSITION'
  | 'MARKET_NOT_EDITABLE'
  | 'ORDER_CANNOT_CANCEL'
  | 'ORDER_CANNOT_AMEND'
  | 'ORDER_NO_LIQUIDITY'
  | 'ORDER_WOULD_MATCH'
  | 'ORDER_DUPLICATE_TRANSACTION'
  | 'POSITION_INSUFFICIENT_SHARES'
  | 'ORDER_LIMIT'
  | 'CATEGORY_DUPLICATE_SLUG'
  | 'WEBHOOK_LIMIT'
  | 'SUBSCRIPTION_LIMIT'
  | 'SETTLEMENT_ALREADY_COMPLETED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'HEADERS_TOO_LARGE'
  | 'SETTLEMENT_FAILED'
  | 'INTERNAL_ERROR'
  | 'UNAVAILABLE'
  | 'COMMIT_UNKNOWN'

/** Every route: what it takes, and the data of its answer. */
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
      readonly cursor?: string | undefined
      readonly limit?: number | undefined
    }
    body: undefined
    data: {
      readonly markets: readonly Market[]
      /** Of all pages. */
      readonly total: number
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
      /** Of all pages. */
      readonly total: number
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
      /** How many orders were cancelled. */
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
      /** One for each order, in the order of the request. */
      readonly results: readonly ({
        readonly success: true
        readonly data: Placement
        /** It was answered before; nothing was done again. */
        readonly replayed?: true | undefined
      } | {
        readonly success: false
        readonly error: {
          readonly code: 'VALIDATION_ERROR' | 'ORDER_INVALID_SHARES' | 'ORDER_INVALID_PRICE' | 'MARKET_NOT_FOUND' | 'MARKET_NOT_OPEN' | 'POSITION_INSUFFICIENT_SHARES' | 'ORDER_LIMIT' | 'ORDER_NO_LIQUIDITY' | 'ORDER_WOULD_MATCH' | 'ORDER_DUPLICATE_TRANSACTION' | 'UNAVAILABLE' | 'COMMIT_UNKNOWN' | 'INTERNAL_ERROR'
          readonly message: string
          readonly details?: { readonly [name: string]: unknown } | undefined
        }
        /** It was answered before; nothing was done again. */
        readonly replayed?: true | undefined
      })[]
    }
  }
  'GET /api/v1/trades': {
    query: {
      readonly marketId?: string | undefined
      readonly outcomeId?: string | undefined
      readonly cursor?: string | undefined
      readonly limit?: number | undefined
    }
    body: undefined
    data: {
      readonly trades: readonly Trade[]
      /** Of all pages. */
      readonly total: number
      readonly hasMore: boolean
      readonly nextCursor: string | null
    }
  }
  'GET /api/v1/positions': {
    query: {
      readonly marketId?: string | undefined
      readonly playerId?: string | undefined
      readonly cursor?: string | undefined
      readonly limit?: number | undefined
    }
    body: undefined
    data: readonly Position[] | {
      readonly positions: readonly Position[]
      /** Of all pages. */
      readonly total: number
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
    }
    body: undefined
    data: readonly Settlement[] | {
      readonly settlements: readonly Settlement[]
      /** Of all pages. */
      readonly total: number
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
      /** Of all pages. */
      readonly total: number
      readonly hasMore: boolean
      readonly nextCursor: string | null
    }
  }
  'POST /api/v1/webhooks': {
    query: undefined
    body: CreateWebhook
    data: Webhook
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
  'GET /api/v1/webhooks/{}/deliveries': {
    query: undefined
    body: undefined
    data: WebhookAttempts
  }
  'POST /api/v1/webhooks/{}/test': {
    query: undefined
    body: undefined
    data: WebhookAttempt
  }
  'GET /api/v1/events': {
    query: {
      readonly since?: number | undefined
      readonly eventType?: 'MARKET_CREATED' | 'MARKET_STATUS_CHANGED' | 'MARKET_RESOLVED' | 'ORDER_BOOK_UPDATE' | 'PRICE_UPDATED' | 'ORDER_PLACED' | 'ORDER_MATCHED' | 'ORDER_CANCELLED' | 'POSITION_UPDATED' | 'SETTLEMENT_COMPLETED' | 'ORDER_AMENDED' | undefined
      readonly marketId?: string | undefined
      readonly limit?: number | undefined
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
    }
  }
}
