// The route table: which node owns each shard, as far as this node knows from heads, beats of links
// and nodes that refused a command, which arrive late and in any order.

import type { Route } from './peer.ts'

type Known = {
  readonly epoch: number
  readonly owner: Route | null
  /** Whether the owner has named the shard itself: until then it may not run yet. */
  isNamed: boolean
}

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
      this.#set(shard, { epoch, owner: { nodeId, epoch }, isNamed: false })
    }
  }

  /**
   * What a node says that it owns. A shard that it has named in this epoch and names no more was
   * handed over.
   */
  setOwned(
    nodeId: string,
    owned: readonly (readonly [shard: number, epoch: number, ...rest: unknown[]])[],
  ): void {
    const named = new Set(owned.map(([shard]) => shard))
    for (const [shard, { epoch, isNamed, owner }] of this.#known) {
      if (isNamed && owner?.nodeId === nodeId && !named.has(shard)) this.endEpoch(shard, epoch)
    }
    for (const [shard, epoch] of owned) {
      this.setOwner(shard, { nodeId, epoch })
      const known = this.#known.get(shard)
      if (known?.epoch === epoch && known.owner?.nodeId === nodeId) known.isNamed = true
    }
  }

  /** The owner of that epoch has released or lost the shard. An epoch ends once, for good. */
  endEpoch(shard: number, epoch: number): void {
    const known = this.#known.get(shard)
    const isNews =
      known === undefined || epoch > known.epoch || (epoch === known.epoch && known.owner !== null)
    if (isNews) this.#set(shard, { epoch, owner: null, isNamed: false })
  }

  #set(shard: number, known: Known): void {
    this.#known.set(shard, known)
    for (const listener of this.#listeners) listener(shard)
  }
}
