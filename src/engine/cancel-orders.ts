// Cancels the orders of triggered dead-man switches and order groups within a turn, in slices that
// are charged to their operators.

import { cancelTriggered } from '../core/orders/dead-man.ts'
import { continueGroup } from '../core/orders/order-groups.ts'
import type { Exchange } from '../core/state/exchange.ts'
import type { DeadMan } from '../core/state/operator.ts'
import { costOfFacts } from './cost.ts'

/** What is cancelled before the commands of a turn, so that none of it is met after a deadline. */
const cancelledAtOnceMax = 1_000

type Charge = (operatorId: string, cost: number) => void

/** Of the switches that have not begun: those that were triggered just now, as a rule. */
export function cancelOrdersOfTriggered(exchange: Exchange, charge: Charge): void {
  const triggered = [...exchange.cancelling].filter(({ pending }) => pending === null)
  cancelOrdersOf(exchange, triggered, cancelledAtOnceMax, charge)
}

/** Cancels at most that many orders of all switches together. */
export function cancelOrdersOfSwitches(exchange: Exchange, atMost: number, charge: Charge): void {
  cancelOrdersOf(exchange, [...exchange.cancelling], atMost, charge)
}

function cancelOrdersOf(
  exchange: Exchange,
  deadMen: readonly DeadMan[],
  atMost: number,
  charge: Charge,
): void {
  const { cancelling, journal } = exchange
  let left = atMost
  for (const deadMan of deadMen) {
    if (left <= 0) return
    const factsBefore = journal.factCount
    const isDone = cancelTriggered(exchange, deadMan, left)
    const cost = costOfFacts(journal.since(factsBefore))
    left -= cost
    charge(deadMan.operator.id, cost)
    if (!isDone) putLast(cancelling, deadMan)
  }
}

/** The same for order groups that were triggered or deleted. */
export function cancelOrdersOfGroups(exchange: Exchange, atMost: number, charge: Charge): void {
  const { cancellingGroups, journal } = exchange
  let left = atMost
  for (const group of [...cancellingGroups]) {
    if (left <= 0) return
    const factsBefore = journal.factCount
    const isDone = continueGroup(exchange, group, left)
    const cost = costOfFacts(journal.since(factsBefore))
    left -= cost
    charge(group.operator.id, cost)
    if (!isDone) putLast(cancellingGroups, group)
  }
}

// The others are first the next time.
function putLast<Canceller>(cancellers: Set<Canceller>, canceller: Canceller): void {
  cancellers.delete(canceller)
  cancellers.add(canceller)
}
