// The links from this node to the others: one for each node that is known.

import { linkKey } from './handshake.ts'
import { LinkClient, type LinkClientOptions } from './link-client.ts'
import { linksMax } from './link-server.ts'

export type KnownNode = { readonly nodeId: string; readonly address: string }

export type LinksOptions = Omit<LinkClientOptions, 'address' | 'nodeId' | 'key'> & {
  readonly secretsKey: Uint8Array
}

export class Links {
  readonly #options: LinksOptions
  readonly #key: Buffer
  /** By the id of the node. */
  readonly #links = new Map<string, LinkClient>()

  constructor(options: LinksOptions) {
    this.#options = options
    this.#key = linkKey(options.secretsKey)
  }

  /** Opens links to new nodes, and closes those to nodes that are gone or have moved. */
  setNodes(nodes: readonly KnownNode[]): void {
    const own = this.#options.identity.nodeId
    const others = nodes.filter(({ nodeId }) => nodeId !== own).slice(0, linksMax)
    const addresses = new Map(others.map(({ nodeId, address }) => [nodeId, address]))
    for (const link of this.#links.values()) {
      if (addresses.get(link.nodeId) !== link.address) this.#close(link)
    }
    for (const [nodeId, address] of addresses) {
      if (!this.#links.has(nodeId)) this.#open({ nodeId, address })
    }
  }

  get(nodeId: string): LinkClient | undefined {
    return this.#links.get(nodeId)
  }

  close(): void {
    for (const link of this.#links.values()) this.#close(link)
  }

  #open(node: KnownNode): void {
    this.#links.set(node.nodeId, new LinkClient({ ...this.#options, ...node, key: this.#key }))
  }

  #close(link: LinkClient): void {
    this.#links.delete(link.nodeId)
    link.close()
  }
}
