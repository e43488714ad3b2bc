// A proxy between a client and a server that fails as a network does: it cuts connections, refuses
// new ones, and loses answers to requests that the server has executed.

import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

export class TcpProxy {
  readonly #server: Server
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  #answersToLose = 0
  #fatalRequest: { readonly text: string; readonly thenRefuses: boolean } | null = null
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

  get port(): number {
    return portOf(this.#server)
  }

  /** Forwards this many requests and cuts the connection when their answers arrive. */
  loseAnswers(count: number): void {
    this.#answersToLose = count
  }

  /**
   * Forwards the next request that contains the text and cuts its connection when the answer
   * arrives. May refuse all connections from then on.
   */
  loseAnswerTo(text: string, { thenRefuses = false } = {}): void {
    this.#fatalRequest = { text, thenRefuses }
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
    let isAnswerLost = false
    client.on('data', (bytes) => {
      if (this.#fatalRequest !== null && bytes.includes(this.#fatalRequest.text))
        isAnswerLost = true
    })
    service.on('data', (bytes) => {
      if (this.#isStalled) return
      if (isAnswerLost) {
        this.#loseFatalAnswer(client)
        return
      }
      if (this.#answersToLose === 0) {
        client.write(bytes)
        return
      }
      this.#answersToLose -= 1
      this.lost += 1
      client.destroy()
    })
  }

  #loseFatalAnswer(client: Socket): void {
    this.lost += 1
    if (this.#fatalRequest?.thenRefuses) this.refuse(true)
    this.#fatalRequest = null
    client.destroy()
  }
}

export function portOf(server: { address(): string | { readonly port: number } | null }): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null)
    throw new Error('The server is not listening.')
  return address.port
}
