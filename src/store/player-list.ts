// The players of an operator as a list.

export type PlayerListQuery = {
  readonly operatorNumber: number
  /** The first characters of the id; empty for all players. */
  readonly prefix: string
  /** The player after which the page starts; null for the first page. */
  readonly after: string | null
  readonly limit: number
}

export type PlayerListRow = {
  readonly playerId: string
  /** All that the player has had, those without shares included. */
  readonly positions: number
  readonly openOrders: number
}

export type PlayerPage = {
  readonly rows: readonly PlayerListRow[]
  readonly total: number
  readonly totalIsExact: boolean
  /** Where the next page starts; null for the last page. A page may end early, without rows. */
  readonly nextAfter: string | null
}
