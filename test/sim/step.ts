// The steps that the simulator runs on the exchange and on the model. Records are identified by the
// order of their creation (operator 0, market 3, order 17), so that neither side needs to know the
// ids of the other.

import type { SelfTradePrevention, Side, TimeInForce, TradingMode } from '../../src/core/words.ts'

/** Rates in hundredths of a percent. */
export type FeeSchedule = {
  readonly model: 'LINEAR' | 'QUADRATIC'
  readonly takerRate: number
  readonly makerRate: number
}

/** In ticks. */
export type PriceBand = { readonly maxMove: number; readonly suspendOnBand: boolean }

/** Quantities are whole numbers of the smallest unit: ticks, hundredths of a share, Unix ms. */
export type Step =
  | {
      readonly do: 'createMarket'
      readonly operator: number
      readonly title: string
      readonly description: string | null
      readonly currency: string
      /** Names; null for the default, Yes and No. */
      readonly outcomes: readonly string[] | null
      readonly tradingStartsAt: number | null
      readonly tradingEndsAt: number | null
      readonly isShared: boolean
      readonly hasCompleteSets: boolean
      readonly feeSchedule: FeeSchedule | null
      readonly priceBand: PriceBand | null
    }
  | {
      readonly do: 'edit'
      readonly operator: number
      readonly market: number
      readonly changes: {
        readonly title?: string
        readonly description?: string | null
        readonly imageUrl?: string | null
        readonly feeSchedule?: FeeSchedule | null
        readonly priceBand?: PriceBand | null
        readonly tradingStartsAt?: number | null
        readonly tradingEndsAt?: number | null
      }
    }
  | {
      readonly do: 'changeWindow'
      readonly operator: number
      readonly market: number
      readonly tradingEndsAt: number
      readonly reason: string
    }
  | {
      readonly do: 'open' | 'resume' | 'close'
      readonly operator: number
      readonly market: number
    }
  | {
      readonly do: 'suspend' | 'cancelMarket'
      readonly operator: number
      readonly market: number
      readonly reason: string
    }
  | {
      readonly do: 'resolve'
      readonly operator: number
      readonly market: number
      /** The index of the winner; one past the last is an outcome of another market. */
      readonly winner: number
      /** Payouts per share in ticks instead of a winner; null if there is a winner. */
      readonly payouts: readonly { readonly outcome: number; readonly payout: number }[] | null
      readonly source: string
      readonly notes: string | null
    }
  /** Starts a settlement job; `continue` steps run it. */
  | { readonly do: 'settle'; readonly operator: number; readonly market: number }
  /** Runs a slice of the job of a cancelled or settling market. */
  | { readonly do: 'continue'; readonly market: number; readonly atMost: number }
  | {
      readonly do: 'acknowledge'
      readonly operator: number
      /** In the order of creation. */
      readonly settlement: number
      readonly status: 'COMPLETED' | 'FAILED'
    }
  /** Retries up to that many FAILED settlements of the market. */
  | {
      readonly do: 'retrySettlements'
      readonly operator: number
      readonly market: number
      readonly atMost: number
    }
  | {
      readonly do: 'place'
      readonly operator: number
      readonly player: string
      readonly market: number
      /** An index of that market; one past the last is an outcome of another market. */
      readonly outcome: number
      readonly side: Side
      readonly type: 'LIMIT' | 'MARKET'
      readonly shares: number
      /** In micro-units, instead of shares; null: by shares. */
      readonly amount: number | null
      readonly price: number | null
      readonly expiresAt: number | null
      readonly timeInForce: TimeInForce
      readonly isPostOnly: boolean
      readonly selfTradePrevention: SelfTradePrevention
      /** The number of an order group; null for none. */
      readonly group: number | null
    }
  | { readonly do: 'cancel'; readonly operator: number; readonly order: number }
  | { readonly do: 'cancelMany'; readonly operator: number; readonly orders: readonly number[] }
  /** null keeps the value. */
  | {
      readonly do: 'amend'
      readonly operator: number
      readonly order: number
      readonly shares: number | null
      readonly price: number | null
    }
  | {
      readonly do: 'mint' | 'redeem'
      readonly operator: number
      readonly player: string
      readonly market: number
      readonly shares: number
    }
  /** Of a player, or null for the whole operator. */
  | {
      readonly do: 'armDeadMan'
      readonly operator: number
      readonly player: string | null
      readonly timeoutMs: number
    }
  | { readonly do: 'clearDeadMan'; readonly operator: number; readonly player: string | null }
  /** A slice of the cancels of a switch. */
  | {
      readonly do: 'cancelTriggered'
      readonly operator: number
      readonly player: string | null
      readonly atMost: number
    }
  | {
      readonly do: 'createGroup'
      readonly operator: number
      readonly player: string
      readonly limitShares: number
      readonly windowMs: number
    }
  /** A number is a new limit. */
  | {
      readonly do: 'changeGroup'
      readonly operator: number
      readonly group: number
      readonly change: 'reset' | 'trigger' | 'delete' | number
    }
  /** A slice of the cancels of a group. */
  | { readonly do: 'continueGroup'; readonly group: number; readonly atMost: number }
  | {
      readonly do: 'brake'
      readonly holder: Holder
      readonly mode: TradingMode
      readonly reason: string | null
      readonly until: number | null
      /** Of a player or an operator. */
      readonly limits: Limits | null
      readonly cancelsOrders: boolean
    }
  /** Cancels a slice of the orders that a brake does not leave open. */
  | { readonly do: 'sweep'; readonly holder: Holder; readonly atMost: number }
  | {
      readonly do: 'setFee'
      readonly operator: number
      readonly feeRate: number | null
      readonly feeSchedule: FeeSchedule | null
    }

/** In micro-units and hundredths; null for none, left out for the operator's default. */
export type Limits = {
  readonly maxOrderCost?: number | null
  readonly maxOutcomeShares?: number | null
  readonly maxMarketCost?: number | null
}

/** Whose brake it is. */
export type Holder =
  | { readonly kind: 'EXCHANGE' }
  | { readonly kind: 'ADMINISTRATOR' | 'OPERATOR'; readonly operator: number }
  | { readonly kind: 'PLAYER'; readonly operator: number; readonly player: string }

/** Of the order that a step places, from its number; every other order has none. */
export function transactionIdOf(
  { shares }: { readonly shares: number },
  order: number,
): string | null {
  return shares % 2 === 0 ? `t-${order}` : null
}

/** The result of a step. Each side has its own ids in events; the simulator maps them. */
export type Result = {
  /** The code of the rejection, with its details where it is about a limit; or null. */
  readonly reject: string | null
  /** Includes scheduled changes that were due. The events of each operator are in order. */
  readonly events: readonly TestEvent[]
}

export type TestEvent = {
  readonly operator: number
  readonly sequence: number
  readonly eventType: string
  readonly createdAt: number
  /** The fields of the wire format. */
  readonly payload: Readonly<Record<string, unknown>>
}

export type LevelView = { readonly price: number; readonly shares: number; readonly orders: number }

/** The whole visible state in a canonical order. */
export type View = {
  readonly markets: readonly {
    readonly status: string
    readonly totalVolume: string
    readonly totalTrades: number
    readonly setsOutstanding: number
    readonly winner: number | null
    /** In ticks, by outcome; null before the resolution. */
    readonly payouts: readonly number[] | null
    readonly books: readonly {
      readonly version: number
      readonly lastPrice: number | null
      readonly volume24h: number
      /** Best first. */
      readonly bids: readonly LevelView[]
      readonly asks: readonly LevelView[]
    }[]
  }[]
  /** Sorted by market, outcome, operator, player; without markets that have ended. */
  readonly positions: readonly {
    readonly market: number
    readonly outcome: number
    readonly operator: number
    readonly player: string
    readonly shares: number
    readonly reserved: number
    readonly cost: string
    readonly profit: string
  }[]
  /** Open orders, in the order of creation. */
  readonly orders: readonly {
    readonly order: number
    readonly shares: number
    readonly filled: number
    readonly cost: number
    readonly price: number
    readonly group: number | null
  }[]
  /** By number, without those that are deleted. */
  readonly groups: readonly {
    readonly group: number
    readonly status: string
    readonly limitShares: number
    readonly matchedShares: number
  }[]
  /** Of each operator, sorted by player. */
  readonly deadMen: readonly {
    readonly operator: number
    readonly player: string | null
    readonly state: string
    readonly deadline: number
    readonly timeoutMs: number
  }[]
  /** Sorted by whose they are. */
  readonly brakes: readonly {
    readonly holder: string
    readonly mode: TradingMode
    readonly reason: string | null
    readonly until: number | null
    readonly limits: Limits | null
    /** How many orders it has cancelled so far; null if it cancels none any more. */
    readonly cancelled: number | null
  }[]
}

/** Implemented by the exchange and by the model. */
export interface Subject {
  step(step: Step, now: number): Result
  view(now: number): View
}
