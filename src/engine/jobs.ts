// Markets with a job that is not done. Their owners take turns by what the slices of their jobs
// cost, so that an operator that ends many markets at once does not delay the one of another.

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

  /** Removes and returns the market whose turn it is; add it again if its job is not done. */
  next(): Market | undefined {
    const market = this.#queue.next()
    if (market !== undefined) this.#waiting.delete(market)
    return market
  }

  /** Counts what slices of a job have cost towards the turns of its owner. */
  charge({ owner }: Market, cost: number): void {
    this.#queue.charge(owner.id, cost)
  }

  clear(): void {
    this.#waiting.clear()
    this.#queue.clear()
  }
}
