// The route table: which node owns each shard, as far as this node knows. It is told by heads, by
// beats of links and by nodes that refused a command; they arrive late and in any order.

import type { Route } from './peer.ts'

type Known = { readonly epoch: number; readonly owner: Route | null }

export class RouteTable {
  readonly #known = new Map<number, Known>()
  readonly #listeners: ((shard: number) => void)[] = []

  /** The owner; null if none is known. It is the same object until the route changes. */
  owner(shard: number): Route | null {
    return this.#known.get(shard)?.owner ?? null
  }

  /** The listener is called after each change of a route. */
  onChange(listener: (shard: number) => void): void {
    this.#listeners.push(listener)
  }

  setOwner(shard: number, { nodeId, epoch }: Route): void {
    const known = this.#known.get(shard)
    if (known === undefined || epoch > known.epoch) {
      this.#set(shard, { epoch, owner: { nodeId, epoch } })
    }
  }

  /** The owner of that epoch has released or lost the shard. An epoch ends once, for good. */
  endEpoch(shard: number, epoch: number): void {
    const known = this.#known.get(shard)
    const isNews =
      known === undefined || epoch > known.epoch || (epoch === known.epoch && known.owner !== null)
    if (isNews) this.#set(shard, { epoch, owner: null })
  }

  #set(shard: number, known: Known): void {
    this.#known.set(shard, known)
    for (const listener of this.#listeners) listener(shard)
  }
}
