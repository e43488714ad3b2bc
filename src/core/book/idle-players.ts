// Players that have neither an open order nor a position nor a brake need no memory.

import type { PlayerHandle } from '../memory/slots.ts'
import type { Exchange } from '../state/exchange.ts'
import { positionsOf } from './holdings.ts'

/** Forgets them, between turns only; returns how many they were. */
export function forgetIdlePlayers(exchange: Exchange): number {
  const { markets, players, positions } = exchange
  const holders = new Set<PlayerHandle>()
  for (const market of markets) {
    for (const position of positionsOf(exchange, market)) holders.add(positions.player(position))
  }
  const idle = [...players].filter(
    (player) => player.openOrders === 0 && player.controls === null && !holders.has(player.handle),
  )
  for (const player of idle) exchange.forgetPlayer(player)
  return idle.length
}
