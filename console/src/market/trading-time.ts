// Whether the trading time of a market has passed. The market stays OPEN until it is closed.

import type { Market } from '../wire.ts'

export function isTradingOver({ tradingEndsAt }: Market, now: number): boolean {
  return tradingEndsAt !== null && Date.parse(tradingEndsAt) <= now
}
