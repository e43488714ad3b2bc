// Order groups in a plan: which of them what is planned would trigger half-way, and so which orders
// would not be met after that.

import type { OrderRow } from '../memory/memory.ts'
import type { Exchange } from '../state/exchange.ts'
import type { OrderGroup } from '../state/operator.ts'
import { isToBeCancelled } from './order-groups.ts'

export class PlannedGroups {
  private readonly exchange: Exchange
  private readonly own: OrderGroup | null
  /** What their windows would have. */
  private readonly matched = new Map<OrderGroup, number>()
  private readonly triggered = new Set<OrderGroup>()

  /** With the group of the order that is planned. */
  constructor(exchange: Exchange, own: OrderGroup | null) {
    this.exchange = exchange
    this.own = own
  }

  /** Whether the plan still meets that order. */
  meets(order: OrderRow): boolean {
    const group = this.exchange.groupOf(order)
    if (group === null) return true
    return !this.triggered.has(group) && !isToBeCancelled(this.exchange, order)
  }

  /** Counts a planned trade with those orders; returns whether it triggers a group. */
  count(resting: readonly OrderRow[], shares: number): boolean {
    const { size } = this.triggered
    for (const group of [this.own, ...resting.map((order) => this.exchange.groupOf(order))]) {
      if (group === null) continue
      const before = this.matched.get(group) ?? group.fills.sharesAt(this.exchange.now)
      this.matched.set(group, before + shares)
      if (before + shares > group.limitShares) this.triggered.add(group)
    }
    return this.triggered.size > size
  }

  /** Whether the group of the planned order would be triggered. */
  get hasTriggeredOwn(): boolean {
    return this.own !== null && this.triggered.has(this.own)
  }
}
