// Stands between a client and the service, and fails where a network would: it cuts connections,
// takes no new ones, and loses answers to requests that the service has carried out.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export class TcpProxy {
  readonly #server: Server
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #answersToLose = 0
  #isRefusing = false
  #isStalled = false
  /** How many connections there have been. */
  connections = 0
  /** How many answers were lost. */
  lost = 0

  private constructor(target: string) {
    this.#target = new URL(target)
    this.#server = createServer((client) => this.#join(client))
  }

  static async open(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`
  }

  /** Lets this many requests through and cuts the connection when their answers come. */
  loseAnswers(count: number): void {
    this.#answersToLose = count
  }

  /** Ends all connections that there are. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Cuts, and ends every new connection at once, until it is told otherwise. */
  refuse(isRefusing: boolean): void {
    this.#isRefusing = isRefusing
    if (isRefusing) this.cut()
  }

  /** Nothing that the service says arrives any more, on connections that stay up. */
  stall(isStalled: boolean): void {
    this.#isStalled = isStalled
  }

  async close(): Promise<void> {
    this.#server.close()
    this.cut()
    await once(this.#server, 'close')
  }

  #join(client: Socket): void {
    this.connections += 1
    if (this.#isRefusing) {
      client.destroy()
      return
    }
    const service = connect(Number(this.#target.port), this.#target.hostname)
    for (const socket of [client, service]) {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        this.#sockets.delete(socket)
        client.destroy()
        service.destroy()
      })
    }
    client.pipe(service)
    service.on('data', (bytes) => {
      if (this.#isStalled) return
      if (this.#answersToLose === 0) {
        client.write(bytes)
        return
      }
      this.#answersToLose -= 1
      this.lost += 1
      client.destroy()
    })
  }
}

export function portOf(server: { address(): string | { readonly port: number } | null }): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('It does not listen.')
  return address.port
}
