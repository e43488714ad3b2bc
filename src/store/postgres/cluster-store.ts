// What a node of a cluster shares with the others in PostgreSQL: the registry and the nodes.

import type { NodeInfo, NodeStore } from '../node-store.ts'
import type { RegistryStore } from '../registry-store.ts'
import { PostgresNodes } from './nodes.ts'
import { type RegistryParts, registryStore } from './registry-store.ts'
import { RegistryWriter } from './registry-writer.ts'

export type ClusterOptions = {
  readonly url: string
  readonly self: NodeInfo
  readonly read: RegistryParts['read']
}

export type ClusterStore = {
  readonly registry: RegistryStore
  readonly nodes: NodeStore
  /** Waits for pending writes. The nodes are closed by themselves. */
  close(): Promise<void>
}

export function clusterStore({ url, self, read }: ClusterOptions): ClusterStore {
  const writer = new RegistryWriter(url, self.incarnation)
  return {
    registry: registryStore({ read, write: (write) => writer.write(write) }),
    nodes: new PostgresNodes(url, self),
    close: () => writer.close(),
  }
}
