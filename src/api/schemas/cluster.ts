// The nodes and shards of a cluster: the administrator's view of them.

import { type Static, Type } from 'typebox'
import { Id, named, nullable, record, request, ShardNumber, Time, words } from './fields.ts'

/** `DOWN`: the node has not beaten in time; its row is kept for a day. */
const nodeStates = ['ACTIVE', 'DRAINING', 'LEAVING', 'DOWN'] as const
const takeoverReasons = ['FIRST', 'HANDOVER', 'LEASE_ENDED'] as const

export const ClusterNode = record('ClusterNode', {
  id: Id,
  address: nullable(
    Type.String({ description: 'Where other nodes reach it; null outside of a cluster.' }),
  ),
  version: Type.String(),
  state: Type.Unsafe<(typeof nodeStates)[number]>({
    ...words(nodeStates),
    description:
      'DRAINING: it hands over its shards and claims none. LEAVING: it is stopping. DOWN: it has ' +
      'not reported in time.',
  }),
  shards: Type.Array(ShardNumber, { description: 'The shards that it owns.' }),
  aliveUntil: nullable(
    Type.String({
      ...Time,
      description:
        'Without another beat it is DOWN from then on; null outside of a cluster. A node beats ' +
        'every second and is alive for three.',
    }),
  ),
  loopLagMs: nullable(
    Type.Number({
      description: 'The longest delay of its event loop in a second; null if it reports none.',
    }),
  ),
})
export type ClusterNode = Static<typeof ClusterNode>

export const ClusterShard = record('ClusterShard', {
  shard: ShardNumber,
  nodeId: nullable(Type.String({ ...Id, description: 'Its owner; null if it has none now.' })),
  epoch: Type.Integer({ description: 'How often the shard was claimed.' }),
  leaseUntil: nullable(
    Type.String({
      ...Time,
      description: 'Another node may own it from then on; null if the lease was released.',
    }),
  ),
  pinnedTo: nullable(Type.String({ ...Id, description: 'The node that it was moved to.' })),
  operators: Type.Integer({ description: 'Operators with their records in this shard.' }),
  openOrders: nullable(
    Type.Integer({ description: 'As of the last beat of its owner; null if it is not known.' }),
  ),
})
export type ClusterShard = Static<typeof ClusterShard>

export const Takeover = record('Takeover', {
  shard: ShardNumber,
  fromNodeId: nullable(Id),
  toNodeId: Id,
  reason: Type.Unsafe<(typeof takeoverReasons)[number]>({
    ...words(takeoverReasons),
    description:
      'FIRST: nobody has owned the shard. LEASE_ENDED: its owner did not renew the lease.',
  }),
  at: Time,
  tookMs: Type.Number({
    description: 'From the end of the last ownership, as the new owner saw it.',
  }),
})
export type Takeover = Static<typeof Takeover>

export const Cluster = record('Cluster', {
  nodes: Type.Array(named(ClusterNode)),
  shards: Type.Array(named(ClusterShard)),
  takeovers: Type.Array(named(Takeover), { description: 'The last 20, newest first.' }),
})
export type Cluster = Static<typeof Cluster>

export const MoveShard = request(
  'MoveShard',
  {
    nodeId: nullable(
      Type.String({
        ...Id,
        description: 'The node that shall own the shard; null lets the nodes balance it again.',
      }),
    ),
  },
  { example: { nodeId: '0d9a5c3e-3f5e-4a0e-9d0e-0f6a2a1f7c11' } },
)
export type MoveShard = Static<typeof MoveShard>
