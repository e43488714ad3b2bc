// How many orders may be open at once: of a player in a market, and of an operator in all. Each
// takes memory, and is cancelled one by one when its market ends.

import { openOrders } from '../book/queue.ts'
import type { Reject } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Market } from '../state/market.ts'
import type { Operator, Player } from '../state/operator.ts'

/** Unless the rules of the installation have others. */
export const playerOrdersMax = 10_000
export const operatorOrdersMax = 1_000_000

/** Whether one more order may rest. */
export function checkOpenOrders(
  exchange: Exchange,
  market: Market,
  operator: Operator,
  player: Player | undefined,
): Reject | null {
  const { rules } = exchange
  const operatorMax = rules.operatorOrdersMax ?? operatorOrdersMax
  if (operator.openOrders >= operatorMax) {
    return { code: 'ORDER_LIMIT', holder: 'operator', max: operatorMax }
  }
  const playerMax = rules.playerOrdersMax ?? playerOrdersMax
  if (player === undefined || player.openOrders < playerMax) return null
  if (countIn(exchange, market, player) < playerMax) return null
  return { code: 'ORDER_LIMIT', holder: 'player', max: playerMax }
}

// Counted once; from then on state/order-counts.ts keeps it up to date.
function countIn(exchange: Exchange, market: Market, player: Player): number {
  player.openOrdersByMarket ??= new Map()
  const known = player.openOrdersByMarket.get(market.handle)
  if (known !== undefined) return known
  let count = 0
  for (const book of market.books) {
    for (const order of openOrders(exchange, book)) {
      if (exchange.orders.player(order) === player.handle) count += 1
    }
  }
  player.openOrdersByMarket.set(market.handle, count)
  return count
}
