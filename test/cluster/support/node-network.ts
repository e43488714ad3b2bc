// The connections of one node, which a test can cut: to the database, and of other nodes to it.

import { freePort } from '../../support/process/free-port.ts'
import { CutProxy } from './cut-proxy.ts'

export class NodeNetwork {
  readonly database: CutProxy
  /** Other nodes reach the node only here. */
  readonly links: CutProxy
  /** The settings of the node. */
  readonly env: Readonly<Record<string, string>>

  private constructor(parts: Pick<NodeNetwork, 'database' | 'links' | 'env'>) {
    this.database = parts.database
    this.links = parts.links
    this.env = parts.env
  }

  static async open(databaseUrl: string): Promise<NodeNetwork> {
    const url = new URL(databaseUrl)
    const database = await CutProxy.open(Number(url.port))
    const clusterPort = await freePort()
    const links = await CutProxy.open(clusterPort)
    url.port = String(database.port)
    const env = {
      DATABASE_URL: url.href,
      CLUSTER_PORT: String(clusterPort),
      NODE_ADDRESS: `127.0.0.1:${links.port}`,
    }
    return new NodeNetwork({ database, links, env })
  }

  heal(): void {
    this.database.heal()
    this.links.heal()
  }

  close(): void {
    this.database.close()
    this.links.close()
  }
}
