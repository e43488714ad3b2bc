// An owner that too few nodes reach, although PostgreSQL does, hands its shards over to a node that
// more of them reach. Each node reports the nodes that have a link to it.

import { type HandOver, type Placement, type PlacementNode, successorsIn } from './placement.ts'

/** How long an owner must have been out of reach of most nodes. */
export const isolatedMs = 5_000
/** Lest shards go back and forth in a network that is broken at several places. */
export const leaveEveryMs = 60_000

/** Whether at least half of the other nodes that are alive have a link to it. */
export function isReached(node: PlacementNode, nodes: readonly PlacementNode[]): boolean {
  return reachOf(node, nodes) >= 0.5
}

export class Isolation {
  #since: number | null = null
  #leftAt = Number.NEGATIVE_INFINITY

  /** The next shard that this node hands over, because it is out of reach of the others. */
  nextHandOver(placement: Placement, now: number): HandOver | null {
    const { nodes, self, shards } = placement
    const own = nodes.find(({ nodeId }) => nodeId === self)
    if (own === undefined || isReached(own, nodes)) {
      this.#since = null
      return null
    }
    this.#since ??= now
    // The shards of one node are handed over one after the other.
    const isLeaving = now - this.#leftAt < isolatedMs
    const isDue = now - this.#since >= isolatedMs && now - this.#leftAt >= leaveEveryMs
    if (!isLeaving && !isDue) return null
    const shard = shards.find(({ nodeId, pinnedTo }) => nodeId === self && pinnedTo === null)
    const next = bestReached(placement)
    if (shard === undefined || next === null) return null
    if (!isLeaving) this.#leftAt = now
    return { shard: shard.shard, to: next.nodeId }
  }
}

/** Of those that most nodes reach, the one with the fewest shards. */
function bestReached(placement: Placement): PlacementNode | null {
  const { nodes, self, shards } = placement
  const countOf = (id: string) => shards.filter(({ nodeId }) => nodeId === id).length
  const [best] = successorsIn(placement)
    .filter((node) => node.nodeId !== self && node.isActive && isReached(node, nodes))
    .filter(({ nodeId, shardsMax }) => countOf(nodeId) < shardsMax)
    .sort((one, other) => countOf(one.nodeId) - countOf(other.nodeId))
  return best ?? null
}

/** The part of the other nodes that have a link to it; 1 if it is alone, or does not report it. */
function reachOf({ nodeId, callers }: PlacementNode, nodes: readonly PlacementNode[]): number {
  const others = nodes.filter((other) => other.nodeId !== nodeId)
  if (others.length === 0 || callers === null) return 1
  return others.filter((other) => callers.includes(other.nodeId)).length / others.length
}
