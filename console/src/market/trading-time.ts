// Whether the trading time of a market has passed, and when it may end. The market stays OPEN until
// it is closed.

import { ConsoleError } from '../explain.ts'
import type { Market } from '../wire.ts'

export function isTradingOver({ tradingEndsAt }: Market, now: number): boolean {
  return tradingEndsAt !== null && Date.parse(tradingEndsAt) <= now
}

/** Of an input. The exchange accepts an end in the past; a user has rather mistyped it. */
export function checkTradingEnd(endsAt: string): void {
  if (endsAt !== '' && new Date(endsAt).getTime() <= Date.now()) {
    throw new ConsoleError('Trading must end in the future.')
  }
}
