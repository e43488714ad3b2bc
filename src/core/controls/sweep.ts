// Cancelling the orders that a brake does not leave open, in slices: the brake is in force from the
// first moment, and a restart goes on where it stopped.

import { writeBook } from '../book/changes.ts'
import { openOrders, ordersOf } from '../book/queue.ts'
import type { Serial } from '../ids.ts'
import { none, type OrderRow } from '../memory/memory.ts'
import { closeOrder } from '../orders/cancel.ts'
import type { Controls } from '../state/controls.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Book, Market } from '../state/market.ts'
import type { Operator, Player } from '../state/operator.ts'
import { writeControls } from './write-controls.ts'

/** To be called within a command. One that is under way goes on with what is to go now. */
export function startSweep(exchange: Exchange, controls: Controls): void {
  const left = ordersToCancel(exchange, controls)
  const cancelled = controls.sweep?.cancelled ?? 0
  controls.sweep = { cancelled, left }
  if (left.length === 0 && cancelled === 0) controls.endSweep()
}

/** Cancels at most that many orders. */
export function continueSweep(exchange: Exchange, controls: Controls, atMost: number): void {
  const { sweep } = controls
  if (sweep === null) return
  sweep.left ??= ordersToCancel(exchange, controls)
  const { left } = sweep
  const byMarket = new Map<Market, OrderRow[]>()
  for (let taken = 0; taken < atMost && left.length > 0; ) {
    const order = exchange.orders.find(left.pop()!)
    // It was filled or cancelled meanwhile.
    if (order === none) continue
    const { market } = exchange.bookOf(order)
    const orders = byMarket.get(market)
    if (orders === undefined) byMarket.set(market, [order])
    else orders.push(order)
    taken += 1
  }
  for (const orders of byMarket.values()) {
    cancelAll(exchange, orders)
    sweep.cancelled += orders.length
  }
  if (byMarket.size === 0) exchange.begin()
  if (left.length === 0) controls.endSweep()
  writeControls(exchange, controls, [])
}

// The events of one command are about one market.
function cancelAll(exchange: Exchange, orders: readonly OrderRow[]): void {
  const books = new Set<Book>()
  exchange.begin()
  for (const order of orders) books.add(closeOrder(exchange, order, 'TRADING_RESTRICTED'))
  for (const book of books) writeBook(exchange, book)
}

// The newest first: the oldest is cancelled first, also where an amendment has moved one meanwhile.
function ordersToCancel(exchange: Exchange, { holder, mode }: Controls): Serial[] {
  const operator = holder.kind === 'EXCHANGE' ? null : exchange.operator(holder.operatorId)!
  const player = holder.kind === 'PLAYER' ? operator!.players.get(holder.playerId)! : null
  const found: Serial[] = []
  // No more of them are looked for than there are.
  let open = (player ?? operator)?.openOrders ?? Number.POSITIVE_INFINITY
  for (const book of exchange.books) {
    const orders = mode === 'HALTED' ? openOrders(exchange, book) : ordersOf(exchange, book.bids)
    for (const order of orders) {
      if (open === 0) break
      exchange.visits += 1
      if (!isOf(exchange, order, { operator, player })) continue
      open -= 1
      found.push(exchange.orders.serial(order))
    }
  }
  return found.sort((a, b) => b - a)
}

type Whose = { readonly operator: Operator | null; readonly player: Player | null }

function isOf(exchange: Exchange, order: OrderRow, { operator, player }: Whose): boolean {
  if (operator === null) return true
  const own = exchange.playerOf(order)
  return player === null ? own.operator === operator : own === player
}
