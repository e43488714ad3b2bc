// Accepts the links of other nodes, in limited numbers, each with one link at a time.

import { Server, ServerCredentials, status } from '@grpc/grpc-js'
import type { Log } from '../../ops/log.ts'
import {
  type LinkTls,
  linkService,
  type ServerCall,
  serverOptions,
  silenceLibrary,
} from './grpc-stream.ts'
import { linkKey } from './handshake.ts'
import type { Identity, TurnMessage } from './messages.ts'
import { type LinkHandlers, ServerLink } from './server-link.ts'

export const linksMax = 256
/** Streams that have not sent their hello yet. */
export const unauthenticatedMax = 32
const stopMs = 500
/** Of refused links, in this time: each reason once, and no more reasons than these. */
const refusalLogMs = 60_000
const loggedRefusalsMax = 20

export type LinkServerOptions = {
  readonly identity: Identity
  readonly secretsKey: Uint8Array
  /** null for plaintext. */
  readonly tls: LinkTls | null
  readonly handlers: LinkHandlers
  readonly log: Pick<Log, 'info' | 'warn'>
}

export class LinkServer {
  readonly #options: LinkServerOptions
  readonly #key: Buffer
  readonly #server = new Server(serverOptions)
  readonly #unauthenticated = new Set<ServerLink>()
  /** By the id of the node. */
  readonly #links = new Map<string, ServerLink>()
  readonly #loggedRefusals = new Set<string>()
  #refusalsLoggedSince = 0

  constructor(options: LinkServerOptions) {
    silenceLibrary()
    this.#options = options
    this.#key = linkKey(options.secretsKey)
    this.#server.addService(linkService, { connect: (call: ServerCall) => this.#accept(call) })
  }

  /** Of a host and port, or `unix:` and a path. Returns the port, if there is one. */
  async listen(address: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.bindAsync(address, credentialsOf(this.#options.tls), (error, port) => {
        if (error === null) resolve(port)
        else reject(error)
      })
    })
  }

  /** The nodes that have a link to this one. */
  get links(): Iterable<ServerLink> {
    return this.#links.values()
  }

  linkOf(nodeId: string): ServerLink | undefined {
    return this.#links.get(nodeId)
  }

  /** Tells all nodes at once what this one owns: it has changed. */
  announce(): void {
    for (const link of this.#links.values()) link.beat()
  }

  sendTurn(nodeIds: Iterable<string>, turn: TurnMessage): void {
    for (const nodeId of nodeIds) this.#links.get(nodeId)?.sendTurn(turn)
  }

  /** Ends all links after what was sent on them. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.tryShutdown(() => resolve()))
    for (const link of [...this.#unauthenticated, ...this.#links.values()]) {
      link.close('the node stops', status.OK)
    }
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, stopMs))])
    this.#server.forceShutdown()
  }

  #accept(call: ServerCall): void {
    if (this.#unauthenticated.size >= unauthenticatedMax) {
      this.#logRefusal('too many links without a hello', call.getPeer())
      call.on('error', () => {})
      const details = 'too many links without a hello'
      call.emit('error', { code: status.RESOURCE_EXHAUSTED, details })
      return
    }
    const { identity, handlers } = this.#options
    const link = new ServerLink({
      call,
      identity,
      key: this.#key,
      handlers,
      onOpen: (opened) => this.#open(opened),
      onClose: (ended, reason) => this.#close(ended, reason, call.getPeer()),
    })
    this.#unauthenticated.add(link)
  }

  #open(link: ServerLink): string | null {
    this.#unauthenticated.delete(link)
    const { nodeId, incarnation } = link
    const earlier = this.#links.get(nodeId)
    if (earlier === undefined && this.#links.size >= linksMax) {
      return `the node has ${linksMax} links, which is the maximum`
    }
    earlier?.close('the node has opened another link', status.ABORTED)
    this.#links.set(nodeId, link)
    this.#options.log.info('link accepted', { nodeId, incarnation })
    return null
  }

  #close(link: ServerLink, reason: string, peer: string): void {
    if (this.#links.get(link.nodeId) === link) {
      this.#links.delete(link.nodeId)
      this.#options.log.info('link of a node ended', { nodeId: link.nodeId, reason })
      this.#options.handlers.onLinkClosed?.(link)
      return
    }
    this.#unauthenticated.delete(link)
    this.#logRefusal(reason, peer)
  }

  // Anything that reaches the port can cause these lines, and choose a part of the reason.
  #logRefusal(reason: string, peer: string): void {
    const now = performance.now()
    const logged = this.#loggedRefusals
    if (now - this.#refusalsLoggedSince > refusalLogMs) {
      logged.clear()
      this.#refusalsLoggedSince = now
    }
    if (logged.has(reason) || logged.size >= loggedRefusalsMax) return
    logged.add(reason)
    this.#options.log.warn('link refused', { reason, peer })
  }
}

function credentialsOf(tls: LinkTls | null): ServerCredentials {
  if (tls === null) return ServerCredentials.createInsecure()
  const { ca, cert, key } = tls
  return ServerCredentials.createSsl(ca, [{ cert_chain: cert, private_key: key }], true)
}
