// Cancels the orders of triggered dead-man switches and order groups within a turn, in slices that
// are charged to their operators.

import { cancelTriggered } from '../core/orders/dead-man.ts'
import { continueGroup } from '../core/orders/order-groups.ts'
import type { Exchange } from '../core/state/exchange.ts'
import type { DeadMan, Operator } from '../core/state/operator.ts'
import { costOfFacts } from './cost.ts'

/** What is cancelled before the commands of a turn, so that none of it is met after a deadline. */
const cancelledAtOnceMax = 1_000

type Charge = (operatorId: string, cost: number) => void

/** Of the switches that have not begun: those that were triggered just now, as a rule. */
export function cancelOrdersOfTriggered(exchange: Exchange, charge: Charge): void {
  const { cancelling } = exchange
  const isNew = ({ pending }: DeadMan) => pending === null
  cancelOrdersOf(exchange, cancelling, cancelTriggered, {
    chosen: [...cancelling].filter(isNew),
    atMost: cancelledAtOnceMax,
    charge,
  })
}

/** Cancels at most that many orders of all switches together. */
export function cancelOrdersOfSwitches(exchange: Exchange, atMost: number, charge: Charge): void {
  const { cancelling } = exchange
  const chosen = [...cancelling]
  cancelOrdersOf(exchange, cancelling, cancelTriggered, { chosen, atMost, charge })
}

/** The same for order groups that were triggered or deleted. */
export function cancelOrdersOfGroups(exchange: Exchange, atMost: number, charge: Charge): void {
  const { cancellingGroups } = exchange
  const chosen = [...cancellingGroups]
  cancelOrdersOf(exchange, cancellingGroups, continueGroup, { chosen, atMost, charge })
}

type Slice<Canceller> = {
  readonly chosen: readonly Canceller[]
  /** Of all of them together. */
  readonly atMost: number
  readonly charge: Charge
}

/** `step` cancels some orders of one of them, and returns whether it is done. */
function cancelOrdersOf<Canceller extends { readonly operator: Operator }>(
  exchange: Exchange,
  all: Set<Canceller>,
  step: (exchange: Exchange, canceller: Canceller, atMost: number) => boolean,
  { chosen, atMost, charge }: Slice<Canceller>,
): void {
  const { journal } = exchange
  let left = atMost
  for (const canceller of chosen) {
    if (left <= 0) return
    const factsBefore = journal.factCount
    const isDone = step(exchange, canceller, left)
    const cost = costOfFacts(journal.since(factsBefore))
    left -= cost
    charge(canceller.operator.id, cost)
    if (!isDone) putLast(all, canceller)
  }
}

// The others are first the next time.
function putLast<Canceller>(cancellers: Set<Canceller>, canceller: Canceller): void {
  cancellers.delete(canceller)
  cancellers.add(canceller)
}
