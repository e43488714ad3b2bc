// Work that goes on in slices: jobs of markets, and the cancelling of orders that a brake does not
// leave open. Operators are served in rounds, by the cost of slices, so that one that ends many
// markets at once does not delay the market of another.

import { Controls } from '../core/state/controls.ts'
import type { Market } from '../core/state/market.ts'
import { FairQueue } from './fair-queue.ts'

/** What has a job, or a sweep, that is not done. */
export type Working = Market | Controls

/** The party that a brake on the whole exchange is served as. */
const exchangeParty = 'exchange'

export class Jobs {
  readonly #waiting = new Set<Working>()
  readonly #queue = new FairQueue<Working>()

  get size(): number {
    return this.#waiting.size
  }

  /** Does nothing if it waits already. */
  add(working: Working): void {
    if (this.#waiting.has(working)) return
    this.#waiting.add(working)
    this.#queue.add(partyOf(working), working)
  }

  /** Removes and returns the next one; add it again if its job is not done. */
  next(): Working | undefined {
    const working = this.#queue.next()
    if (working !== undefined) this.#waiting.delete(working)
    return working
  }

  /** Charges the operator that it belongs to for slices. */
  charge(working: Working, cost: number): void {
    this.#queue.charge(partyOf(working), cost)
  }

  clear(): void {
    this.#waiting.clear()
    this.#queue.clear()
  }
}

/** Whose work it is; null for that of a brake on the whole exchange. */
export function operatorIdOf(working: Working): string | null {
  if (!(working instanceof Controls)) return working.owner.id
  const { holder } = working
  return holder.kind === 'EXCHANGE' ? null : holder.operatorId
}

function partyOf(working: Working): string {
  return operatorIdOf(working) ?? exchangeParty
}

export function isDone(working: Working): boolean {
  if (working instanceof Controls) return working.sweep === null
  return working.job === null || working.job.phase === 'DONE'
}
