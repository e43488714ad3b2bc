// Cancelling the orders that a brake does not leave open, in slices: the brake is in force from the
// first moment, and a restart goes on where it stopped.

import { openSerialsOf } from '../book/open-orders.ts'
import type { Serial } from '../ids.ts'
import { none, type OrderRow } from '../memory/memory.ts'
import { closeOrders } from '../orders/cancel-many.ts'
import type { Controls } from '../state/controls.ts'
import type { Exchange } from '../state/exchange.ts'
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
  const slice: OrderRow[] = []
  while (slice.length < atMost && sweep.left.length > 0) {
    const order = exchange.orders.find(sweep.left.pop()!)
    // It may have been filled or cancelled meanwhile.
    if (order !== none) slice.push(order)
  }
  sweep.cancelled += closeOrders(exchange, slice, 'TRADING_RESTRICTED')
  if (slice.length === 0) exchange.begin()
  if (sweep.left.length === 0) controls.endSweep()
  writeControls(exchange, controls, [])
}

// The oldest is cancelled first, also where an amendment has moved one meanwhile.
function ordersToCancel(exchange: Exchange, { holder, mode }: Controls): Serial[] {
  const operator = holder.kind === 'EXCHANGE' ? null : exchange.operator(holder.operatorId)!
  const playerId = holder.kind === 'PLAYER' ? holder.playerId : null
  return openSerialsOf(exchange, { operator, playerId }, { onlyBids: mode !== 'HALTED' })
}
