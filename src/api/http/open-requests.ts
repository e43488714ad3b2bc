// The requests of each connection that are not answered yet. Whatever is not answered by the HTTP
// server, such as bytes that are no request, or an upgrade, is answered only after them: a client
// must not take its answer for theirs.

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

declare module 'fastify' {
  interface FastifyInstance {
    openRequests: OpenRequests
  }
}

type OpenRequest = { readonly request: IncomingMessage; readonly response: ServerResponse }

export class OpenRequests {
  readonly #bySocket = new WeakMap<Socket, Set<OpenRequest>>()

  /** Counts the requests of the server from now on. */
  attach(server: Server): void {
    server.on('request', (request, response) => this.#add({ request, response }))
  }

  /** Calls `run` when every request that has arrived completely is answered. */
  whenAnswered(socket: Socket, run: () => void): void {
    const open = [...(this.#bySocket.get(socket) ?? [])].filter(({ request }) => request.complete)
    let waiting = open.length
    if (waiting === 0) run()
    for (const { response } of open) {
      response.once('close', () => {
        waiting -= 1
        if (waiting === 0) run()
      })
    }
  }

  #add(open: OpenRequest): void {
    const { socket } = open.request
    const all = this.#bySocket.get(socket) ?? new Set()
    this.#bySocket.set(socket, all.add(open))
    open.response.once('close', () => all.delete(open))
  }
}
