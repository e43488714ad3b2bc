// Dead-man switches: a client arms one and has to renew it. Where it does not in time, all open
// orders of the operator, or of the player, are cancelled in slices, and new ones are refused until
// the switch is armed again.

import { assert } from '../assert.ts'
import { openCountOf, openOrdersOf } from '../book/open-orders.ts'
import type { Serial } from '../ids.ts'
import { none, type OrderRow } from '../memory/memory.ts'
import type { Reject } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import type { DeadMan, Operator } from '../state/operator.ts'
import { closeOrders } from './cancel-many.ts'

/** Of a switch, from a renewal to its deadline. */
export const deadManTimeoutMsMin = 1_000
export const deadManTimeoutMsMax = 300_000
/** How many switches an operator may have. */
export const deadMenMax = 10_000

const everybody = { operator: null, playerId: null }

/** Where a scope has no switch. */
export const noDeadMan: Reject = { code: 'NOT_FOUND', message: 'No dead-man switch is armed here.' }

/** Of whom: null for the whole operator. */
export type DeadManScope = { readonly operator: Operator; readonly playerId: string | null }

export function armDeadMan(
  exchange: Exchange,
  { operator, playerId, timeoutMs }: DeadManScope & { readonly timeoutMs: number },
): Reject | null {
  const { deadMen } = operator
  const isNew = !(deadMen?.has(playerId) ?? false)
  if (isNew && (deadMen?.size ?? 0) >= deadMenMax) {
    return { code: 'OPERATOR_LIMIT', limit: 'DEAD_MAN_SWITCHES', max: deadMenMax }
  }

  exchange.begin()
  const deadMan = exchange.deadMan(operator, playerId)
  deadMan.state = 'ARMED'
  deadMan.timeoutMs = timeoutMs
  deadMan.deadline = exchange.now + timeoutMs
  scheduleDeadline(exchange, deadMan)
  writeDeadMan(exchange, deadMan)
  return null
}

/** Also a triggered one. The orders that it has to cancel are still cancelled. */
export function clearDeadMan(
  exchange: Exchange,
  { operator, playerId }: DeadManScope,
): Reject | null {
  const deadMan = findDeadMan({ operator, playerId })
  if (deadMan === null) return noDeadMan

  exchange.begin()
  deadMan.state = 'CLEARED'
  scheduleDeadline(exchange, deadMan)
  writeDeadMan(exchange, deadMan)
  if (deadMan.cancelUpTo === 0) exchange.forgetDeadMan(deadMan)
  return null
}

/** The switch of that scope; null where none is armed or triggered. */
export function findDeadMan({ operator, playerId }: DeadManScope): DeadMan | null {
  const found = operator.deadMen?.get(playerId)
  return found === undefined || found.state === 'CLEARED' ? null : found
}

/** Whether the operator may place and amend orders of that player. */
export function checkDeadMan({ deadMen }: Operator, playerId: string): Reject | null {
  if (deadMen === null) return null
  if (deadMen.get(null)?.state === 'TRIGGERED') {
    return { code: 'DEAD_MAN_TRIGGERED', playerId: null }
  }
  if (deadMen.get(playerId)?.state !== 'TRIGGERED') return null
  return { code: 'DEAD_MAN_TRIGGERED', playerId }
}

/** Triggers all switches whose deadline has come: from now on their orders are refused. */
export function triggerDue(exchange: Exchange): void {
  const { deadlines, deadMen, now } = exchange
  if (!deadlines.isDue(now)) return
  const due: DeadMan[] = []
  deadlines.eachDue(now, (handle) => due.push(deadMen.at(handle)))
  for (const deadMan of due.sort(byDeadline)) {
    exchange.begin()
    deadMan.state = 'TRIGGERED'
    if (openCountOf(deadMan) > 0) {
      deadMan.cancelUpTo = exchange.lastSerial
      deadMan.pending = null
      exchange.cancelling.add(deadMan)
    }
    scheduleDeadline(exchange, deadMan)
    writeDeadMan(exchange, deadMan, true)
  }
}

/** Cancels at most that many orders of a triggered switch; returns whether none is left. */
export function cancelTriggered(exchange: Exchange, deadMan: DeadMan, atMost: number): boolean {
  if (deadMan.pending === null) findPending(exchange)
  const pending = deadMan.pending ?? []
  const slice: OrderRow[] = []
  while (slice.length < atMost && pending.length > 0) {
    const order = exchange.orders.find(pending.pop()!)
    if (order !== none) slice.push(order)
  }
  closeOrders(exchange, slice, 'DEAD_MAN')
  if (pending.length > 0) return false

  exchange.begin()
  deadMan.cancelUpTo = 0
  deadMan.pending = null
  exchange.cancelling.delete(deadMan)
  writeDeadMan(exchange, deadMan)
  if (deadMan.state === 'CLEARED') exchange.forgetDeadMan(deadMan)
  return true
}

// In one pass over the books for all switches that have not begun: a client that has stopped may
// have had one for each of its players.
function findPending(exchange: Exchange): void {
  const found = new Map<DeadMan, Serial[]>()
  let left = 0
  for (const deadMan of exchange.cancelling) {
    if (deadMan.pending !== null) continue
    found.set(deadMan, [])
    left += openCountOf(deadMan)
  }
  for (const order of openOrdersOf(exchange, everybody)) {
    const { operator, id } = exchange.playerOf(order)
    const serial = exchange.orders.serial(order)
    for (const playerId of [null, id]) {
      const deadMan = operator.deadMen?.get(playerId)
      const serials = deadMan && found.get(deadMan)
      if (deadMan === undefined || serials === undefined) continue
      left -= 1
      if (serial <= deadMan.cancelUpTo) serials.push(serial)
    }
    if (left === 0) break
  }
  for (const [deadMan, serials] of found) deadMan.pending = serials.sort((a, b) => b - a)
}

/** Keeps the deadline of an armed switch, and only that, on the schedule. */
export function scheduleDeadline({ deadlines }: Exchange, deadMan: DeadMan): void {
  deadlines.remove(deadMan.handle)
  if (deadMan.state === 'ARMED') deadlines.add(deadMan.handle, deadMan.deadline, deadMan.handle)
}

// The operator's own goes before those of its players. The order must not depend on handles.
function byDeadline(a: DeadMan, b: DeadMan): number {
  if (a.deadline !== b.deadline) return a.deadline - b.deadline
  return (a.playerId ?? '') < (b.playerId ?? '') ? -1 : 1
}

function writeDeadMan({ journal }: Exchange, deadMan: DeadMan, isTriggered = false): void {
  const { deadline, timeoutMs } = deadMan
  assert(deadMan.state !== 'ARMED' || timeoutMs > 0, 'an armed switch has a timeout')
  journal.add({ kind: 'DEAD_MAN', deadMan, deadline, timeoutMs, isTriggered })
}
