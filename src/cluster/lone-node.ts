// A process that is alone on its database, as the administrator of a cluster would see it: one node
// that owns all shards, and nothing to move or drain.

import {
  type AdministrationReject,
  type ClusterView,
  nodeNotFound,
  type ShardView,
  shardNotFound,
} from './administration.ts'

export type LoneNodeOptions = {
  readonly nodeId: string
  readonly version: string
  readonly loopLagMs: () => number
  /** The engines of all shards, in order of their numbers. */
  readonly engines: () => readonly { readonly epoch: number; openOrders(): number }[]
}

const notInCluster: AdministrationReject = {
  code: 'NOT_IN_CLUSTER',
  message: 'The service is not part of a cluster: it owns all shards.',
}

export class LoneNode {
  readonly #options: LoneNodeOptions

  constructor(options: LoneNodeOptions) {
    this.#options = options
  }

  async view(): Promise<ClusterView> {
    const { engines, loopLagMs, nodeId, version } = this.#options
    const shards = engines().map((engine, shard): ShardView => {
      const own = { epoch: engine.epoch, openOrders: engine.openOrders() }
      return { shard, nodeId, leaseUntil: null, pinnedTo: null, ...own }
    })
    const self = {
      node: nodeId,
      address: null,
      version,
      state: 'ACTIVE',
      aliveUntil: null,
      isAlive: true,
      loopLagMs: loopLagMs(),
      shards: shards.map(({ shard }) => shard),
    } as const
    return { nodes: [self], shards, takeovers: [] }
  }

  async move(shard: number, nodeId: string | null): Promise<AdministrationReject> {
    if (shard >= this.#options.engines().length) return shardNotFound
    return nodeId === null ? notInCluster : this.drain(nodeId)
  }

  async drain(nodeId: string): Promise<AdministrationReject> {
    return nodeId === this.#options.nodeId ? notInCluster : nodeNotFound
  }
}
