// What is read for those who keep the wallets: a player's stake, and a market added up.

import type { MarketSums, OutcomeSums } from '../core/markets/balance.ts'

export type PlayerQuery = { readonly operatorNumber: number; readonly playerId: string }

export type Exposure = {
  /** By the name of the currency; money in micro-units. */
  readonly currencies: readonly {
    readonly currency: string
    /** What the rest of all open BUY orders costs at their limits. */
    readonly openBuyCost: bigint
    /** The cost of shares that are held in markets neither SETTLED nor CANCELLED. */
    readonly positionsCost: bigint
  }[]
  readonly openOrders: number
  /** Positions with shares in those markets. */
  readonly positions: number
}

export type Reconciliation = Omit<MarketSums, 'outcomes'> & {
  /** In the order of the market. */
  readonly outcomes: readonly (OutcomeSums & { readonly outcomeSerial: number })[]
  /** Those who minted, redeemed or traded there. Its order stands on the side that counts. */
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
