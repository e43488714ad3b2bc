// Operators, and the players that trade through them.

import type { OperatorHandle, PlayerHandle } from '../memory/slots.ts'
import type { FeeRate } from '../money.ts'

export class Operator {
  readonly handle: OperatorHandle
  readonly id: string
  supportedCurrencies: readonly string[]
  /** What its side of a trade pays; null for the default rate of the exchange. */
  feeRate: FeeRate | null
  /** The number of its last event. */
  eventSequence = 0
  /** How many orders of its players rest; see order-counts.ts. */
  openOrders = 0
  /** Its live markets, their outcomes and the bytes of their texts; see market-counts.ts. */
  readonly live = { markets: 0, outcomes: 0, textBytes: 0 }
  readonly players = new Map<string, Player>()

  constructor(handle: OperatorHandle, settings: OperatorSettings) {
    this.handle = handle
    this.id = settings.id
    this.supportedCurrencies = settings.supportedCurrencies
    this.feeRate = settings.feeRate
  }
}

export type OperatorSettings = {
  readonly id: string
  readonly supportedCurrencies: readonly string[]
  readonly feeRate: FeeRate | null
}

export class Player {
  readonly handle: PlayerHandle
  readonly operator: Operator
  /** The operator's own name for the player. */
  readonly id: string
  /** How many of its orders rest; see order-counts.ts. */
  openOrders = 0
  /** The same by the handle of the market; null while nothing needs it. */
  openOrdersByMarket: Map<number, number> | null = null

  constructor(handle: PlayerHandle, operator: Operator, id: string) {
    this.handle = handle
    this.operator = operator
    this.id = id
  }
}
