// The tape of an outcome: trades that were loaded, and those heard since. Pure.

import type { TapeTrade } from '../wire.ts'

/**
 * Newest first, each once. What is newer than all that was loaded was heard only; what is as new
 * may be both, since more than one turn fits into a millisecond.
 */
export function joined(
  loaded: readonly TapeTrade[],
  heard: readonly TapeTrade[],
): readonly TapeTrade[] {
  const newest = loaded[0]?.timestamp ?? 0
  const known = loaded.filter(({ timestamp }) => timestamp === newest)
  const isNew = (trade: TapeTrade) => {
    if (trade.timestamp !== newest) return trade.timestamp > newest
    const at = known.findIndex(({ price, shares, takerSide }) => {
      return price === trade.price && shares === trade.shares && takerSide === trade.takerSide
    })
    if (at >= 0) known.splice(at, 1)
    return at < 0
  }
  return [...heard.filter(isNew), ...loaded]
}
