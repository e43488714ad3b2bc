// Two nodes, of which one owns the only shard, and an operator on it with a client at each node.

import type { TestContext } from 'node:test'
import { OperatorClient } from '../../support/http/operator-client.ts'
import type { Service } from '../../support/process/outcry-process.ts'
import type { DatabaseServer } from '../../support/store/postgres-databases.ts'
import { Cluster } from './cluster.ts'

export type TwoNodes = {
  readonly owner: Service
  readonly other: Service
  readonly atOwner: OperatorClient
  readonly atOther: OperatorClient
}

export async function startTwoNodes(server: DatabaseServer, t: TestContext): Promise<TwoNodes> {
  const { url } = await server.newDatabase()
  const cluster = await Cluster.start({ url, nodes: 2, shards: 1 })
  t.after(() => cluster.stop())
  const owner = await cluster.ownerOf(0)
  const other = cluster.nodes.find((node) => node !== owner)!
  const operator = await other.newOperator('operator', { shard: 0 })
  const atOwner = new OperatorClient(owner, operator)
  return { owner, other, atOwner, atOther: new OperatorClient(other, operator) }
}
