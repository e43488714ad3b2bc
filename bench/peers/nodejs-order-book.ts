// Runs a workload on nodejs-order-book, as its documentation shows: one book object per market,
// ids as strings. It keeps no positions, checks no holdings and charges no fees.

import {
  type LimitOrderOptions,
  type MarketOrderOptions,
  OrderBook,
  type Side,
} from 'nodejs-order-book'
import { type Meeting, rowOf } from '../core/trades.ts'
import { CANCEL, LIMIT, type Workload } from '../core/workload.ts'

const buy = 'buy' as Side
const sell = 'sell' as Side
const prefix = 'order-'

type Step = {
  readonly book: OrderBook
  /** null for a cancel; `id` is then the order to cancel. */
  readonly options: LimitOrderOptions | MarketOrderOptions | null
  readonly id: string
}

export class PeerRunner {
  readonly #workload: Workload
  readonly #books: readonly OrderBook[]
  /** Indexed by operation, made before the clock starts. */
  readonly #ids: readonly string[]
  readonly #steps: Step[] = []

  constructor(workload: Workload) {
    this.#workload = workload
    this.#books = Array.from({ length: workload.books }, () => new OrderBook())
    this.#ids = Array.from({ length: workload.length }, (_, at) => `${prefix}${at}`)
  }

  /** Makes the options of these operations. */
  prepare(from: number, to: number): void {
    this.#steps.length = 0
    for (let at = from; at < to; at += 1) this.#steps.push(this.#stepOf(at))
  }

  /** Runs the prepared operations. */
  run(): void {
    const steps = this.#steps
    for (let at = 0; at < steps.length; at += 1) execute(steps[at]!)
  }

  /** Runs operations one by one; returns a row for each that matched resting orders. */
  rows(from: number, to: number): string[] {
    const rows: string[] = []
    for (let at = from; at < to; at += 1) {
      const result = execute(this.#stepOf(at))
      if (result === undefined) continue
      const filled = result.done.map(numberOf).filter((order) => order !== at && order >= 0)
      const { partial } = result
      const partly: Meeting['partly'] =
        partial === null || numberOf(partial) === at
          ? null
          : { order: numberOf(partial), shares: result.partialQuantityProcessed }
      if (filled.length > 0 || partly !== null) rows.push(rowOf(at, { filled, partly }))
    }
    return rows
  }

  #stepOf(at: number): Step {
    const { book: books, isSell, kind, price, shares, target } = this.#workload
    const book = this.#books[books[at]!]!
    if (kind[at] === CANCEL) return { book, options: null, id: this.#ids[target[at]!]! }
    const id = this.#ids[at]!
    const side = isSell[at] === 1 ? sell : buy
    const size = shares[at]!
    return kind[at] === LIMIT
      ? { book, options: { id, side, size, price: price[at]! }, id }
      : { book, options: { side, size }, id }
  }
}

function execute({ book, options, id }: Step) {
  if (options === null) {
    book.cancel(id)
    return undefined
  }
  return 'price' in options ? book.limit(options) : book.market(options)
}

// The library generates the ids of MARKET orders.
function numberOf(order: { readonly id: string }): number {
  return order.id.startsWith(prefix) ? Number(order.id.slice(prefix.length)) : -1
}
