// Several queues of new connections for one port. Node accepts one connection of a queue per pass
// of its event loop. A busy service has few passes per second, so one client that opens many
// connections would keep those of all others waiting until they give up.

import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { assert } from '../../core/assert.ts'

declare module 'fastify' {
  interface FastifyInstance {
    acceptQueues: AcceptQueues
  }
}

/** Linux spreads new connections over all sockets that listen on a port; others have one queue. */
const queues = process.platform === 'linux' ? 16 : 1

/** Each front end has its own queues; where there is one queue, the primary accepts for all. */
const ownQueue = { reusePort: queues > 1, exclusive: queues > 1 }

type Place = { readonly host: string; readonly port: number }

export type ListenPlace = Place & {
  /** Whether other processes of this service listen on the port, too. */
  readonly isShared?: boolean
}

export class AcceptQueues {
  readonly #app: FastifyInstance
  /** Besides the HTTP server itself. */
  readonly #more: Server[] = []
  #closed: Promise<unknown> = Promise.resolve()

  constructor(app: FastifyInstance) {
    this.#app = app
    app.addHook('preClose', (done) => {
      this.#closed = Promise.all(this.#more.map(close))
      done()
    })
    // The HTTP server has been closed and waits for its own connections only.
    app.addHook('onClose', async () => {
      await this.#closed
    })
  }

  /** Fails if another process listens on the port, unless it is shared. */
  async listen({ host, port, isShared = false }: ListenPlace): Promise<void> {
    const app = this.#app
    // Sockets that share a port also share it with those of another process, so its use is checked
    // before. For port 0 the system chooses a port that nobody uses.
    if (queues > 1 && port !== 0 && !isShared) await checkUnused({ host, port })
    const options = { host, port, ...ownQueue }
    await app.listen(options)
    for (const place of app.addresses().map(placeOf)) {
      for (let count = 1; count < queues; count += 1) await this.#add(place)
    }
  }

  async #add(place: Place): Promise<void> {
    // As the HTTP server creates its connections.
    const server = createServer({ allowHalfOpen: true, noDelay: true })
    server.on('connection', (socket) => this.#app.server.emit('connection', socket))
    this.#more.push(server)
    await once(server.listen({ ...place, ...ownQueue }), 'listening')
  }
}

async function checkUnused(place: Place): Promise<void> {
  const server = createServer()
  await once(server.listen({ ...place, exclusive: true }), 'listening')
  await close(server)
}

function placeOf(address: ReturnType<Server['address']>): Place {
  assert(typeof address === 'object' && address !== null, 'a server that listens has an address')
  return { host: address.address, port: address.port }
}

/** Resolves when all connections of the server have ended. */
async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  await closed
}
