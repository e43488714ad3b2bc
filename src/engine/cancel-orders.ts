// Cancels the orders of triggered dead-man switches within a turn, in slices that are charged to
// their operators.

import { cancelTriggered } from '../core/orders/dead-man.ts'
import type { Exchange } from '../core/state/exchange.ts'
import type { DeadMan } from '../core/state/operator.ts'
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
