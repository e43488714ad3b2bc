// A proxy between a client and the service that fails as a network does: it cuts connections,
// refuses new ones, and loses answers to requests that the service has executed.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export class TcpProxy {
  readonly #server: Server
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #answersToLose = 0
  #isRefusing = false
  #isStalled = false
  /** Connections so far. */
  connections = 0
  /** Answers lost so far. */
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

  /** Forwards this many requests and cuts the connection when their answers arrive. */
  loseAnswers(count: number): void {
    this.#answersToLose = count
  }

  /** Ends all current connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** While true, ends current and new connections at once. */
  refuse(isRefusing: boolean): void {
    this.#isRefusing = isRefusing
    if (isRefusing) this.cut()
  }

  /** While true, connections stay up but forward nothing from the service. */
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
  if (typeof address !== 'object' || address === null)
    throw new Error('The server is not listening.')
  return address.port
}
