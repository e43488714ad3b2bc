// How many orders rest: of each player and operator always, of a player in a market once a limit
// needs it. orders/order-limits.ts holds the limits and counts for the first time.

import type { Market } from './market.ts'
import type { Player } from './operator.ts'

/**
 * A player with fewer open orders is far from any limit, so its counts by market are dropped. Many
 * orders are needed to have them counted again, which keeps clients from causing it often.
 */
const manyOrders = 500

/** An order of that player begins to rest in that market (1), or ends (-1). */
export function countOpenOrder(player: Player, market: Market, change: 1 | -1): void {
  player.openOrders += change
  player.operator.openOrders += change
  const byMarket = player.openOrdersByMarket
  if (byMarket === null) return
  const count = byMarket.get(market.handle)
  if (count !== undefined) byMarket.set(market.handle, count + change)
  if (player.openOrders < manyOrders) player.openOrdersByMarket = null
}
