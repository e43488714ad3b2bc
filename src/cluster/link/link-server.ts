// Accepts the links of other nodes, in limited numbers, each with one link at a time.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Log } from '../../ops/log.ts'
import { portProblem } from '../../ops/ports.ts'
import { isLocal, type LinkTls, socketAddress } from './frame-socket.ts'
import { linkKey } from './handshake.ts'
import type { Identity } from './messages.ts'
import { type LinkHandlers, ServerLink } from './server-link.ts'

export const linksMax = 256
/** Sockets on which no hello has come yet. */
export const unauthenticatedMax = 32
/** Of one address: a stranger keeps out no nodes of other machines. */
export const unauthenticatedOfAddressMax = unauthenticatedMax / 2
/** Over TLS, until a socket counts as one of those. */
const handshakeMsMax = 2_000
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

/** Its message is the line that a failed start prints. */
export class LinksCannotListen extends Error {
  override readonly name = 'LinksCannotListen'
}

export class LinkServer {
  readonly #options: LinkServerOptions
  readonly #key: Buffer
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #unauthenticated = new Set<ServerLink>()
  /** By the id of the node. */
  readonly #links = new Map<string, ServerLink>()
  readonly #loggedRefusals = new Set<string>()
  #refusalsLoggedSince = 0
  #isLocal = false
  #isLeaving = false

  constructor(options: LinkServerOptions) {
    this.#options = options
    this.#key = linkKey(options.secretsKey)
    this.#server = newServer(options.tls, (socket) => this.#accept(socket))
    this.#server.maxConnections = linksMax + 2 * unauthenticatedMax
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
  }

  /**
   * Of a host and port, or `unix:` and a path. Returns the port, if there is one. Throws
   * LinksCannotListen.
   */
  async listen(address: string): Promise<number> {
    this.#isLocal = isLocal(address)
    try {
      await once(this.#server.listen(socketAddress(address)), 'listening')
    } catch (error) {
      throw cannotListen(address, error)
    }
    const { log } = this.#options
    this.#server.on('error', (error) => log.warn('links cannot be accepted', { error }))
    const bound = this.#server.address() as AddressInfo | string
    return typeof bound === 'string' ? 0 : bound.port
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

  /** This node owns nothing any more, and stops. */
  leave(): void {
    this.#isLeaving = true
    for (const link of this.#links.values()) link.leave()
  }

  /** Ends all links after what was sent on them. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const link of [...this.#unauthenticated, ...this.#links.values()]) {
      link.close('the node stops')
    }
    const late = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy()
    }, stopMs)
    await closed
    clearTimeout(late)
  }

  #accept(socket: Socket): void {
    const { identity, handlers } = this.#options
    const link = new ServerLink({
      socket,
      isLocal: this.#isLocal,
      identity,
      key: this.#key,
      handlers,
      onOpen: (opened) => this.#open(opened),
      onClose: (ended, reason) => this.#close(ended, reason),
    })
    this.#unauthenticated.add(link)
    if (this.#isFull(link)) link.close('too many links without a hello')
  }

  #isFull({ address }: ServerLink): boolean {
    if (this.#unauthenticated.size > unauthenticatedMax) return true
    // A socket of this machine has no address.
    if (this.#isLocal) return false
    const ofAddress = [...this.#unauthenticated].filter((link) => link.address === address)
    return ofAddress.length > unauthenticatedOfAddressMax
  }

  #open(link: ServerLink): string | null {
    this.#unauthenticated.delete(link)
    const { nodeId, incarnation } = link
    const earlier = this.#links.get(nodeId)
    if (earlier === undefined && this.#links.size >= linksMax) {
      return `the node has ${linksMax} links, which is the maximum`
    }
    earlier?.close('the node has opened another link')
    this.#links.set(nodeId, link)
    if (this.#isLeaving) link.leave()
    this.#options.log.info('link accepted', { nodeId, incarnation })
    return null
  }

  #close(link: ServerLink, reason: string): void {
    if (this.#links.get(link.nodeId) === link) {
      this.#links.delete(link.nodeId)
      this.#options.log.info('link of a node ended', { nodeId: link.nodeId, reason })
      this.#options.handlers.onLinkClosed?.(link)
      return
    }
    this.#unauthenticated.delete(link)
    this.#logRefusal(reason, link.peer)
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

function cannotListen(address: string, cause: unknown): LinksCannotListen {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const at = socketAddress(address)
  const known = 'port' in at ? portProblem(error, at.port, 'CLUSTER_PORT') : null
  const line = known ?? `Links cannot be accepted at ${address}: ${error.message}.`
  return new LinksCannotListen(line, { cause })
}

function newServer(tls: LinkTls | null, onSocket: (socket: Socket) => void): Server {
  if (tls === null) return createServer(onSocket)
  const server = createTlsServer(
    { ...tls, requestCert: true, handshakeTimeout: handshakeMsMax },
    onSocket,
  )
  // A handshake that fails ends its own socket only.
  return server.on('tlsClientError', () => {})
}
