// How many orders may be open at once: of a player in a market, and of an operator in all. Each
// takes memory, and is cancelled one by one when its market ends.

import { openOrders } from '../book/book.ts'
import type { Reject } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Market } from '../state/market.ts'
import type { Operator, Player } from '../state/operator.ts'

/** Unless the rules say otherwise. */
export const playerOrdersMax = 10_000
export const operatorOrdersMax = 1_000_000
const notCounted = -1

/** Whether one more may rest: two comparisons, until somebody has many. */
export function checkOpenOrders(
  exchange: Exchange,
  operator: Operator,
  player: Player | undefined,
  market: Market,
): Reject | null {
  const { orderCounts, orders, rules } = exchange
  const max = rules.operatorOrdersMax ?? operatorOrdersMax
  if (orders.openCount >= max && countOf(exchange, operator) >= max) {
    return { code: 'ORDER_LIMIT', holder: 'operator', max }
  }
  const playerMax = rules.playerOrdersMax ?? playerOrdersMax
  if (player === undefined || orderCounts.byPlayer[player.handle]! < playerMax) return null
  if (countIn(exchange, player, market) < playerMax) return null
  return { code: 'ORDER_LIMIT', holder: 'player', max: playerMax }
}

// Counted once, and from then on with each order.
function countOf({ orderCounts }: Exchange, operator: Operator): number {
  if (operator.openOrders !== null) return operator.openOrders
  let count = 0
  for (const { handle } of operator.players.values()) count += orderCounts.byPlayer[handle]!
  operator.openOrders = count
  orderCounts.isWatched = true
  return count
}

// The same.
function countIn(exchange: Exchange, player: Player, market: Market): number {
  const counts = roomFor(player, market)
  if (counts[market.handle]! >= 0) return counts[market.handle]!
  const { orderCounts, orders } = exchange
  let count = 0
  for (const book of market.books) {
    for (const order of openOrders(exchange, book)) {
      if (orders.player(order) === player.handle) count += 1
    }
  }
  counts[market.handle] = count
  orderCounts.isWatched = true
  return count
}

// A market that is forgotten has no open orders, so that whoever gets its handle starts right.
function roomFor(player: Player, { handle }: Market): Int32Array {
  const known = player.openOrdersIn
  if (known !== null && handle < known.length) return known
  const counts = new Int32Array((handle + 1) * 2).fill(notCounted)
  if (known !== null) counts.set(known)
  player.openOrdersIn = counts
  return counts
}
