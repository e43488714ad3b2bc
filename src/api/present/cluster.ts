// The nodes and shards of a cluster as the administrator sees them.

import type { NodeRow, ShardState, Takeover as TakeoverRow } from '../../store/store.ts'
import type { Cluster, ClusterNode, ClusterShard, Takeover } from '../schemas/cluster.ts'
import { timeText, timeTextOrNull } from './time.ts'

/** What a node, or a process that is alone, knows. */
export type ClusterView = {
  readonly nodes: readonly NodeView[]
  readonly shards: readonly ShardView[]
  readonly takeovers: readonly TakeoverRow[]
}

/** Times are Unix milliseconds. */
export type NodeView = Pick<NodeRow, 'node' | 'version' | 'state' | 'isAlive'> & {
  readonly address: string | null
  readonly aliveUntil: number | null
  readonly loopLagMs: number | null
  readonly shards: readonly number[]
}

export type ShardView = Omit<ShardState, 'lastNodeId' | 'successor'> & {
  readonly openOrders: number | null
}

/** How many operators each shard has. */
export type OperatorCounts = ReadonlyMap<number, number>

export function operatorCounts(operators: readonly { readonly shard: number }[]): OperatorCounts {
  const counts = new Map<number, number>()
  for (const { shard } of operators) counts.set(shard, (counts.get(shard) ?? 0) + 1)
  return counts
}

export function presentCluster(view: ClusterView, counts: OperatorCounts): Cluster {
  return {
    nodes: view.nodes.map(presentNode),
    shards: view.shards.map((shard) => presentShard(shard, counts)),
    takeovers: view.takeovers.map(presentTakeover),
  }
}

export function presentNode({ node, state, isAlive, aliveUntil, ...more }: NodeView): ClusterNode {
  const { address, version, shards, loopLagMs } = more
  return {
    id: node,
    address,
    version,
    state: isAlive ? state : 'DOWN',
    shards: [...shards],
    aliveUntil: timeTextOrNull(aliveUntil),
    loopLagMs,
  }
}

export function presentShard(view: ShardView, counts: OperatorCounts): ClusterShard {
  const { shard, nodeId, epoch, leaseUntil, pinnedTo, openOrders } = view
  return {
    shard,
    nodeId,
    epoch,
    leaseUntil: timeTextOrNull(leaseUntil),
    pinnedTo,
    operators: counts.get(shard) ?? 0,
    openOrders,
  }
}

function presentTakeover(takeover: TakeoverRow): Takeover {
  const { shard, fromNodeId, toNodeId, reason, at, tookMs } = takeover
  return { shard, fromNodeId, toNodeId, reason, at: timeText(at), tookMs }
}
