// Cancels the orders of triggered dead-man switches and order groups within a turn, in slices that
// are charged to their operators.

import { cancelTriggered } from '../core/orders/dead-man.ts'
import { continueGroup } from '../core/orders/order-groups.ts'
import type { Exchange } from '../core/state/exchange.ts'
import type { DeadMan, OrderGroup } from '../core/state/operator.ts'
import { costOfFacts } from './cost.ts'

type Limits = {
  /** Of all switches together. */
  readonly atMost: number
  /** Of each. */
  readonly sliceMax: number
  readonly isChosen: (deadMan: DeadMan) => boolean
}

export function cancelOrdersOfSwitches(
  exchange: Exchange,
  { atMost, sliceMax, isChosen }: Limits,
  charge: (operatorId: string, cost: number) => void,
): void {
  const { cancelling, journal } = exchange
  let left = atMost
  for (const deadMan of [...cancelling].filter(isChosen)) {
    if (left <= 0) return
    const factsBefore = journal.factCount
    const isDone = cancelTriggered(exchange, deadMan, Math.min(left, sliceMax))
    const cost = costOfFacts(journal.since(factsBefore))
    left -= cost
    charge(deadMan.operator.id, cost)
    if (isDone) continue
    // The others are first the next time.
    cancelling.delete(deadMan)
    cancelling.add(deadMan)
  }
}

/** The same for order groups that were triggered or deleted. */
export function cancelOrdersOfGroups(
  exchange: Exchange,
  { atMost, sliceMax }: Pick<Limits, 'atMost' | 'sliceMax'>,
  charge: (operatorId: string, cost: number) => void,
): void {
  const { cancellingGroups, journal } = exchange
  let left = atMost
  for (const group of [...cancellingGroups]) {
    if (left <= 0) return
    const factsBefore = journal.factCount
    const isDone = continueGroup(exchange, group, Math.min(left, sliceMax))
    const cost = costOfFacts(journal.since(factsBefore))
    left -= cost
    charge(group.operator.id, cost)
    if (!isDone) putLast(cancellingGroups, group)
  }
}

// The others are first the next time.
function putLast(groups: Set<OrderGroup>, group: OrderGroup): void {
  groups.delete(group)
  groups.add(group)
}
