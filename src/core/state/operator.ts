// Who trades: operators, and the players they answer for.

import type { FeeRate } from '../money.ts'

export class Operator {
  readonly handle: number = 0
  readonly id: string
  supportedCurrencies: readonly string[]
  /** What its side of a trade pays; null stands for the exchange's own rate. */
  feeRate: FeeRate | null
  /** The number of its last event. */
  eventSequence = 0
  /** How many; null until somebody has asked. */
  openOrders: number | null = null
  readonly players = new Map<string, Player>()

  constructor(handle: number, record: OperatorSettings) {
    this.handle = handle
    this.id = record.id
    this.supportedCurrencies = record.supportedCurrencies
    this.feeRate = record.feeRate
  }
}

export type OperatorSettings = {
  readonly id: string
  readonly supportedCurrencies: readonly string[]
  readonly feeRate: FeeRate | null
}

export class Player {
  readonly handle: number = 0
  readonly operator: Operator
  /** As the operator calls it. */
  readonly id: string
  /** How many, by the handle of the market; -1 in one not asked for yet. null while it has few. */
  openOrdersIn: Int32Array | null = null

  constructor(handle: number, operator: Operator, id: string) {
    this.handle = handle
    this.operator = operator
    this.id = id
  }
}
