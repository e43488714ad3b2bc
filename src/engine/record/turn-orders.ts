// The orders of a turn: which are new, which were amended, filled or closed. Each is written once,
// as it stands at the end of the turn.

import type { Exchange } from '../../core/state/exchange.ts'
import { FILLED, PARTIAL, PENDING, REJECTED } from '../../core/words.ts'
import type { RowPacker } from '../../store/store.ts'
import { type NumberOf, newOrderRow } from './turn-rows.ts'

const stillOpen = -1

export class TurnOrders {
  readonly #exchange: Exchange
  /** Orders by row: those of this turn with the status of their placement; all that changed with
   * the status they were closed with, if any. */
  readonly #accepted = new Map<number, number>()
  readonly #changed = new Map<number, number>()
  /** Orders from before, in the row that they have now. */
  readonly #amended = new Set<number>()
  /** The row whose place the next one takes. */
  #was: number | null = null

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  /** How many are new. */
  get count(): number {
    return this.#accepted.size
  }

  /** The order that is taken next is no new one: it stood in that row. */
  amend(was: number): void {
    this.#was = was
  }

  /** Says whether it is new. */
  take(order: number, status: number): boolean {
    const was = this.#was
    this.#was = null
    this.#changed.set(order, stillOpen)
    if (was === null) {
      this.#accepted.set(order, status)
      return true
    }
    const takenAs = this.#accepted.get(was)
    if (takenAs === undefined) this.#amended.add(order)
    else this.#accepted.set(order, takenAs)
    this.#accepted.delete(was)
    this.#amended.delete(was)
    this.#changed.delete(was)
    return false
  }

  /** It was filled, in part at least. */
  fill(order: number): void {
    if (!this.#changed.has(order)) this.#changed.set(order, stillOpen)
  }

  close(order: number, status: number): void {
    this.#changed.set(order, status)
  }

  write(rows: RowPacker, numberOf: NumberOf, fingerprints: ReadonlyMap<number, number>): void {
    const { now, orders } = this.#exchange
    for (const [order, closedAs] of this.#changed) {
      const serial = orders.serial(order)
      const shares = orders.shares(order)
      const filled = orders.filled(order)
      const takenAs = this.#accepted.get(order)
      const status = statusOf({ shares, filled, closedAs, takenAs })
      if (takenAs !== undefined) {
        const fingerprint = fingerprints.get(serial) ?? 0
        const row = newOrderRow(this.#exchange, order, numberOf)
        rows.add('newOrder', { ...row, status, fingerprint })
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

type Fate = {
  readonly shares: number
  readonly filled: number
  readonly closedAs: number
  readonly takenAs: number | undefined
}

function statusOf({ shares, filled, closedAs, takenAs }: Fate): number {
  if (closedAs !== stillOpen) return closedAs
  if (takenAs === REJECTED) return REJECTED
  if (filled === shares) return FILLED
  return filled > 0 ? PARTIAL : PENDING
}
