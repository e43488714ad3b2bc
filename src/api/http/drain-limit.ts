// The end of a stop: connections whose clients do not read their answers, or do not finish their
// requests, are destroyed, so that the process ends before its deadline.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long a stop waits for clients to read what was written for them. */
const unreadMsMax = 5_000
/** How long it waits for any other connection: its request is not complete, or not answered. */
const openMsMax = 7_000

export class DrainLimit {
  readonly #open = new Set<Socket>()

  /** Knows the connections of the server from now on. */
  attach(server: Server): void {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
    })
  }

  /** Starts the limits; the server must accept no further connections soon. */
  start(): void {
    setTimeout(() => this.#destroy((socket) => socket.writableLength > 0), unreadMsMax).unref()
    setTimeout(() => this.#destroy(() => true), openMsMax).unref()
  }

  #destroy(isLate: (socket: Socket) => boolean): void {
    for (const socket of this.#open) if (isLate(socket)) socket.destroy()
  }
}
