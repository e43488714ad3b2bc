// How much of its limits a player uses.

import type { Serial } from '../core/ids.ts'

/** In markets that have not ended; in the order in which these were created. */
export type PlayerUsage = readonly MarketUsage[]

export type MarketUsage = {
  readonly marketSerial: Serial
  readonly marketCreatedAt: number
  /** Of the positions and of the open BUY orders, in micro-units. */
  readonly cost: bigint
  /** Those of which the player holds shares or has open BUY orders, in the order of the market. */
  readonly outcomes: readonly OutcomeUsage[]
}

export type OutcomeUsage = { readonly outcomeSerial: Serial; readonly shares: bigint }
