// Reads for the operators, who keep the wallets: a player's exposure, and the sums of a market.

import type { FeeSchedule, OpenValue } from '../core/fee.ts'
import type { Serial } from '../core/ids.ts'
import type { MarketSums, OutcomeSums } from '../core/markets/balance.ts'

export type PlayerQuery = { readonly operatorNumber: number; readonly playerId: string }

export type OpenBuys = OpenValue & {
  /** Of the player's operator in their markets; null for its usual fees. */
  readonly feeSchedule: FeeSchedule | null
}

export type Exposure = {
  /** By the name of the currency; money in micro-units. */
  readonly currencies: readonly {
    readonly currency: string
    /** Cost of the unfilled shares of all open BUY orders, at their limits. */
    readonly openBuyCost: bigint
    /** The same orders for their fees: those with the same fees and remainder together. */
    readonly openBuys: readonly OpenBuys[]
    /** Cost of the shares held in markets that are neither SETTLED nor CANCELLED. */
    readonly positionsCost: bigint
  }[]
  readonly openOrders: number
  /** Positions with shares in those markets. */
  readonly positions: number
}

/** By the name of the currency; in micro-units, over all positions that the player has had. */
export type PlayerValuation = readonly {
  readonly currency: string
  readonly positions: number
  readonly cost: bigint
  readonly value: bigint
  readonly unrealized: bigint
  readonly realized: bigint
  readonly total: bigint
}[]

/** What a settlement pays on, in no order. */
export type SettlementSums = readonly {
  readonly operatorId: string
  readonly outcomeSerial: Serial
  readonly positions: number
  /** In hundredths. */
  readonly shares: bigint
}[]

export type Reconciliation = Omit<MarketSums, 'outcomes'> & {
  /** In the order of the market. */
  readonly outcomes: readonly (OutcomeSums & { readonly outcomeSerial: Serial })[]
  /** The operators that minted, redeemed or traded there, each with its own side of the trades. */
  readonly operators: readonly {
    readonly operatorId: string
    readonly setsMinted: bigint
    readonly setsRedeemed: bigint
    /** In micro-units. */
    readonly bought: bigint
    readonly sold: bigint
    /** In units of 1e-10. */
    readonly fees: bigint
  }[]
}
