// Administration of a cluster: its nodes and shards, and which node owns which shard.

import { Refusal } from '../../errors.ts'
import { Done } from '../../http/response.ts'
import { shardNumberOf } from '../../parse/shard-number.ts'
import { operatorCounts, presentCluster, presentNode, presentShard } from '../../present/cluster.ts'
import { Cluster, ClusterNode, ClusterShard, MoveShard } from '../../schemas/cluster.ts'
import { named } from '../../schemas/fields.ts'
import type { Context } from '../context.ts'
import type { Routes } from './routes.ts'

const shardNotFound = new Refusal('SHARD_NOT_FOUND', 'No shard has this number.')

export function addCluster(routes: Routes, { cluster, registry: { operators } }: Context): void {
  routes.admin(
    {
      method: 'GET',
      path: '/api/v1/admin/cluster',
      tag: 'Administration',
      name: 'getCluster',
      summary: 'Get the nodes and shards',
      description: 'Outside of a cluster it shows one node, which owns all shards.',
      answer: named(Cluster),
    },
    async () => new Done(presentCluster(await cluster.view(), operatorCounts(operators.list()))),
  )
  routes.admin(
    {
      method: 'POST',
      path: '/api/v1/admin/shards/:shard/move',
      tag: 'Administration',
      name: 'moveShard',
      summary: 'Move a shard to a node',
      description:
        'Answered once the node runs the shard, which then stays there while the node is alive. ' +
        'A move that takes longer than 10 seconds is answered with 503, and it is withdrawn if ' +
        'the node has not acquired the shard. With null the shard stays where it is, until the ' +
        'nodes are balanced.',
      body: MoveShard,
      answer: named(ClusterShard),
      errors: ['SHARD_NOT_FOUND', 'NODE_NOT_FOUND', 'NODE_CANNOT_OWN', 'NOT_IN_CLUSTER'],
    },
    async ({ params, body: { nodeId } }) => {
      const shard = shardNumberOf(params.shard)
      if (shard === null) return shardNotFound
      const moved = await cluster.move(shard, nodeId?.toLowerCase() ?? null)
      if ('code' in moved) return new Refusal(moved.code, moved.message)
      return new Done(presentShard(moved, operatorCounts(operators.list())))
    },
  )
  routes.admin(
    {
      method: 'POST',
      path: '/api/v1/admin/nodes/:nodeId/drain',
      tag: 'Administration',
      name: 'drainNode',
      summary: 'Drain a node',
      description:
        'The node hands over its shards one by one and claims none, and goes on serving clients. ' +
        'Shards that no other node can own stay. A restart of the node undoes it.',
      answer: named(ClusterNode),
      errors: ['NODE_NOT_FOUND', 'NOT_IN_CLUSTER'],
    },
    async ({ params }) => {
      const drained = await cluster.drain(params.nodeId.toLowerCase())
      if ('code' in drained) return new Refusal(drained.code, drained.message)
      return new Done(presentNode(drained))
    },
  )
}
