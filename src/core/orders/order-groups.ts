// Order groups: a player puts orders into one, and where they are filled by more than its limit
// within its window, it is triggered. What is open in it is then cancelled, and no order may be
// placed in it until it is reset. group-fills.ts has what happens while orders match.

import type { Serial } from '../ids.ts'
import { none, type OrderRow } from '../memory/memory.ts'
import type { Shares } from '../money.ts'
import { invalid, type Reject } from '../reject.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Operator, OrderGroup } from '../state/operator.ts'
import type { GroupCause } from '../words.ts'
import { closeOrders } from './cancel-many.ts'

/** Of a player. */
export const orderGroupsMax = 100
/** Of an operator. */
export const operatorGroupsMax = 10_000
export const groupWindowMsMin = 1_000
export const groupWindowMsMax = 60_000
export const groupWindowMsUsual = 15_000
/** In hundredths of a share. */
export const groupLimitMin = 1
export const groupLimitMax = 100_000_000_000

export const groupNotFound: Reject = { code: 'ORDER_GROUP_NOT_FOUND' }

export type CreateOrderGroup = {
  readonly operator: Operator
  readonly playerId: string
  readonly limitShares: Shares
  readonly windowMs: number
}

export function createOrderGroup(exchange: Exchange, command: CreateOrderGroup): Reject | null {
  const { operator, playerId } = command
  const known = operator.orderGroups?.get(playerId)?.size ?? 0
  if (known >= orderGroupsMax) return { code: 'ORDER_GROUP_LIMIT', max: orderGroupsMax }
  if (operator.orderGroupCount >= operatorGroupsMax) {
    return { code: 'OPERATOR_LIMIT', limit: 'ORDER_GROUPS', max: operatorGroupsMax }
  }

  exchange.begin()
  const { now: createdAt } = exchange
  const group = exchange.addOrderGroup({ ...command, serial: exchange.nextSerial(), createdAt })
  writeGroup(exchange, group)
  return null
}

/** The operator's group, unless it is deleted. */
export function findOrderGroup(
  { orderGroups }: Exchange,
  operator: Operator,
  serial: Serial,
): OrderGroup | null {
  const found = orderGroups.get(serial)
  const isFound = found?.operator === operator && found.status !== 'DELETED'
  return isFound ? found : null
}

export type GroupCommand = { readonly operator: Operator; readonly groupSerial: Serial }

/** A limit below what is matched already triggers the group with the next trade. */
export function limitOrderGroup(
  exchange: Exchange,
  { operator, groupSerial, limitShares }: GroupCommand & { readonly limitShares: Shares },
): Reject | null {
  const group = findOrderGroup(exchange, operator, groupSerial)
  if (group === null) return groupNotFound

  exchange.begin()
  group.limitShares = limitShares
  writeGroup(exchange, group)
  return null
}

/** Changes nothing where it is triggered already. Its orders are cancelled by continueGroup. */
export function triggerOrderGroup(exchange: Exchange, command: GroupCommand): Reject | null {
  const group = findOrderGroup(exchange, command.operator, command.groupSerial)
  if (group === null) return groupNotFound
  if (group.status === 'TRIGGERED') return null

  exchange.begin()
  group.status = 'TRIGGERED'
  startCancelling(exchange, group)
  writeGroup(exchange, group, 'REQUESTED')
  return null
}

/** The orders that a triggered group has to cancel are still cancelled after a reset. */
export function resetOrderGroup(exchange: Exchange, command: GroupCommand): Reject | null {
  const group = findOrderGroup(exchange, command.operator, command.groupSerial)
  if (group === null) return groupNotFound

  exchange.begin()
  group.status = 'ACTIVE'
  group.fills.clear()
  writeGroup(exchange, group)
  return null
}

/** Its orders are cancelled by continueGroup. */
export function deleteOrderGroup(exchange: Exchange, command: GroupCommand): Reject | null {
  const group = findOrderGroup(exchange, command.operator, command.groupSerial)
  if (group === null) return groupNotFound

  exchange.begin()
  group.status = 'DELETED'
  exchange.unlistOrderGroup(group)
  startCancelling(exchange, group)
  writeGroup(exchange, group)
  if (group.cancelUpTo === 0) exchange.forgetOrderGroup(group)
  return null
}

type NamedGroup = { readonly group: OrderGroup | null; readonly rejection: Reject | null }
const noGroup: NamedGroup = { group: null, rejection: null }

/** The group that a new order names, and whether the order may be placed in it. */
export function groupForOrder(
  exchange: Exchange,
  order: {
    readonly operator: Operator
    readonly playerId: string
    readonly orderGroupSerial?: Serial | null
  },
): NamedGroup {
  const { operator, orderGroupSerial = null, playerId } = order
  if (orderGroupSerial === null) return noGroup
  const group = findOrderGroup(exchange, operator, orderGroupSerial)
  if (group === null) return { group, rejection: groupNotFound }
  const isOwn = group.playerId === playerId
  const foreign = invalid('orderGroupId', 'must be a group of the same player')
  return { group, rejection: isOwn ? checkOrderGroup(group) : foreign }
}

/** Whether orders of the group may be placed and amended. */
function checkOrderGroup(group: OrderGroup | null): Reject | null {
  if (group?.status !== 'TRIGGERED') return null
  return { code: 'ORDER_GROUP_TRIGGERED', orderGroupId: group.id }
}

/** The same for an open order; one that is still to be cancelled must not match before. */
export function checkGroupOf(exchange: Exchange, order: OrderRow): Reject | null {
  const group = exchange.groupOf(order)
  if (group === null || !isToBeCancelled(exchange, order)) return checkOrderGroup(group)
  return { code: 'ORDER_GROUP_TRIGGERED', orderGroupId: group.id }
}

/** Whether the order is still to be cancelled because its group was triggered or deleted. */
export function isToBeCancelled(exchange: Exchange, order: OrderRow): boolean {
  if (exchange.cancellingGroups.size === 0) return false
  const group = exchange.groupOf(order)
  return group !== null && exchange.orders.serial(order) <= group.cancelUpTo
}

/** From now on its open orders are to be cancelled, and no longer match. */
export function startCancelling(exchange: Exchange, group: OrderGroup): void {
  if (!group.hasOrders) return
  group.cancelUpTo = exchange.lastSerial
  group.pending = null
  exchange.cancellingGroups.add(group)
}

/** Cancels at most that many of its orders; returns whether none is left that has to be. */
export function continueGroup(exchange: Exchange, group: OrderGroup, atMost: number): boolean {
  group.pending ??= serialsToCancel(exchange, group)
  const slice: OrderRow[] = []
  while (slice.length < atMost && group.pending.length > 0) {
    const order = exchange.orders.find(group.pending.pop()!)
    // It may have been cancelled meanwhile.
    if (order !== none) slice.push(order)
  }
  closeOrders(exchange, slice, 'ORDER_GROUP')
  if (group.pending.length > 0) return false

  exchange.begin()
  endCancelling(exchange, group)
  writeGroup(exchange, group)
  if (group.status === 'DELETED') exchange.forgetOrderGroup(group)
  return true
}

/** All of its orders that had to be cancelled are. */
export function endCancelling(exchange: Exchange, group: OrderGroup): void {
  group.cancelUpTo = 0
  group.pending = null
  exchange.cancellingGroups.delete(group)
}

// The oldest last.
function serialsToCancel({ orders }: Exchange, group: OrderGroup): Serial[] {
  const serials: Serial[] = []
  for (const inMarket of group.ordersByMarket.values()) {
    for (const order of inMarket) {
      const serial = orders.serial(order)
      if (serial <= group.cancelUpTo) serials.push(serial)
    }
  }
  return serials.sort((a, b) => b - a)
}

/** Writes the fact of a group that has changed; with a cause where it was triggered. */
export function writeGroup(
  { journal, now }: Exchange,
  group: OrderGroup,
  cause: GroupCause | null = null,
): void {
  const matchedShares = group.fills.sharesAt(now)
  const { limitShares } = group
  journal.add({ kind: 'ORDER_GROUP', group, cause, matchedShares, limitShares })
}
