// The orders of a turn: which are new, which were amended, filled or closed. Each is written once,
// as it is at the end of the turn.

import type { Serial } from '../../core/ids.ts'
import type { OrderRow } from '../../core/memory/memory.ts'
import { withOutsideBand } from '../../core/orders/options.ts'
import { statusOf } from '../../core/orders/status.ts'
import type { Exchange } from '../../core/state/exchange.ts'
import type { OrderAccepted } from '../../core/state/facts.ts'
import { type OrderStatus, orderStatuses } from '../../core/words.ts'
import type { RowPacker } from '../../store/store.ts'
import { type NumberOf, newOrderRow } from './turn-rows.ts'

export class TurnOrders {
  readonly #exchange: Exchange
  /** The orders that are new in this turn, with the status at the end of their placement. */
  readonly #accepted = new Map<OrderRow, OrderStatus>()
  /** All that changed, with the status they were closed with; null where they were not. */
  readonly #changed = new Map<OrderRow, OrderStatus | null>()
  /** Earlier orders that were amended, in the row that they have now. */
  readonly #amended = new Set<OrderRow>()
  /** Those that are REJECTED because of a price band. */
  readonly #outsideBand = new Set<OrderRow>()
  /** The row that the next accepted order replaces. */
  #replaced: OrderRow | null = null

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  /** How many are new. */
  get count(): number {
    return this.#accepted.size
  }

  /** The next accepted order is no new one: it replaces the order in that row. */
  replace(old: OrderRow): void {
    this.#replaced = old
  }

  /** Returns whether the order is new. */
  accept({ order, status, isOutsideBand }: OrderAccepted): boolean {
    if (isOutsideBand) this.#outsideBand.add(order)
    const old = this.#replaced
    this.#replaced = null
    this.#changed.set(order, null)
    if (old === null) {
      this.#accepted.set(order, status)
      return true
    }
    const acceptedAs = this.#accepted.get(old)
    if (acceptedAs === undefined) this.#amended.add(order)
    else this.#accepted.set(order, acceptedAs)
    this.#accepted.delete(old)
    this.#amended.delete(old)
    this.#changed.delete(old)
    return false
  }

  /** The order was filled, in part at least. */
  fill(order: OrderRow): void {
    if (!this.#changed.has(order)) this.#changed.set(order, null)
  }

  close(order: OrderRow, status: OrderStatus): void {
    this.#changed.set(order, status)
  }

  write(rows: RowPacker, numberOf: NumberOf, fingerprints: ReadonlyMap<Serial, number>): void {
    const { now, orders } = this.#exchange
    for (const [order, closedAs] of this.#changed) {
      const serial = orders.serial(order)
      const shares = orders.shares(order)
      const filled = orders.filled(order)
      const acceptedAs = this.#accepted.get(order)
      const rejected = acceptedAs === 'REJECTED' ? acceptedAs : null
      const status = orderStatuses.indexOf(closedAs ?? rejected ?? statusOf({ shares, filled }))
      if (acceptedAs !== undefined) {
        const fingerprint = fingerprints.get(serial) ?? 0
        const row = newOrderRow(this.#exchange, order, numberOf)
        const options = this.#outsideBand.has(order) ? withOutsideBand(row.options) : row.options
        rows.add('newOrder', { ...row, options, status, fingerprint })
        const spending = orders.spending(order)
        if (spending === null) continue
        const { amount, spent } = spending
        rows.add('orderAmount', { serial, amount, spent })
        continue
      }
      const common = { serial, filled, cost: orders.cost(order), status, updatedAt: now }
      if (!this.#amended.has(order)) rows.add('order', common)
      else {
        const [price, queueSerial] = [orders.price(order), orders.queueSerial(order)]
        rows.add('amendedOrder', { ...common, shares, price, queueSerial })
      }
    }
  }
}
