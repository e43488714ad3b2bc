// Credentials that remember the sockets of a client, so that closing it can destroy them. The
// library waits without end for a peer that accepts a connection and then says nothing, as a
// frozen process does (grpc-node issue 2785): each attempt would keep a socket.

import type { Socket } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import { ChannelCredentials, type VerifyOptions } from '@grpc/grpc-js'
import type { LinkTls } from './grpc-stream.ts'

type CreateConnector = ChannelCredentials['_createSecureConnector']

export class CapturedSockets extends ChannelCredentials {
  readonly #inner: ChannelCredentials
  readonly #sockets = new Set<Socket>()
  #isDestroyed = false

  /** Plaintext for null. The certificate of the other side must be for the IP address, if any. */
  constructor(tls: LinkTls | null, ipAddress: string | null) {
    super()
    this.#inner =
      tls === null
        ? ChannelCredentials.createInsecure()
        : ChannelCredentials.createSsl(tls.ca, tls.key, tls.cert, verificationOf(ipAddress))
  }

  /** Those that exist, and those that connect later. */
  destroyAll(): void {
    this.#isDestroyed = true
    for (const socket of this.#sockets) socket.destroy()
  }

  override _isSecure(): boolean {
    return this.#inner._isSecure()
  }

  override _equals(other: ChannelCredentials): boolean {
    return this === other
  }

  override _createSecureConnector(
    ...given: Parameters<CreateConnector>
  ): ReturnType<CreateConnector> {
    const connector = this.#inner._createSecureConnector(...given)
    return {
      connect: (socket) => {
        this.#capture(socket)
        return connector.connect(socket)
      },
      waitForReady: () => connector.waitForReady(),
      getCallCredentials: () => connector.getCallCredentials(),
      destroy: () => connector.destroy(),
    }
  }

  #capture(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    if (this.#isDestroyed) socket.destroy()
  }
}

function verificationOf(ipAddress: string | null): VerifyOptions {
  if (ipAddress === null) return {}
  return { checkServerIdentity: (_, certificate) => checkServerIdentity(ipAddress, certificate) }
}
