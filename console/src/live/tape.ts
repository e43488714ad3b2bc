// The tape of an outcome: loaded trades, and those received from the stream since. Pure.

import type { TapeTrade } from '../wire.ts'

/**
 * Newest first, each once. A received trade with the time of the newest loaded one may be among
 * the loaded trades or not, because a millisecond can contain several turns.
 */
export function mergeTrades(
  loaded: readonly TapeTrade[],
  received: readonly TapeTrade[],
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
  return [...received.filter(isNew), ...loaded]
}
