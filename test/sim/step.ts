// The language in which the simulator speaks to the exchange and to the model alike. Things are
// called by the number of their making (operator 0, market 3, order 17), so that neither side
// needs to know the other's ids.

import type { SelfTradePrevention, Side, TimeInForce } from '../../src/core/words.ts'

/** A quantity is a whole number of the exchange's steps: ticks, hundredths, Unix ms. */
export type Step =
  | {
      readonly do: 'createMarket'
      readonly operator: number
      readonly title: string
      readonly currency: string
      /** Names; null leaves them out. */
      readonly outcomes: readonly string[] | null
      readonly tradingStartsAt: number | null
      readonly tradingEndsAt: number | null
      readonly isShared: boolean
      readonly hasCompleteSets: boolean
    }
  | {
      readonly do: 'edit'
      readonly operator: number
      readonly market: number
      readonly changes: {
        readonly title?: string
        readonly description?: string | null
        readonly imageUrl?: string | null
        readonly tradingStartsAt?: number | null
        readonly tradingEndsAt?: number | null
      }
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
      /** Instead of a winner: what shares of outcomes pay, in ticks; null where there is one. */
      readonly payouts: readonly { readonly outcome: number; readonly payout: number }[] | null
      readonly source: string
      readonly notes: string | null
    }
  /** Starts a settlement; continue does its work. */
  | { readonly do: 'settle'; readonly operator: number; readonly market: number }
  /** One slice of the work that a cancelled or settling market still has, of at most that many. */
  | { readonly do: 'continue'; readonly market: number; readonly atMost: number }
  | {
      readonly do: 'acknowledge'
      readonly operator: number
      /** By number of making. */
      readonly settlement: number
      readonly status: 'COMPLETED' | 'FAILED'
    }
  /** Takes up to that many failed settlements of the market back to COMPLETED. */
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
      readonly price: number | null
      readonly expiresAt: number | null
      readonly timeInForce: TimeInForce
      readonly isPostOnly: boolean
      readonly selfTradePrevention: SelfTradePrevention
    }
  | { readonly do: 'cancel'; readonly operator: number; readonly order: number }
  | { readonly do: 'cancelMany'; readonly operator: number; readonly orders: readonly number[] }
  /** null leaves it as it is. */
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
  | { readonly do: 'setFee'; readonly operator: number; readonly feeRate: number | null }

/** What a step led to. Ids in events are each side's own; the simulator pairs them up. */
export type Result = {
  /** The code of the refusal, or null. */
  readonly reject: string | null
  /** Those of each operator in the order in which they happened, what was due included. */
  readonly events: readonly TestEvent[]
}

export type TestEvent = {
  readonly operator: number
  readonly sequence: number
  readonly eventType: string
  readonly createdAt: number
  /** Field for field as on the wire. */
  readonly payload: Readonly<Record<string, unknown>>
}

export type LevelView = { readonly price: number; readonly shares: number; readonly orders: number }

/** The whole visible state, in steps, in canonical order. */
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
  /** By market, outcome, operator, player; empty for a market that is settled or forgotten. */
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
  /** Open orders in the order of their making, by number. */
  readonly orders: readonly {
    readonly order: number
    readonly shares: number
    readonly filled: number
    readonly cost: number
    readonly price: number
  }[]
}

/** What both the exchange and the model are, to the simulator. */
export interface Subject {
  step(step: Step, now: number): Result
  view(now: number): View
}
