// How many orders are open. Of each player always, in an array, so that no order need touch its
// player for it. Of operators, and of players in a market, from the moment that somebody asks; see
// order-limits.ts.

import type { Exchange } from './exchange.ts'

const firstCapacity = 1_024
/** Below so many a player's counts by market are let go; nobody can make us count them often. */
const manyOrders = 500

export class OrderCounts {
  /** By the handle of the player. */
  byPlayer = new Int32Array(firstCapacity)
  /** Whether there is more to count. */
  isWatched = false

  /** Room for a player with that handle. */
  reserve(handle: number): void {
    if (handle < this.byPlayer.length) return
    const byPlayer = new Int32Array(this.byPlayer.length * 2)
    byPlayer.set(this.byPlayer)
    this.byPlayer = byPlayer
  }

  clear(): void {
    this.byPlayer.fill(0)
    this.isWatched = false
  }
}

/** An order rests from now on. */
export const countOpened = (exchange: Exchange, order: number): void => change(exchange, order, 1)

/** It rests no longer. */
export const countClosed = (exchange: Exchange, order: number): void => change(exchange, order, -1)

const change = (exchange: Exchange, order: number, by: number): void => {
  const { orderCounts, orders } = exchange
  orderCounts.byPlayer[orders.player(order)]! += by
  if (orderCounts.isWatched) changeWatched(exchange, order, by)
}

const changeWatched = (exchange: Exchange, order: number, by: number): void => {
  const { books, orderCounts, orders, players } = exchange
  const player = players.at(orders.player(order))
  const { operator, openOrdersIn } = player
  if (operator.openOrders !== null) operator.openOrders += by
  if (openOrdersIn === null) return
  const { handle } = books.at(orders.book(order)).market
  if (openOrdersIn[handle]! >= 0) openOrdersIn[handle]! += by
  if (orderCounts.byPlayer[player.handle]! < manyOrders) player.openOrdersIn = null
}
