// The server and the markets that a load sends its orders to.

export type LoadTarget = {
  readonly port: number
  readonly apiKey: string
  readonly marketId: string
  readonly outcomeIds: readonly string[]
  /**
   * If present, orders go to these markets instead: with buyers, at random and at prices that
   * cross; without, in matching pairs, see paired-requests.ts.
   */
  readonly markets?: readonly LoadMarket[]
  /** The players that buy in any of the markets; the holders of a market sell. */
  readonly buyers?: readonly string[]
}

/** A market in which each of these players holds shares of every outcome. */
export type LoadMarket = {
  readonly marketId: string
  readonly outcomeIds: readonly string[]
  readonly holders: readonly string[]
}
