// Gives a workload to nodejs-order-book, as its documentation shows: one book object a market,
// ids as strings. It keeps no positions, checks no holdings and charges no fees.

import {
  type LimitOrderOptions,
  type MarketOrderOptions,
  OrderBook,
  type Side,
} from 'nodejs-order-book'
import { type Meeting, rowOf } from '../trades.ts'
import { CANCEL, LIMIT, type Workload } from '../workload.ts'

const buy = 'buy' as Side
const sell = 'sell' as Side
const prefix = 'order-'

export class PeerRunner {
  readonly #workload: Workload
  readonly #books: readonly OrderBook[]
  /** By operation, made before the clock starts. */
  readonly #ids: readonly string[]
  readonly #options: (LimitOrderOptions | MarketOrderOptions)[] = []

  constructor(workload: Workload) {
    this.#workload = workload
    this.#books = Array.from({ length: workload.books }, () => new OrderBook())
    this.#ids = Array.from({ length: workload.length }, (_, at) => `${prefix}${at}`)
  }

  /** Makes the options of those operations. */
  prepare(from: number, to: number): void {
    const { isSell, kind, price, shares } = this.#workload
    for (let at = from; at < to; at += 1) {
      const side = isSell[at] === 1 ? sell : buy
      const size = shares[at]!
      this.#options[at] =
        kind[at] === LIMIT ? { id: this.#ids[at]!, side, size, price: price[at]! } : { side, size }
    }
  }

  run(from: number, to: number): void {
    for (let at = from; at < to; at += 1) this.#step(at)
  }

  /** The same one by one: a row for every operation that met resting orders. */
  rows(from: number, to: number): string[] {
    const rows: string[] = []
    this.prepare(from, to)
    for (let at = from; at < to; at += 1) {
      const result = this.#step(at)
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

  #step(at: number) {
    const workload = this.#workload
    const book = this.#books[workload.book[at]!]!
    const kind = workload.kind[at]
    if (kind === CANCEL) {
      book.cancel(this.#ids[workload.target[at]!]!)
      return undefined
    }
    const options = this.#options[at]!
    return 'price' in options ? book.limit(options) : book.market(options)
  }
}

// A MARKET order has an id of the library's own making.
function numberOf(order: { readonly id: string }): number {
  return order.id.startsWith(prefix) ? Number(order.id.slice(prefix.length)) : -1
}
