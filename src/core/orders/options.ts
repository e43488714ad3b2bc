// The options of an order, packed into one number for its row: 0 for an order without any.

import { invalid, type Reject } from '../reject.ts'
import {
  type OrderType,
  type SelfTradePrevention,
  selfTradePreventions,
  type TimeInForce,
  timesInForce,
} from '../words.ts'

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

/**
 * Among the stored options of an order that is REJECTED because of a price band, so that a repeated
 * request is answered as the first one was. It is no option: no order of a client has it.
 */
const outsideBandBit = 1 << 14

export function withOutsideBand(packed: number): number {
  return packed | outsideBandBit
}

export function isOutsideBand(packed: number): boolean {
  return (packed & outsideBandBit) !== 0
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
  if (packed === 0) return usualOptions
  return {
    timeInForce: timesInForce[packed & wordMask]!,
    isPostOnly: (packed & postOnlyBit) !== 0,
    selfTradePrevention: selfTradePreventions[(packed >> preventionShift) & wordMask]!,
  }
}

/** Refuses options that do not go with an order of that type, or with each other. */
export function checkOptions(type: OrderType, options: OrderOptions): Reject | null {
  const { timeInForce, isPostOnly } = options
  if (type === 'MARKET' && timeInForce !== 'GTC') {
    return invalid('timeInForce', 'is allowed only on LIMIT orders')
  }
  if (isPostOnly && (type === 'MARKET' || timeInForce !== 'GTC')) {
    return invalid('postOnly', 'is allowed only on LIMIT orders with timeInForce GTC')
  }
  return null
}
