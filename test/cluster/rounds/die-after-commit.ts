// The owner of a shard dies after it has stored an order and before it answers, while another node
// waits for the answer. That node takes over, and its streams have the order, too.

import { StreamFollower } from '../../support/cluster/stream-follower.ts'
import { OperatorClient } from '../../support/http/operator-client.ts'
import type { Service } from '../../support/process/outcry-process.ts'
import { query } from '../../support/store/postgres-databases.ts'
import { Cluster } from '../support/cluster.ts'
import type { ClusterDefect } from '../support/cluster-defects.ts'
import { newSeller, type Probed, ShardLoad } from '../support/shard-load.ts'
import { UnkeyedOrders } from '../support/unkeyed-orders.ts'

const diesAtCommit = 24
const ordersMax = 100

export type DieOptions = {
  readonly url: string
  readonly hasTransactionIds: boolean
  readonly clusterDefect?: ClusterDefect | undefined
}

export async function dieAfterCommit(options: DieOptions): Promise<string[]> {
  const { url, hasTransactionIds, clusterDefect } = options
  const cluster = await Cluster.start({ url, nodes: 0, shards: 1, clusterDefect })
  try {
    const owner = await cluster.add({ FAULT_KILL_AT_COMMIT: `${diesAtCommit}` })
    const router = await cluster.add()
    await cluster.untilOwned()
    if ((await cluster.ownerOf(0)) !== owner) throw new Error('The second node owns the shard.')
    const seller = await newSeller(router, 0)
    const unkeyed = new UnkeyedOrders({ ...seller, name: 'player' })
    const counts = { shard: 0, clients: 0, unkeyedClients: 0, seed: 1, thinkMs: 0 }
    const load = await ShardLoad.create(router, counts)
    const follower = await followerOf(router, hasTransactionIds ? load.probed : seller)
    for (let order = 0; order < ordersMax && !owner.hasEnded; order += 1) {
      if (hasTransactionIds) await load.probe(router)
      else await unkeyed.send(router)
    }
    if (!owner.hasEnded) return ['the owner did not die']
    await load.probe(router)
    await follower.assertWhole()
    const found = await unkeyed.violations(router)
    if (!hasTransactionIds && unkeyed.count('unknown') !== 1) {
      found.push(`${unkeyed.count('unknown')} orders had an unknown outcome, expected 1`)
    }
    const twice = await query<{ id: string }>(
      url,
      `SELECT transaction_id AS id FROM outcry_shard_0.orders
       WHERE transaction_id IS NOT NULL GROUP BY 1 HAVING count(*) > 1`,
    )
    return [...found, ...twice.map(({ id }) => `${id} is stored more than once`)]
  } finally {
    await cluster.stop()
  }
}

async function followerOf(node: Service, { key, market }: Probed): Promise<StreamFollower> {
  const outcomes = market.outcomeIds.map((id) => ({ id }))
  const follower = new StreamFollower(new OperatorClient(node, { id: '', key }), {
    id: market.id,
    outcomes,
  })
  await follower.follow(node)
  return follower
}
