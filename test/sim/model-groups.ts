// Order groups in the model: every fill is kept, and summed up each time.

import type { GroupCause } from '../../src/core/words.ts'
import { publish, sharesOnWire } from './model-events.ts'
import { closeByMarket } from './model-orders.ts'
import {
  isOpen,
  type NewEvent,
  type Order,
  type OrderGroup,
  openOrdersOf,
  type Rejection,
  type State,
  type StepOf,
} from './model-state.ts'

export function createGroup(state: State, step: StepOf<'createGroup'>): Rejection {
  const { operator, player, limitShares, windowMs } = step
  const number = state.groups.length
  state.groups.push({
    id: `group-${number}`,
    number,
    operator,
    player,
    limitShares,
    windowMs,
    status: 'ACTIVE',
    fills: [],
    cancelsBelow: 0,
  })
  return null
}

export function changeGroup(state: State, step: StepOf<'changeGroup'>): Rejection {
  const group = findGroup(state, step)
  if (group === undefined) return 'ORDER_GROUP_NOT_FOUND'
  const { change } = step
  if (change === 'reset') {
    group.status = 'ACTIVE'
    group.fills = []
  } else if (change === 'trigger') {
    if (group.status === 'TRIGGERED') return null
    group.status = 'TRIGGERED'
    publish(state, groupTriggered(state, group, 'REQUESTED'))
    startCancelling(state, group, null)
  } else if (change === 'delete') {
    group.status = 'DELETED'
    startCancelling(state, group, null)
  } else {
    group.limitShares = change
  }
  return null
}

/** A slice of the cancels of a group. */
export function continueGroup(state: State, step: StepOf<'continueGroup'>): Rejection {
  const group = state.groups[step.group]
  if (group === undefined) return null
  const left = openOrdersIn(state, group)
    .filter(isToBeCancelled)
    .sort((a, b) => a.number - b.number)
  closeByMarket(state, left.slice(0, step.atMost), 'ORDER_GROUP')
  return null
}

/** The operator's group of that number. */
export function findGroup(
  { groups }: State,
  { operator, group: number }: { readonly operator: number; readonly group: number },
): OrderGroup | undefined {
  const group = groups[number]
  return group?.operator === operator && group.status !== 'DELETED' ? group : undefined
}

/** Whether an order is still to be cancelled because its group was triggered or deleted. */
export function isToBeCancelled({ group, number }: Order): boolean {
  return group !== null && number < group.cancelsBelow
}

/** Its open orders without the one that is matching. */
export function openOrdersIn(state: State, group: OrderGroup, without: Order | null = null) {
  const open = state.markets.flatMap(openOrdersOf)
  return open.filter((order) => order.group === group && order !== without)
}

/** From now on its open orders are to be cancelled, and no longer match. */
export function startCancelling(state: State, group: OrderGroup, without: Order | null): void {
  if (openOrdersIn(state, group, without).length > 0) group.cancelsBelow = state.orders.length
}

export function matchedShares({ now }: State, { fills, windowMs }: OrderGroup): number {
  const recent = fills.filter(({ time }) => now - windowMs < time && time <= now)
  return recent.reduce((sum, { shares }) => sum + shares, 0)
}

export type GroupEffects = {
  readonly triggered: NewEvent[]
  /** Orders that were cancelled, in that order. */
  readonly cancelled: Order[]
}

/**
 * Counts a trade of those orders, the incoming one first, and triggers the groups that exceed their
 * limits. Returns whether that of the incoming order is among them.
 */
export function countTrade(
  state: State,
  orders: readonly Order[],
  shares: number,
  effects: GroupEffects,
): boolean {
  const incoming = orders[0]!
  const groups = new Set<OrderGroup>()
  for (const { group } of orders) {
    if (group === null) continue
    group.fills.push({ time: state.now, shares })
    groups.add(group)
  }
  const exceeded = [...groups].filter(
    (group) => group.status === 'ACTIVE' && matchedShares(state, group) > group.limitShares,
  )
  for (const group of exceeded) {
    group.status = 'TRIGGERED'
    effects.triggered.push(groupTriggered(state, group, 'LIMIT'))
    startCancelling(state, group, incoming)
  }
  for (const group of exceeded) cancelInMarket(state, group, incoming, effects)
  return incoming.group !== null && exceeded.includes(incoming.group)
}

function cancelInMarket(
  state: State,
  group: OrderGroup,
  incoming: Order,
  { cancelled }: GroupEffects,
): void {
  const open = openOrdersOf(incoming.market)
    .filter((order) => order.group === group && order !== incoming)
    .sort((a, b) => a.number - b.number)
  const most = Math.max(0, state.rules.groupCancelsMax - cancelled.length)
  for (const order of open.slice(0, most)) {
    order.status = 'CANCELLED'
    cancelled.push(order)
  }
}

/** Cancels orders of triggered groups that are the first of queues, until none is. */
export function cancelPending(
  first: () => readonly (Order | undefined)[],
  { cancelled }: GroupEffects,
): void {
  for (;;) {
    const pending = first().find((order) => order !== undefined && isToBeCancelled(order))
    if (pending === undefined) return
    pending.status = 'CANCELLED'
    cancelled.push(pending)
  }
}

/** What a new order names: its group, or a rejection. */
export function groupOfOrder(
  state: State,
  { operator, player, group: number }: StepOf<'place'>,
): OrderGroup | Rejection {
  if (number === null) return null
  const group = findGroup(state, { operator, group: number })
  if (group === undefined) return 'ORDER_GROUP_NOT_FOUND'
  return group.player === player ? group : 'VALIDATION_ERROR'
}

/** Whether an open order may be amended. */
export function isFrozen(order: Order): boolean {
  return order.group?.status === 'TRIGGERED' || (isOpen(order) && isToBeCancelled(order))
}

function groupTriggered(state: State, group: OrderGroup, cause: GroupCause): NewEvent {
  return {
    operator: group.operator,
    eventType: 'ORDER_GROUP_TRIGGERED',
    payload: {
      groupId: group.id,
      playerId: group.player,
      matchedShares: sharesOnWire(matchedShares(state, group)),
      limitShares: sharesOnWire(group.limitShares),
      cause,
    },
  }
}
