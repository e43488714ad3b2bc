// What an order asks for beside its terms, packed into one number for its row: 0 is an order that
// asks for nothing.

import {
  type SelfTradePrevention,
  selfTradePreventions,
  type TimeInForce,
  timesInForce,
} from './words.ts'

export type OrderOptions = {
  readonly timeInForce: TimeInForce
  readonly isPostOnly: boolean
  readonly selfTradePrevention: SelfTradePrevention
}

export const usualOptions: OrderOptions = {
  timeInForce: 'GTC',
  isPostOnly: false,
  selfTradePrevention: 'NONE',
}

// Two bits, one bit, two bits.
const postOnlyBit = 4
const preventionShift = 3
const wordMask = 3

export function packOptions(options: OrderOptions): number {
  const { timeInForce, isPostOnly, selfTradePrevention } = options
  const prevention = selfTradePreventions.indexOf(selfTradePrevention)
  return (
    timesInForce.indexOf(timeInForce) |
    (isPostOnly ? postOnlyBit : 0) |
    (prevention << preventionShift)
  )
}

export function unpackOptions(packed: number): OrderOptions {
  return {
    timeInForce: timesInForce[packed & wordMask]!,
    isPostOnly: (packed & postOnlyBit) !== 0,
    selfTradePrevention: selfTradePreventions[(packed >> preventionShift) & wordMask]!,
  }
}
