// Reads for the operators, who keep the wallets: a player's exposure, and the sums of a market.

import type { Serial } from '../core/ids.ts'
import type { MarketSums, OutcomeSums } from '../core/markets/balance.ts'

export type PlayerQuery = { readonly operatorNumber: number; readonly playerId: string }

export type Exposure = {
  /** By the name of the currency; money in micro-units. */
  readonly currencies: readonly {
    readonly currency: string
    /** Cost of the unfilled shares of all open BUY orders, at their limits. */
    readonly openBuyCost: bigint
    /** Cost of the shares held in markets that are neither SETTLED nor CANCELLED. */
    readonly positionsCost: bigint
  }[]
  readonly openOrders: number
  /** Positions with shares in those markets. */
  readonly positions: number
}

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
