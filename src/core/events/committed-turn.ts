// What the engine publishes of a turn once it is committed.

import type { EventRecord } from './events.ts'

export type CommittedTurn = {
  readonly eventRecords: readonly EventRecord[]
  /** In the order of execution. */
  readonly trades: readonly PublicTrade[]
}

/** A trade without its parties. */
export type PublicTrade = {
  readonly marketId: string
  readonly outcomeId: string
  /** In ticks. */
  readonly price: number
  /** In hundredths of a share. */
  readonly shares: number
  readonly isSellIncoming: boolean
  readonly createdAt: number
}
