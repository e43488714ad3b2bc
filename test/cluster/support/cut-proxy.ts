// A TCP proxy on a port of its own, whose connections a test can cut and heal.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

const host = '127.0.0.1'
/** Enough for the first message of a client, by which it is recognised. */
const firstBytesMax = 8_192

/**
 * `silent` lets nothing pass, as a network that loses packets; `one way` lets pass only what
 * clients send; `closed` ends connections, and refuses new ones.
 */
export type Cut = 'silent' | 'one way' | 'closed'

type Connection = {
  readonly client: Socket
  readonly server: Socket
  firstText: string
}

export class CutProxy {
  readonly #server: Server
  readonly #targetPort: number
  readonly #connections = new Set<Connection>()
  #cut: Cut | null = null
  /** Only connections whose first bytes have this text are cut; all of them if it is empty. */
  #from = ''

  private constructor(targetPort: number) {
    this.#targetPort = targetPort
    this.#server = createServer((client) => this.#accept(client))
  }

  static async open(targetPort: number): Promise<CutProxy> {
    const proxy = new CutProxy(targetPort)
    proxy.#server.listen(0, host)
    await once(proxy.#server, 'listening')
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  cut(how: Cut, from = ''): void {
    this.#cut = how
    this.#from = from
    for (const connection of this.#connections) this.#apply(connection)
  }

  heal(): void {
    this.#cut = null
    for (const { client, server } of this.#connections) join(client, server)
  }

  close(): void {
    this.#server.close()
    for (const connection of this.#connections) end(connection)
  }

  #accept(client: Socket): void {
    const server = connect(this.#targetPort, host)
    const connection: Connection = { client, server, firstText: '' }
    this.#connections.add(connection)
    for (const socket of [client, server]) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        this.#connections.delete(connection)
        end(connection)
      })
    }
    client.on('data', (chunk: Buffer) => {
      if (connection.firstText.length >= firstBytesMax) return
      connection.firstText += chunk.toString('latin1')
      this.#apply(connection)
    })
    join(client, server)
    this.#apply(connection)
  }

  #apply(connection: Connection): void {
    const { client, server, firstText } = connection
    if (this.#cut === null || !firstText.includes(this.#from)) return
    if (this.#cut === 'closed') {
      end(connection)
      return
    }
    part(server, client)
    if (this.#cut !== 'one way') part(client, server)
  }
}

function join(client: Socket, server: Socket): void {
  // A socket that is piped twice would send everything twice.
  part(client, server)
  part(server, client)
  client.pipe(server)
  server.pipe(client)
}

function part(from: Socket, to: Socket): void {
  from.unpipe(to)
  from.pause()
}

function end({ client, server }: Connection): void {
  client.destroy()
  server.destroy()
}
