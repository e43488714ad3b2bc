// Order groups while an order matches: what is filled is counted, and a group that exceeds its
// limit with a trade is triggered before the incoming order goes on, so that it is exceeded by one
// trade at most. Its other orders in the market are cancelled at once; those in other
// markets, which this order cannot meet, after the command.

import { bestOrder } from '../book/queue.ts'
import { none, type OrderRow } from '../memory/memory.ts'
import type { Exchange } from '../state/exchange.ts'
import type { OrderGroup } from '../state/operator.ts'
import { closeOrder } from './cancel.ts'
import type { GroupEffects, Incoming } from './incoming.ts'
import { endCancelling, isToBeCancelled, startCancelling, writeGroup } from './order-groups.ts'

/** What one command cancels of triggered groups at most; the others follow in slices. */
export const groupCancelsMax = 1_000

/** Counts a trade of that many shares of the incoming order with resting ones. */
export function countInGroups(
  exchange: Exchange,
  incoming: Incoming,
  resting: readonly OrderRow[],
  shares: number,
): void {
  for (const order of [incoming.order, ...resting]) {
    const group = exchange.groupOf(order)
    if (group === null) continue
    const matched = group.fills.add(exchange.now, shares)
    exchange.journal.add({ kind: 'ORDER_GROUP_FILL', group })
    if (matched <= group.limitShares || group.status !== 'ACTIVE') continue
    const { exceeded } = effectsOf(incoming)
    if (!exceeded.includes(group)) exceeded.push(group)
  }
}

function effectsOf(incoming: Incoming): GroupEffects {
  incoming.groupEffects ??= { exceeded: [], cancelled: 0, changed: new Set() }
  return incoming.groupEffects
}

/** Whether the last trade has made a group exceed its limit. */
export function hasExceeded({ groupEffects }: Incoming): boolean {
  return groupEffects !== null && groupEffects.exceeded.length > 0
}

/** Triggers them, and returns whether the group of the incoming order is among them. */
export function triggerExceeded(exchange: Exchange, incoming: Incoming): boolean {
  const effects = effectsOf(incoming)
  const groups = effects.exceeded
  effects.exceeded = []
  for (const group of groups) {
    group.status = 'TRIGGERED'
    writeGroup(exchange, group, 'LIMIT')
    startCancelling(exchange, group)
  }
  for (const group of groups) cancelInMarket(exchange, incoming, group)
  const own = exchange.groupOf(incoming.order)
  return own !== null && groups.includes(own)
}

// The oldest first.
function cancelInMarket(exchange: Exchange, incoming: Incoming, group: OrderGroup): void {
  const { orders, rules } = exchange
  const effects = effectsOf(incoming)
  const open = [...(group.ordersByMarket.get(incoming.book.market.handle) ?? [])]
  const oldestFirst = open.sort((a, b) => orders.serial(a) - orders.serial(b))
  const left = (rules.groupCancelsMax ?? groupCancelsMax) - effects.cancelled
  for (const order of oldestFirst.slice(0, Math.max(0, left))) cancel(exchange, incoming, order)
  if (!group.hasOrders) endCancelling(exchange, group)
}

function cancel(exchange: Exchange, incoming: Incoming, order: OrderRow): void {
  const effects = effectsOf(incoming)
  effects.cancelled += 1
  effects.changed.add(closeOrder(exchange, order, 'ORDER_GROUP'))
}

/** Cancels orders of triggered groups that would be the next to match the incoming order. */
export function cancelPending(exchange: Exchange, incoming: Incoming): void {
  if (exchange.cancellingGroups.size === 0) return
  const { book, isSell } = incoming
  cancelFirst(exchange, incoming, () => bestOrder(exchange, book.oppositeOf(isSell)))
  if (!book.market.hasCompleteSetMatching) return
  for (const other of book.others) {
    cancelFirst(exchange, incoming, () => bestOrder(exchange, other.sideOf(isSell)))
  }
}

function cancelFirst(exchange: Exchange, incoming: Incoming, first: () => OrderRow): void {
  for (let order = first(); order !== none && isToBeCancelled(exchange, order); order = first()) {
    cancel(exchange, incoming, order)
  }
}
