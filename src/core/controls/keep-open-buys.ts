// Which players' open BUY orders are counted: those of players that have a limit. One that gets its
// first limit has its orders searched for, once.

import { openOrdersOf } from '../book/open-orders.ts'
import type { ControlsHolder } from '../state/controls.ts'
import type { Exchange } from '../state/exchange.ts'
import { areAnyInForce } from '../state/limits.ts'
import { OpenBuys } from '../state/open-buys.ts'
import { limitSourcesOf, type Player } from '../state/operator.ts'

/** To be called whenever the limits of that holder may have changed. */
export function keepOpenBuys(exchange: Exchange, holder: ControlsHolder): void {
  if (holder.kind === 'EXCHANGE' || holder.kind === 'ADMINISTRATOR') return
  const operator = exchange.operator(holder.operatorId)!
  const playerId = holder.kind === 'PLAYER' ? holder.playerId : null
  const player = playerId === null ? undefined : operator.players.get(playerId)
  const added = new Set<Player>()
  for (const each of player === undefined ? operator.players.values() : [player]) {
    const isLimited = areAnyInForce(limitSourcesOf(operator, each))
    if (isLimited && each.openBuys === null && each.openOrders > 0) added.add(each)
    if (!isLimited) each.openBuys = null
    else each.openBuys ??= new OpenBuys()
  }
  if (added.size === 0) return
  const { orders } = exchange
  for (const order of openOrdersOf(exchange, { operator, playerId }, { onlyBids: true })) {
    const owner = exchange.playerOf(order)
    if (!added.has(owner)) continue
    const terms = { shares: orders.remaining(order), price: orders.price(order) }
    owner.openBuys!.count(orders.book(order), terms)
  }
}
