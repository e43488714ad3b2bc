// Which node should own which shard: pure decisions of one node from what it sees. Nodes may see
// different states; the lease decides between them.

import { createHash } from 'node:crypto'
import type { ShardState } from '../store/store.ts'

/** A node that is alive. */
export type PlacementNode = {
  readonly nodeId: string
  readonly shardsMax: number
  /** Whether it takes shards: it neither drains nor leaves. */
  readonly isActive: boolean
  /** Whether it may acquire shards now: it is in touch, and its clock is right. */
  readonly mayClaim: boolean
  /** It has lost a shard by lapse a moment ago. */
  readonly isBackingOff: boolean
  /** Whether the deciding node has a link to it; it may have left a moment ago. */
  readonly isLinked: boolean
  /** The nodes that have a link to it, as it reports; null if it does not. */
  readonly callers: readonly string[] | null
}

export type Placement = {
  /** The deciding node. */
  readonly self: string
  readonly nodes: readonly PlacementNode[]
  readonly shards: readonly ShardState[]
}

export type HandOver = { readonly shard: number; readonly to: string }

/**
 * By free shard, the place of this node among those that should acquire it: 0 for the first.
 * Shards that it must not acquire are left out. Each shard counts for the node that should acquire
 * it when the next one is placed, so that many free shards are spread over the nodes.
 */
export function ranksOf(placement: Placement): ReadonlyMap<number, number> {
  const { self } = placement
  const ranks = new Map<number, number>()
  let shards = placement.shards
  for (const free of placement.shards) {
    if (free.nodeId !== null) continue
    // An owner without a link has probably ended, although it counts as alive for another moment.
    const nodes = placement.nodes.filter(
      ({ isLinked, nodeId }) => isLinked || nodeId === self || nodeId !== free.lastNodeId,
    )
    const candidates =
      free.successor === null
        ? candidatesFor(free, { self, nodes, shards }).map(({ nodeId }) => nodeId)
        : [free.successor]
    const rank = candidates.indexOf(self)
    if (rank >= 0) ranks.set(free.shard, rank)
    const nodeId = candidates[0] ?? null
    shards = shards.map((state) => (state.shard === free.shard ? { ...state, nodeId } : state))
  }
  return ranks
}

/** A shard that this node must hand over: it was moved by hand, or the node drains or leaves. */
export function dueHandOver(placement: Placement): HandOver | null {
  const { self, shards } = placement
  const nodes = successorsIn(placement)
  const isLeaving = nodes.find(({ nodeId }) => nodeId === self)?.isActive === false
  for (const state of shards) {
    if (state.nodeId !== self) continue
    const [best] = candidatesFor(state, { self, nodes, shards })
    if (best === undefined || best.nodeId === self) continue
    if (isLeaving || state.pinnedTo === best.nodeId) return { shard: state.shard, to: best.nodeId }
  }
  return null
}

/** What this node hands over if it stops now, and to which node: as many as the others can own. */
export function lastHandOvers(placement: Placement): readonly HandOver[] {
  const { self } = placement
  const nodes = placement.nodes.map((node) =>
    node.nodeId === self ? { ...node, isActive: false } : node,
  )
  const handOvers: HandOver[] = []
  let { shards } = placement
  for (;;) {
    const next = dueHandOver({ self, nodes, shards })
    if (next === null) return handOvers
    handOvers.push(next)
    shards = shards.map((state) =>
      state.shard === next.shard ? { ...state, nodeId: next.to } : state,
    )
  }
}

/** A shard that another node should own, because it has at least two fewer than this one. */
export function balancingHandOver(placement: Placement): HandOver | null {
  const { self, shards } = placement
  const nodes = successorsIn(placement)
  const own = shards.filter(({ nodeId, pinnedTo }) => nodeId === self && pinnedTo === null)
  const count = countsOf(shards)
  const emptiest = nodes
    .filter((node) => node.isActive && !node.isBackingOff && hasCapacity(node, count))
    .sort((one, other) => (count.get(one.nodeId) ?? 0) - (count.get(other.nodeId) ?? 0))[0]
  if (emptiest === undefined || own.length === 0) return null
  if ((count.get(self) ?? 0) - (count.get(emptiest.nodeId) ?? 0) < 2) return null
  const [best] = own.sort(
    (one, other) => scoreOf(other.shard, emptiest.nodeId) - scoreOf(one.shard, emptiest.nodeId),
  )
  return { shard: best!.shard, to: emptiest.nodeId }
}

/** This node, and those to which it may hand over. */
export function successorsIn({ nodes, self }: Placement): readonly PlacementNode[] {
  return nodes.filter(({ isLinked, mayClaim, nodeId }) => (isLinked && mayClaim) || nodeId === self)
}

/**
 * The nodes that may acquire a shard, the best first: the one that it was moved to; then those with
 * less than an equal share; then by a hash of shard and node, so that all nodes agree and the
 * shards of a node that has ended are spread over the others.
 */
function candidatesFor(state: ShardState, { nodes, shards }: Placement): PlacementNode[] {
  const count = countsOf(shards)
  const active = nodes.filter(({ isActive }) => isActive)
  const share = Math.ceil(shards.length / Math.max(1, active.length))
  const order = ({ nodeId }: PlacementNode) => {
    if (nodeId === state.pinnedTo) return 0
    return (count.get(nodeId) ?? 0) < share ? 1 : 2
  }
  return active
    .filter((node) => node.nodeId === state.nodeId || hasCapacity(node, count))
    .sort(
      (one, other) =>
        order(one) - order(other) ||
        scoreOf(state.shard, other.nodeId) - scoreOf(state.shard, one.nodeId),
    )
}

function countsOf(shards: readonly ShardState[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { nodeId } of shards) {
    if (nodeId !== null) counts.set(nodeId, (counts.get(nodeId) ?? 0) + 1)
  }
  return counts
}

function hasCapacity(node: PlacementNode, counts: ReadonlyMap<string, number>): boolean {
  return (counts.get(node.nodeId) ?? 0) < node.shardsMax
}

function scoreOf(shard: number, nodeId: string): number {
  return createHash('sha256').update(`${shard} ${nodeId}`).digest().readUInt32BE(0)
}
