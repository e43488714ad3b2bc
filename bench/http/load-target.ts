// The server and the markets that a load sends its orders to.

export type LoadTarget = {
  readonly port: number
  readonly apiKey: string
  readonly marketId: string
  readonly outcomeIds: readonly string[]
  /** If present, orders go to these markets instead, in matching pairs; see paired-requests.ts. */
  readonly markets?: readonly LoadMarket[]
}

/** A market in which each of these players holds shares of every outcome. */
export type LoadMarket = {
  readonly marketId: string
  readonly outcomeIds: readonly string[]
  readonly holders: readonly string[]
}
