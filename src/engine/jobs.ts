// Markets with a job that is not done. Their owners are served in rounds, by the cost of slices, so
// that an operator that ends many markets at once does not delay the market of another.

import type { Market } from '../core/state/market.ts'
import { FairQueue } from './fair-queue.ts'

export class Jobs {
  readonly #waiting = new Set<Market>()
  readonly #queue = new FairQueue<Market>()

  get size(): number {
    return this.#waiting.size
  }

  /** Does nothing if the market waits already. */
  add(market: Market): void {
    if (this.#waiting.has(market)) return
    this.#waiting.add(market)
    this.#queue.add(market.owner.id, market)
  }

  /** Removes and returns the next market; add it again if its job is not done. */
  next(): Market | undefined {
    const market = this.#queue.next()
    if (market !== undefined) this.#waiting.delete(market)
    return market
  }

  /** Charges the owner of the market for slices of its job. */
  charge({ owner }: Market, cost: number): void {
    this.#queue.charge(owner.id, cost)
  }

  clear(): void {
    this.#waiting.clear()
    this.#queue.clear()
  }
}
